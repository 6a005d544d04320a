// What is said about a violation: a sentence, the operation that cannot be placed, and the states in which it is not
// legal. All of it is about the core that is shown.
#pragma once

#include "core/decider.hpp"
#include "explain/shrink.hpp"

namespace linchpin::explain {

struct Told {
  std::string sentence;
  std::optional<std::uint32_t> blocked;  ///< local
  std::vector<std::string> states;       ///< possible while it was open
};

/// What the outcome itself says.
[[nodiscard]] Told tell(const history::Subhistory& part, const core::Outcome& outcome);

/// Decides the core once more, with its context and nothing else, and lets the method that applies there speak: a
/// monitor in the words of its type, else the search. For a core that is too large, what the outcome itself says.
[[nodiscard]] Told tell(const history::Subhistory& part, const Core& core, const core::Outcome& outcome, Ties ties,
                        core::Budget& budget);

}  // namespace linchpin::explain
