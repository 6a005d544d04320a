// Where a walk by position may begin although what was before is unknown.
//
// What can be placed up to a position: as many enqueues as dequeues, of each value alike. For each conceivable number
// of each value there is one start that is at least as good as every node with these numbers (position_memo.hpp),
// whether it can be reached or not:
//   enqueues, dequeues   of each value those that respond first, among those called before the least response R that is
//                        not placed then
//   peeks, empties       all that were called before the least responses that bound them: once placed they ask nothing
//   mx                   of the dequeues that are placed by all nodes alone
// Conceivable numbers: an operation is certainly placed when at most `position` of its kind were called before it
// responded, and certainly not when `position` of its kind or more responded before it was called.
//
// Why R may leave out what was called after it: whatever is placed in a node was called before the least response that
// is not placed there, and none with these numbers has a greater one. So where no way leads on from any of these
// starts, the history is not linearizable. Source: docs/design/search.md, positions.
#pragma once

#include <cstdint>
#include <optional>

#include "types/queue/position_walk.hpp"

namespace linchpin::types::queue {

/// Starts for a walk from `position` on; nothing where there are too many, or pending dequeues with lost results. O(n).
[[nodiscard]] std::optional<PositionStarts> position_starts(const PositionWalk& walk, std::uint32_t position);

}  // namespace linchpin::types::queue
