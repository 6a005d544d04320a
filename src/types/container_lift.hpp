// Reads stacks, queues and priority queues for the lift of their monitors to values that repeat (core/lift.hpp).
#pragma once

#include "core/lift.hpp"
#include "types/container_binding.hpp"

namespace linchpin::types {

/// What each operation adds, takes or looks at. Of `size` and `is_empty` only the answers "0" and "true" are
/// understood: no other method would keep its answer when values are erased. O(n).
[[nodiscard]] core::LiftHistory read_container(const history::Subhistory& part, const ContainerMethods& methods,
                                               std::string_view removed);

}  // namespace linchpin::types
