// What the operations of a stack need and what they change, for the search over sets of stacks.
#pragma once

#include "history/subhistory.hpp"
#include "types/shared/stack_act.hpp"

namespace linchpin::types {

/// Reads the operations of a stack. O(n).
[[nodiscard]] StackActs read_stack_acts(const history::Subhistory& part);

}  // namespace linchpin::types
