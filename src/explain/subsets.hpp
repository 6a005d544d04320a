// Finds, for a few operations, which subsets of them are linearizable: all subsets in one search.
//
// Idea. Breadth-first over (operations that took effect, state) as in any search, but an operation may also be left out
// for good: then the operations that took effect somewhere are exactly the sets that have a linearization, and what a
// set lacks is read off by going through its subsets. 2^n sets and every state that they lead to, so only for a few.
//
// Use. A core is called "as few as can be" only if that was tested (`nothing_to_spare`). An operation that is
// impossible in the core is shown alone (`impossible`). Tests: subsets_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/budget.hpp"
#include "history/subhistory.hpp"

namespace linchpin::explain {

class Subsets {
 public:
  using Set = std::uint32_t;  ///< of locals, a bit each

  static constexpr std::uint32_t kMostOperations = 12;
  static constexpr std::size_t kMostSteps = 30'000;

  /// Nothing where there are more operations, or where the steps or the budget end first.
  [[nodiscard]] static std::optional<Subsets> of(const history::Subhistory& part, core::Budget& budget);

  [[nodiscard]] Set all() const { return static_cast<Set>(taken_.size() - 1); }
  /// Whether the operations of the set are, on their own.
  [[nodiscard]] bool linearizable(Set set) const { return linearizable_[set]; }
  /// Operations of the set that returned and that no linearizable subset of it contains: whatever order the others
  /// take effect in, and whichever of them do, these cannot.
  [[nodiscard]] Set impossible(Set set) const { return set & returned_ & ~taken_[set]; }
  /// The same of pending operations: these took no effect.
  [[nodiscard]] Set without_effect(Set set) const { return set & ~returned_ & ~taken_[set]; }
  /// Whether all operations together are a violation of which none can be spared: there are no impossible ones, unless
  /// it is the only one, and each smaller set is linearizable or has operations that are impossible in it, for want of
  /// what was left out.
  [[nodiscard]] bool nothing_to_spare() const;

 private:
  Set returned_ = 0;
  std::vector<bool> linearizable_;
  std::vector<Set> taken_;  // by set: the operations that take effect in some linearizable subset of it
};

}  // namespace linchpin::explain
