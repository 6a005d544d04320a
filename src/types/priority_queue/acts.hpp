// Which methods of a priority queue add, take and look.
#pragma once

#include "types/container_acts.hpp"
#include "types/priority_queue/specification.hpp"

namespace linchpin::types {

inline constexpr ContainerMethods kPriorityQueueMethods{.add = PriorityQueue::kInsert,
                                                        .remove = PriorityQueue::kPoll,
                                                        .look = PriorityQueue::kPeek,
                                                        .size = PriorityQueue::kSize,
                                                        .is_empty = PriorityQueue::kIsEmpty,
                                                        .added = "inserted",
                                                        .taken = "polled"};

}  // namespace linchpin::types
