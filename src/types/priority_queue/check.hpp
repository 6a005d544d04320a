// One run of the priority queue monitor over a history in which every pending remove is known or left out.
//
// Theorem. Where equal priorities may be polled in any order, a history is linearizable iff each remove and look of
// each value v has a gap that the cover of no strictly better value contains, and each empty one that no cover
// contains; priorities may be partially ordered. (Proof by induction from a value v that nobody is worse than: flush
// the better ones at the gaps chosen for v, then v's operations fit. Values incomparable to v are not moved, and a
// better one that is moved is never inside where it was not before, but for moments inside the flush.)
//
// Algorithm. From the best class of equal priorities to the worst, in a total order that extends the priorities' own:
// each remove and look of the class must have a gap in its interval outside the covers of strictly better classes
// (open_gaps.hpp); then the covers of the class are added. What is open in the end is where the queue may be empty.
// Coreless values may not be left out: their remove still needs such a gap.
//
// First in, first out among equals: see fifo_classes.hpp.
// Cost: after numbering the classes O(n log64 n) for total orders, O(n log n) for pairs of components, O(n + k n / 64)
// at least for k classes of another partial order; open_gaps.hpp. Compare: ContainerReference in tests/support spells
// the theorem out. Tests: priority_queue_monitor_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "algo/container.hpp"
#include "base/none.hpp"
#include "core/budget.hpp"
#include "types/priority_queue/classes.hpp"
#include "types/priority_queue/open_gaps.hpp"

namespace linchpin::types {

class PriorityQueueCheck {
 public:
  enum class Result : std::uint8_t { linearizable, value_fault, covered_empty, overtaken, unordered, spent };

  /// Keeps references, and marks in `history` what does not matter.
  /// @param method  for tests: one that fits the order; unset: the best one
  PriorityQueueCheck(algo::ContainerHistory& history, const PriorityClasses& classes, bool fifo_ties,
                     std::optional<OpenGaps::Method> method = std::nullopt)
      : history_(history), classes_(classes), fifo_ties_(fifo_ties), method_(method) {}

  Result run(core::Budget& budget, bool record_witness);

  /// After linearizable with `record_witness`: what took effect, in order. Nothing where first in, first out among
  /// equals defeats the construction, which is proved on paper and replayed here: never known to happen.
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> witness() const;
  /// After a violation: operations that are not linearizable on their own, not yet shrunk.
  [[nodiscard]] std::vector<std::uint32_t> core() const;

  [[nodiscard]] const algo::ContainerHistory& history() const { return history_; }
  [[nodiscard]] const algo::ContainerValues& container() const { return container_; }
  [[nodiscard]] const std::optional<algo::ValueFault>& fault() const { return fault_; }
  /// After covered_empty or overtaken: the operation without a gap.
  [[nodiscard]] std::uint32_t failed() const { return failed_; }
  /// After covered_empty or overtaken: the values whose covers contain all its gaps, each furthest-reaching.
  [[nodiscard]] std::vector<algo::ValueNumber> chain() const;
  /// After unordered: values of one class, each of which must come before the next, and the last before the first.
  [[nodiscard]] const std::vector<algo::ValueNumber>& cycle() const { return cycle_; }

 private:
  friend class FifoClasses;
  enum class Side : std::uint8_t { before, flush, after };

  /// Sorts values by class: order_ and class_begin_.
  void sort_by_class();
  bool serve_class(std::uint32_t first, std::uint32_t last, bool record_witness);
  void close_class(std::uint32_t first, std::uint32_t last);
  [[nodiscard]] algo::Gaps gaps_of(std::uint32_t operation) const;
  /// After every event: what is removed there need not have been.
  [[nodiscard]] std::uint32_t last_gap() const { return history_.ranks.number(); }
  /// Values of classes better than `worse_than` (kNone: of any) whose covers together contain the gaps.
  [[nodiscard]] std::vector<algo::ValueNumber> chain_over(algo::Gaps gaps, std::uint32_t worse_than) const;
  [[nodiscard]] std::vector<std::uint32_t> fifo_witness() const;
  /// Whether the order keeps happens-before, nobody is served while somebody who goes before is inside, and equals
  /// leave in order of insertion.
  [[nodiscard]] bool replays(const std::vector<std::uint32_t>& order) const;
  /// The same, of a total order of priorities, by execution.
  [[nodiscard]] bool executes(const std::vector<std::uint32_t>& order) const;
  /// The same, of a partial one: the stays of better values in `order` are like covers.
  [[nodiscard]] bool serves_best(const std::vector<std::uint32_t>& order) const;
  [[nodiscard]] std::span<const std::uint32_t> looks_of(algo::ValueNumber value) const {
    return looks_ ? looks_->of(value) : std::span<const std::uint32_t>();
  }
  [[nodiscard]] bool removed(algo::ValueNumber value) const { return container_.span[value].remove != kNone; }

  algo::ContainerHistory& history_;
  const PriorityClasses& classes_;
  bool fifo_ties_;
  std::optional<OpenGaps::Method> method_;
  algo::ContainerValues container_;
  std::optional<algo::ValueFault> fault_;
  std::optional<algo::LooksByValue> looks_;  // where there are looks
  std::vector<algo::ValueNumber> order_;     // values that take part, best class first
  std::vector<std::uint32_t> class_begin_;   // into order_; one more entry than classes
  OpenGaps open_;                            // for the class at hand
  std::uint32_t failed_ = kNone;
  std::vector<algo::ValueNumber> cycle_;

  // For the witness.
  std::vector<std::uint32_t> gap_;  // by operation
  // And with fifo_ties_: at one gap, first operations before the flush point, the best class first; then values that
  // come and go at once, and empties; then operations after it, the worst class first.
  std::vector<Side> side_;
  bool has_witness_ = true;
  std::vector<std::uint32_t> place_;  // within a class, a gap and a side
};

}  // namespace linchpin::types
