// One run of the deque monitor over a history in which every pending pop is known or left out.
//
// Steps: sum up each value (algo/container.hpp); take each empty answer at the first gap outside all covers; find the
// bounds of the values that are pushed at one end and popped at the other (flows.hpp); the values of each end are a
// stack (types/stack_run.hpp), which is found empty at the gaps that the flows and the empty answers use there.
//
// Core: of the values about the place where it failed, in a window that grows until they fail by themselves.
// Cost O(n log n) and a round over the flows each time their bounds move (flows.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "algo/bitset.hpp"
#include "algo/container.hpp"
#include "base/none.hpp"
#include "core/budget.hpp"
#include "types/deque/flows.hpp"

namespace linchpin::types::deque {

class DequeCheck {
 public:
  enum class Result : std::uint8_t {
    linearizable,
    value_fault,
    covered_empty,
    not_nested,  ///< the values of one end are no stack
    no_gap,      ///< a value cannot pass the others
    crossed,     ///< values of both directions are inside at one time
    overtaken,   ///< values of one direction are out of order
    beyond,      ///< somebody looked at a value that is pushed at one end and popped at the other
    spent,
  };

  /// Keeps references, and marks in the history what does not matter.
  /// @param at_back  by operation: 0 or 1
  DequeCheck(algo::ContainerHistory& history, std::span<const std::uint8_t> at_back)
      : history_(history), at_back_(at_back) {}

  Result run(core::Budget& budget, bool record_witness);

  /// After linearizable with `record_witness`: what took effect, in order.
  [[nodiscard]] std::vector<std::uint32_t> witness() const { return order_; }
  /// After a violation: operations that are not linearizable on their own, not yet shrunk.
  [[nodiscard]] std::vector<std::uint32_t> core(core::Budget& budget) const;

  [[nodiscard]] const algo::ContainerHistory& history() const { return history_; }
  [[nodiscard]] const algo::ContainerValues& container() const { return container_; }
  [[nodiscard]] const std::optional<algo::ValueFault>& fault() const { return fault_; }
  /// After covered_empty.
  [[nodiscard]] std::uint32_t empty() const { return empty_; }
  /// After not_nested: 0 the front, 1 the back.
  [[nodiscard]] std::uint32_t end() const { return end_; }
  [[nodiscard]] bool pushed_at_back(algo::ValueNumber value) const { return at_back_[container_.span[value].add] != 0; }
  [[nodiscard]] bool popped_at_back(algo::ValueNumber value) const {
    const std::uint32_t remove = container_.span[value].remove;
    return remove == kNone ? pushed_at_back(value) : at_back_[remove] != 0;
  }
  [[nodiscard]] bool passes(algo::ValueNumber value) const { return pushed_at_back(value) != popped_at_back(value); }

 private:
  /// Operations of one end's stack, and found-empties at the gaps that others use.
  struct Stack {
    algo::ContainerHistory history;
    std::vector<history::Rank> call, response;
    std::vector<std::uint32_t> operation;  // of the whole; kNone: a found-empty
  };
  /// The steps of one end, or of the flows, each in a gap: before, at, or after what uses the gap.
  struct Step {
    std::uint64_t when = 0;  // three times the gap, and 0, 1 or 2
    std::uint32_t operation = 0;
  };

  [[nodiscard]] algo::Bitset open_gaps(bool all_values, std::uint32_t at_back) const;
  [[nodiscard]] Stack stack_of(std::uint32_t at_back, std::span<const std::uint32_t> used_gaps) const;
  Result check_stack(std::uint32_t at_back, std::span<const std::uint32_t> used_gaps, core::Budget& budget,
                     std::vector<Step>* steps);
  /// Lists by end, of the flows and the empty answers, and of what fits everywhere.
  void merge(const std::array<std::vector<Step>, 4>& lists);
  [[nodiscard]] std::vector<std::uint32_t> about(std::uint32_t radius) const;

  algo::ContainerHistory& history_;
  std::span<const std::uint8_t> at_back_;
  algo::ContainerValues container_;
  std::optional<algo::ValueFault> fault_;
  std::uint32_t empty_ = kNone;
  std::uint32_t end_ = 0;
  std::vector<std::uint32_t> core_;  // where it is known
  algo::Gaps place_;                 // else: where it failed
  std::array<std::uint32_t, 2> stacked_{0, 0};
  std::vector<std::uint32_t> order_;
};

}  // namespace linchpin::types::deque
