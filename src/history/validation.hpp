// What every history has to satisfy, whichever way it came about: the builder's checks, also for whole columns.
#pragma once

#include "linchpin/error.hpp"
#include "linchpin/history.hpp"

namespace linchpin::history {

/// Errors with the operation's place: bad_arguments (one is unknown); response_before_call; overlapping_operations;
/// after_pending. See HistoryBuilder::build. One pass where the calls are in order of ticks, else O(n log n).
[[nodiscard]] Result<void> check_operations(const History& history);

}  // namespace linchpin::history
