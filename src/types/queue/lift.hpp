// Decides queues in which values repeat by their monitor, matching each dequeue with an enqueue (core/lift.hpp).
#pragma once

#include "core/lift.hpp"
#include "types/queue/monitor.hpp"

namespace linchpin::types::queue {

[[nodiscard]] core::LiftHistory read_lift(const history::Subhistory& part);

inline constexpr core::Decider kLift = core::LiftDecider<read_lift, kMonitor>::named("queue-lift", "queue");

}  // namespace linchpin::types::queue
