// The definitions of strong hitting and of linearizability depth, executable as they are written. For tests, and for
// the depth of small histories.
//
// Source: B. Kulahcioglu Ozkan, R. Majumdar, F. Niksic, Checking linearizability using hitting families, PPoPP 2019,
// Definitions 4.1, 4.2 and 4.4. Compare: enumeration.hpp, which generates a family. Tests: schedules_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/budget.hpp"
#include "research/schedules/poset.hpp"

namespace linchpin::research {

/// Definition 4.1: whatever stands at or after x_i in the schedule is above some x_j with j >= i in the poset.
[[nodiscard]] bool strongly_hits(const OperationPoset& poset, const Schedule& schedule,
                                 std::span<const std::uint32_t> tuple);

/// Definition 4.4, for tuples of distinct operations: a tuple that no schedule of the family strongly hits, or nothing.
/// (A tuple with repetitions is hit exactly where that of its last occurrences is.) O(n^d |family| n d).
[[nodiscard]] std::optional<std::vector<std::uint32_t>> missed_tuple(const OperationPoset& poset,
                                                                     const std::vector<Schedule>& family,
                                                                     std::uint32_t d);

/// Every linear extension, in lexicographic order; false from `visit` stops. False: it was stopped.
bool for_each_schedule(const OperationPoset& poset, const std::function<bool(const Schedule&)>& visit);

struct LinearizabilityDepth {
  std::uint32_t depth = 0;
  std::vector<std::uint32_t> tuple;  ///< every schedule that strongly hits it is a witness
};

/// Definition 4.2: the smallest d such that some d-tuple of distinct operations has only witnesses among the schedules
/// that strongly hit it. Nothing: no schedule is a witness, there are more than `most_schedules` others, or the budget
/// is spent. Each schedule that is no witness rules out the tuples that it hits; x_i's condition looks at x_i and later
/// ones only, so tuples grow from their last element, each keeping the schedules that hit it.
[[nodiscard]] std::optional<LinearizabilityDepth> linearizability_depth(
    const OperationPoset& poset, const std::function<bool(const Schedule&)>& is_witness, std::size_t most_schedules,
    core::Budget& budget);

}  // namespace linchpin::research
