#include "types/priority_queue/lift.hpp"

#include "types/container_lift.hpp"
#include "types/priority_queue/acts.hpp"

namespace linchpin::types {

core::LiftHistory read_priority_queue(const history::Subhistory& part) {
  const PriorityQueue* const type = part.specification->get_if<PriorityQueue>();
  if (type == nullptr) return {.obstacle = "not a priority queue", .other_type = true};
  if (type->capacity) return {.obstacle = "the priority queue has a capacity"};
  core::LiftHistory read = read_container(part, kPriorityQueueMethods);
  read.has_priorities = true;
  return read;
}

}  // namespace linchpin::types
