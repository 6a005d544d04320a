// Operations that only look at the store and belong into a core, because without them the rest is no violation.
// Tests: mvcc_kv_monitor_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/budget.hpp"
#include "history/subhistory.hpp"

namespace linchpin::types::mvcc_kv {

/// The core with those looks that prove it together with all that changes something. Looks at revisions near the given
/// one are taken first, more and more of them, and then halves, quarters, ... of them are left out again. As it was,
/// where no thousand looks do, or there was no time. Ascending. Cost: some dozens of calls of `violates`, for as long
/// as the check took so far.
/// @param violates  whether a part is a violation for sure
[[nodiscard]] std::vector<std::uint32_t> with_needed_looks(
    const history::Subhistory& part, std::vector<std::uint32_t> core, std::int64_t revision,
    const std::function<bool(const history::Subhistory&)>& violates, core::Budget& budget);

}  // namespace linchpin::types::mvcc_kv
