// Decides deques in which values repeat by the deciders for unique values (unique.hpp), matching each pop with a push
// (core/lift.hpp).
#pragma once

#include "core/lift.hpp"
#include "types/deque/unique.hpp"

namespace linchpin::types::deque {

[[nodiscard]] core::LiftHistory read_lift(const history::Subhistory& part);

inline constexpr core::Decider kLift = core::LiftDecider<read_lift, kUnique>::named("deque-lift", "deque");

}  // namespace linchpin::types::deque
