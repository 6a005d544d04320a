// Decides deques in which values repeat by the search for unique values, matching each pop with a push
// (algo/lift/lift.hpp).
#pragma once

#include "algo/lift/lift.hpp"
#include "types/deque/pair_search.hpp"

namespace linchpin::types::deque {

[[nodiscard]] algo::LiftHistory read_lift(const history::Subhistory& part);

inline constexpr core::Decider kLift = algo::LiftDecider<read_lift, kPairs>::named("deque-lift", "deque");

}  // namespace linchpin::types::deque
