// Decides priority queues in which values repeat by their monitor, matching each poll with an insert
// (algo/lift/lift.hpp).
#pragma once

#include "algo/lift/lift.hpp"
#include "types/priority_queue/monitor.hpp"

namespace linchpin::types {

[[nodiscard]] algo::LiftHistory read_priority_queue(const history::Subhistory& part);

inline constexpr core::Decider kPriorityQueueLift =
    algo::LiftDecider<read_priority_queue, kPriorityQueueMonitor>::named("priority-queue-lift", "priority-queue");

}  // namespace linchpin::types
