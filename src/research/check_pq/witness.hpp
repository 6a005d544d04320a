// A linearization of an execution that Check-PQ-Conc accepts, by self-reduction: an operation that nothing else has to
// precede is made to happen before all others; where the execution stays linearizable it was a good choice.
//
// Cost: O(n^2) runs of the procedure, so for short executions only. Tests: tests/cross/priority_queues_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "research/check_pq/execution.hpp"
#include "research/check_pq/predicates.hpp"

namespace linchpin::research::check_pq {

/// Local operations in an order that works. @pre the execution is linearizable
[[nodiscard]] std::vector<std::uint32_t> linearization(Execution execution, const Predicates& predicates);

}  // namespace linchpin::research::check_pq
