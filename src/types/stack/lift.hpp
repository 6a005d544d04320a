// Decides stacks in which values repeat by their monitor, matching each pop with a push (core/lift.hpp).
#pragma once

#include "core/lift.hpp"
#include "types/stack/monitor.hpp"

namespace linchpin::types {

[[nodiscard]] core::LiftHistory read_stack(const history::Subhistory& part);

inline constexpr core::Decider kStackLift = core::LiftDecider<read_stack, kStackMonitor>::named("stack-lift", "stack");

}  // namespace linchpin::types
