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

/// Decides the core once more, with its context and nothing that it does not rest on, and lets the method that applies
/// there speak: `asked_for`, if it has words of its own; else a monitor in the words of its type, else the search. What
/// is said is true of the operations as they were recorded. For a core that is too large, what the outcome itself says.
/// @param asked_for  the decider that the user named; none: null
[[nodiscard]] Told tell(const history::Subhistory& part, const Core& core, const core::Outcome& outcome,
                        const core::Decider* asked_for, Ties ties, core::Budget& budget);

}  // namespace linchpin::explain
