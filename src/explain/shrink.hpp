// From a violation to a small core: operations that are not linearizable on their own, and prove that the whole is not.
//
// What may be dropped. An arbitrary operation may not: without a write, a later read can become a violation that was
// none. These may, because they keep every linearizable history linearizable:
//   - the operations called after the response that could not be passed (prefixes of linearizable histories are
//     linearizable);
//   - any pure operation;
//   - every operation of a value, where the type is closed under erasing values (Specification::erasable);
//   - everything before a quiet point, if what is kept of it can reach there every state that the whole could.
// Each step is decided again and undone when the rest is no longer refuted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/decider.hpp"

namespace linchpin::explain {

struct Core {
  std::vector<std::uint32_t> locals;  ///< ascending
  bool minimal = false;               ///< nothing more can be dropped by the rules above
};

/// The core of an outcome as it comes: the monitor's, or everything called before the response that blocks.
[[nodiscard]] Core whole_core(const history::Subhistory& part, const core::Outcome& outcome);

/// Makes it smaller as long as the budget allows, spending about as many steps again as a few decisions of the core.
[[nodiscard]] Core shrink(const history::Subhistory& part, Core core, core::Budget& budget);

/// "no order explains read() -> 3 (process 2): ..." for a violation found by a search.
[[nodiscard]] std::string blocked_sentence(const history::Subhistory& part, const core::Outcome& outcome);

}  // namespace linchpin::explain
