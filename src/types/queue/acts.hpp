// Which methods of a queue add, take and look.
#pragma once

#include "types/container_acts.hpp"
#include "types/queue/specification.hpp"

namespace linchpin::types::queue {

inline constexpr ContainerMethods kMethods{.add = Queue::kEnqueue,
                                           .remove = Queue::kDequeue,
                                           .look = Queue::kPeek,
                                           .size = Queue::kSize,
                                           .is_empty = Queue::kIsEmpty,
                                           .added = "enqueued",
                                           .taken = "dequeued"};

}  // namespace linchpin::types::queue
