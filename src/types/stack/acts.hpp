// Which methods of a stack without heights add, take and look.
#pragma once

#include "types/container_acts.hpp"
#include "types/stack/specification.hpp"

namespace linchpin::types {

inline constexpr ContainerMethods kStackMethods{.add = Stack::kPush,
                                                .remove = Stack::kPop,
                                                .look = Stack::kPeek,
                                                .size = Stack::kSize,
                                                .is_empty = Stack::kIsEmpty,
                                                .added = "pushed",
                                                .taken = "popped"};

}  // namespace linchpin::types
