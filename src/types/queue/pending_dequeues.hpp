// What pending dequeues may have removed, if a history is not that of a queue without them.
#pragma once

#include "core/decider.hpp"
#include "types/queue/values.hpp"

namespace linchpin::types::queue {

/// Decides a history with pending dequeues and values that nobody dequeued. Exact where none of these values was
/// peeked; else a violation and a linearization are certain, and what is left is unknown. O(n), and O(k log k) for k
/// such values.
[[nodiscard]] core::Outcome settle(const Values& values, bool witness, core::Budget& budget);

}  // namespace linchpin::types::queue
