// Reads stacks, queues, deques and priority queues for the lift of their monitors to values that repeat
// (core/lift.hpp).
#pragma once

#include "core/lift.hpp"
#include "types/container_acts.hpp"

namespace linchpin::types {

/// Of `size` and `is_empty` only the answers "0" and "true" are understood: no other method would keep its answer when
/// values are erased. O(n).
[[nodiscard]] inline core::LiftHistory read_container(const history::Subhistory& part,
                                                      const ContainerMethods& methods) {
  core::LiftHistory read{.acts = read_acts(part, methods), .added = methods.added, .taken = methods.taken};
  read.obstacle = first_obstacle(part, read.acts, methods, true);
  return read;
}

}  // namespace linchpin::types
