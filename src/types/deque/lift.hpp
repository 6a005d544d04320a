// Decides deques in which values repeat by the deciders for unique values (unique.hpp), matching each pop with a push
// (algo/lift/lift.hpp).
#pragma once

#include "algo/lift/lift.hpp"
#include "types/deque/unique.hpp"

namespace linchpin::types::deque {

[[nodiscard]] algo::LiftHistory read_lift(const history::Subhistory& part);

inline constexpr core::Decider kLift = algo::LiftDecider<read_lift, kUnique>::named("deque-lift", "deque");

}  // namespace linchpin::types::deque
