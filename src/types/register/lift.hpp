// Decides registers to which a value is written several times by their monitor, matching each read with a write
// (core/lift.hpp).
#pragma once

#include "core/lift.hpp"
#include "types/register/monitor.hpp"

namespace linchpin::types::register_ {

[[nodiscard]] core::LiftHistory read_lift(const history::Subhistory& part);

inline constexpr core::Decider kLift = core::LiftDecider<read_lift, kMonitor>::named("register-lift", "register");

}  // namespace linchpin::types::register_
