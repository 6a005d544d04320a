// Decides bags in which values repeat by their monitor, matching each removal with an addition (core/lift.hpp).
#pragma once

#include "core/lift.hpp"
#include "types/bag/monitor.hpp"

namespace linchpin::types::bag {

[[nodiscard]] core::LiftHistory read_lift(const history::Subhistory& part);

inline constexpr core::Decider kLift = core::LiftDecider<read_lift, kMonitor>::named(
    "bag-lift", "bag",
    "values repeat, each a few times; nothing found a repeated value missing; else as for the monitor");

}  // namespace linchpin::types::bag
