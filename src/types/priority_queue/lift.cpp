#include "types/priority_queue/lift.hpp"

#include "types/container_lift.hpp"
#include "types/priority_queue/acts.hpp"

namespace linchpin::types {

core::LiftHistory read_priority_queue(const history::Subhistory& part) {
  if (part.specification->get_if<PriorityQueue>() == nullptr) {
    return {.obstacle = "not a priority queue", .other_type = true};
  }
  core::LiftHistory read = read_container(part, kPriorityQueueMethods);
  read.has_priorities = true;
  return read;
}

}  // namespace linchpin::types
