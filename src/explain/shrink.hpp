// From a violation to a small core: operations that are not linearizable on their own, and prove that the whole is not.
//
// What may be dropped. An arbitrary operation may not: without a write, a later read can become a violation that was
// none. These may, because they keep every linearizable history linearizable:
//   - the operations called after a response up to which the rest is refuted already, what is open then being taken as
//     pending (prefixes of linearizable histories are linearizable);
//   - any pure operation;
//   - every operation of a value, where the type is closed under erasing values (Specification::erasable);
//   - everything before a quiet point, if what is kept of it can reach there every state that the whole could.
// Each step is decided again, by whichever method applies, and undone when the rest is no longer refuted; groups of
// values and of pure operations are tried in halves, quarters, and so on to single ones. The core of a monitor goes the
// same way. Tests: shrink_test.cpp; bench/cores.cpp has figures.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/decider.hpp"

namespace linchpin::explain {

struct Core {
  std::vector<std::uint32_t> locals;  ///< ascending
  bool minimal = false;               ///< nothing more can be dropped by the rules above
};

/// The core of an outcome as it comes: the monitor's, or everything called before the response that blocks.
[[nodiscard]] Core whole_core(const history::Subhistory& part, const core::Outcome& outcome);

/// Called now and then with (operations dropped, operations at first).
using ShrinkProgress = std::function<void(std::size_t, std::size_t)>;

/// Makes it smaller as long as the budget allows, spending about as many steps again as a few decisions of the core.
[[nodiscard]] Core shrink(const history::Subhistory& part, Core core, const ShrinkProgress& progress,
                          core::Budget& budget);

}  // namespace linchpin::explain
