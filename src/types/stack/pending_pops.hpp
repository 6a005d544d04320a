// Stacks with pending pops whose result is unknown: each took one value that nobody else pops, or did not happen.
//
// They may not simply be dropped: after push(1) and push(2), a pop that returns 1 is legal only if a pending pop
// took 2.
//  1. With all of them dropped the history is linearizable: it is.
//  2. No pending pop, or no value that nobody pops, or a fault of a single value: a violation is final.
//  3. Branch on cores: some value of a core must change, so an unpopped value of the core is given to one of the free
//     pending pops, and the history decided again. A core without such a value refutes its branch.
// Step 3 is exact: an assignment that makes the history linearizable and extends the current one assigns some value of
// the core that is still free, and that branch is taken. A pop called after the core is over does not change it.
// Refuted, all cores met on the way make one core together with the pending pops, since the same branches refute it.
// Cost: one run a branch; exponential only in the number of pending pops. Beyond a bound on the effort: unknown.
// Tests: stack_monitor_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "algo/container.hpp"
#include "core/budget.hpp"

namespace linchpin::types {

class PendingPops {
 public:
  enum class Result : std::uint8_t { linearizable, violation, unknown };

  PendingPops(algo::ContainerHistory& history, core::Budget& budget) : history_(history), budget_(budget) {}

  Result decide(bool want_witness);

  /// After linearizable, when wanted.
  [[nodiscard]] std::vector<std::uint32_t> witness() { return std::move(witness_); }
  /// After a violation: operations that are not linearizable on their own, not yet shrunk.
  [[nodiscard]] const std::vector<std::uint32_t>& core() const { return core_; }

 private:
  Result branch();

  algo::ContainerHistory& history_;
  core::Budget& budget_;
  bool want_witness_ = false;
  std::vector<std::uint32_t> witness_;
  std::vector<std::uint32_t> core_;
  std::vector<std::uint32_t> lost_;  // pending pops, by call
  std::vector<bool> used_;           // by index in lost_
  std::size_t effort_ = 0;           // operations that may still be looked at
};

}  // namespace linchpin::types
