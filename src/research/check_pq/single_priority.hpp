// What each value, and each two values of one priority, must keep by themselves: a queue's order (appendix D.1). The
// lemmas about graphs take it for granted.
//
// Violated iff (1) rm(b) happens before put(b), or (4) put(a) happens before put(b), b is removed, and a is not, or
// rm(b) happens before rm(a). (Cases 2 and 3, removed without a put and removed twice, are found by the reading.)
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "research/check_pq/execution.hpp"

namespace linchpin::research::check_pq {

/// The values a and b of case 4, or b twice for case 1.
[[nodiscard]] std::optional<std::pair<std::uint32_t, std::uint32_t>> single_priority_violation(
    const Projection& projection);

}  // namespace linchpin::research::check_pq
