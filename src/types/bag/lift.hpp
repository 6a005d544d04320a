// Decides bags in which values repeat by their monitor, matching each removal with an addition (algo/lift/lift.hpp).
#pragma once

#include "algo/lift/lift.hpp"
#include "types/bag/monitor.hpp"

namespace linchpin::types::bag {

[[nodiscard]] algo::LiftHistory read_lift(const history::Subhistory& part);

inline constexpr core::Decider kLift = algo::LiftDecider<read_lift, kMonitor>::named(
    "bag-lift", "bag",
    "values repeat, each a few times; nothing found a repeated value missing; else as for the monitor");

}  // namespace linchpin::types::bag
