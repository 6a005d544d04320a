// What pending dequeues may have removed, where a history is no queue's without them.
#pragma once

#include "core/decider.hpp"
#include "types/queue/conflict.hpp"
#include "types/queue/values.hpp"

namespace linchpin::types::queue {

/// The check failed without the pending dequeues; values were never dequeued. Exact where nothing was found empty and
/// no such value was peeked: then the values forced to leave are known and their number is least, and of two that may
/// go, the one with the smaller Y blocks all that the other blocks.
[[nodiscard]] core::Outcome settle(Values& values, const Conflict& conflict, bool witness, core::Budget& budget);

}  // namespace linchpin::types::queue
