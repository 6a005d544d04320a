// Whether values can pass through a queue as their operations say: the heart of the monitor.
#pragma once

#include <optional>
#include <vector>

#include "types/queue/conflict.hpp"
#include "types/queue/values.hpp"

namespace linchpin::types::queue {

/// A cycle of values, or an operation that found the queue empty and cannot have; nothing where the history is
/// linearizable without its pending dequeues, and then `empties` says when the queue may have been empty, by gap.
[[nodiscard]] std::optional<Conflict> find_conflict(const Values& values, std::vector<PlacedEmpty>& empties);

}  // namespace linchpin::types::queue
