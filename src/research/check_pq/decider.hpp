// Check-PQ-Conc as deciders, to be asked for: --decider check-pq, --decider check-pq-definition.
//
// They decide the executions of the paper: no value put twice, every remove returned, no peeks; equal priorities in any
// order or first in, first out, priorities partially ordered or not. check-pq uses the paper's graph criteria, O(n^4);
// check-pq-definition looks for the linearizations that the criteria stand for, exponential. It takes up to 24
// operations; both give a witness for up to 24. Compare: priority-queue-monitor, which also takes looks, pending
// removes and 10^6 operations. Source: execution.hpp. Tests: check_pq_test.cpp, tests/cross/priority_queues_test.cpp.
#pragma once

#include <span>

#include "core/decider.hpp"

namespace linchpin::research {

[[nodiscard]] std::span<const core::Decider> check_pq_deciders();

}  // namespace linchpin::research
