#include "types/queue/lift.hpp"

#include "types/container_lift.hpp"
#include "types/queue/specification.hpp"

namespace linchpin::types::queue {

core::LiftHistory read_lift(const history::Subhistory& part) {
  const Queue* const queue = part.specification->get_if<Queue>();
  if (queue == nullptr) return {.obstacle = "not a queue", .other_type = true};
  if (queue->capacity) return {.obstacle = "the queue has a capacity"};
  return read_container(
      part, {Queue::kEnqueue, Queue::kDequeue, Queue::kPeek, Queue::kSize, Queue::kIsEmpty, "enqueued"}, "dequeued");
}

}  // namespace linchpin::types::queue
