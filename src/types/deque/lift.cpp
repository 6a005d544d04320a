// The first guess of which equal value is meant is the one nearest to the end at which the operation is. Oldest and
// newest say little where values come and go at both ends.
#include "types/deque/lift.hpp"

#include "types/container_lift.hpp"
#include "types/deque/two_ends.hpp"

namespace linchpin::types::deque {

core::LiftHistory read_lift(const history::Subhistory& part) {
  if (const core::Applicability room = always_has_room(part); !room.applies) {
    return {.obstacle = room.why, .other_type = room.other_type};
  }
  core::LiftHistory read = read_container(part, kContainerMethods);
  read.first_guess = core::LiftGuess::nearest;
  return read;
}

}  // namespace linchpin::types::deque
