// Decides queues in which values repeat by their monitor, matching each dequeue with an enqueue (algo/lift/lift.hpp).
#pragma once

#include "algo/lift/lift.hpp"
#include "types/queue/monitor.hpp"

namespace linchpin::types::queue {

[[nodiscard]] algo::LiftHistory read_lift(const history::Subhistory& part);

inline constexpr core::Decider kLift = algo::LiftDecider<read_lift, kMonitor>::named("queue-lift", "queue");

}  // namespace linchpin::types::queue
