// Decides registers to which a value is written several times by their monitor, matching each read with a write
// (algo/lift/lift.hpp).
#pragma once

#include "algo/lift/lift.hpp"
#include "types/register/monitor.hpp"

namespace linchpin::types::register_ {

[[nodiscard]] algo::LiftHistory read_lift(const history::Subhistory& part);

inline constexpr core::Decider kLift = algo::LiftDecider<read_lift, kMonitor>::named("register-lift", "register");

}  // namespace linchpin::types::register_
