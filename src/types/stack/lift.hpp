// Decides stacks in which values repeat by their monitor, matching each pop with a push (algo/lift/lift.hpp).
#pragma once

#include "algo/lift/lift.hpp"
#include "types/stack/monitor.hpp"

namespace linchpin::types {

[[nodiscard]] algo::LiftHistory read_stack(const history::Subhistory& part);

inline constexpr core::Decider kStackLift = algo::LiftDecider<read_stack, kStackMonitor>::named("stack-lift", "stack");

}  // namespace linchpin::types
