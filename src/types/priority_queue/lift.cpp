#include "types/priority_queue/lift.hpp"

#include "types/container_lift.hpp"
#include "types/priority_queue/specification.hpp"

namespace linchpin::types {

core::LiftHistory read_priority_queue(const history::Subhistory& part) {
  if (part.specification->get_if<PriorityQueue>() == nullptr) {
    return {.obstacle = "not a priority queue", .other_type = true};
  }
  core::LiftHistory read = read_container(part,
                                          {PriorityQueue::kInsert, PriorityQueue::kPoll, PriorityQueue::kPeek,
                                           PriorityQueue::kSize, PriorityQueue::kIsEmpty, "inserted"},
                                          "polled");
  read.has_priorities = true;
  return read;
}

}  // namespace linchpin::types
