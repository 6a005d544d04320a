// Decides priority queues in which values repeat, by a search over which operations took effect
// (types/content_search.hpp).
#pragma once

#include "types/content_search.hpp"

namespace linchpin::types::priority_queue {

[[nodiscard]] ContentHistory read_contents(const history::Subhistory& part);

inline constexpr core::Decider kContents =
    ContentDecider<read_contents>::named("priority-queue-contents", "priority-queue");

}  // namespace linchpin::types::priority_queue
