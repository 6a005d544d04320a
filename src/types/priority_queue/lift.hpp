// Decides priority queues in which values repeat by their monitor, matching each poll with an insert
// (core/lift.hpp).
#pragma once

#include "core/lift.hpp"
#include "types/priority_queue/monitor.hpp"

namespace linchpin::types {

[[nodiscard]] core::LiftHistory read_priority_queue(const history::Subhistory& part);

inline constexpr core::Decider kPriorityQueueLift =
    core::LiftDecider<read_priority_queue, kPriorityQueueMonitor>::named("priority-queue-lift", "priority-queue");

}  // namespace linchpin::types
