// Check-PQ-Seq (Algorithm 1): whether a data-differentiated sequential execution is one of a priority queue, by
// removing a remove that found nothing, or a value of maximal priority, as long as a predicate allows it.
//
// Text::printed has the predicates as the paper prints them, which accept executions of no priority queue;
// Text::mended adds the conditions that the paper's proofs use (docs/papers/concurrent-priority-queues.md).
// Cost: O(n^3). Tests: check_pq_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "research/check_pq/execution.hpp"

namespace linchpin::research::check_pq {

enum class Text : std::uint8_t { printed, mended };

struct Step {
  enum class Kind : std::uint8_t { put, rm, rm_empty };
  Kind kind = Kind::put;
  std::uint32_t which = 0;  ///< the value, or which of the removes that found nothing
  bool operator==(const Step&) const = default;
};
using Sequence = std::vector<Step>;

/// @param execution  gives the priorities of the values
[[nodiscard]] bool empty_remove_seq(const Sequence& sequence, std::uint32_t o);
[[nodiscard]] bool unmatched_max_priority_seq(const Execution& execution, const Sequence& sequence, std::uint32_t x,
                                              Text text);
[[nodiscard]] bool matched_max_priority_seq(const Execution& execution, const Sequence& sequence, std::uint32_t x,
                                            Text text);

[[nodiscard]] bool check_pq_seq(const Execution& execution, const Sequence& sequence, Text text);

}  // namespace linchpin::research::check_pq
