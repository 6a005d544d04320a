// What the operations of a stack need and what they change, for the search over sets of stacks.
#pragma once

#include <vector>

#include "history/subhistory.hpp"
#include "types/shared/stack_act.hpp"

namespace linchpin::types {

/// Reads the operations of a stack. O(n).
[[nodiscard]] StackActs read_stack_acts(const history::Subhistory& part);

/// By operation: a push of which a guess says that its value stays long. O(n log n).
[[nodiscard]] std::vector<bool> long_staying_pushes(const history::Subhistory& part, const StackActs& acts);

}  // namespace linchpin::types
