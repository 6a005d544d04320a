// Operations on a lock with owners that have no linearization by themselves, from where the greedy was blocked.
//
// Whole sections: an acquire comes with its release. First the operation that was blocked, the section that stood in
// its way, and whose return made that start or end; where these few are linearizable, the last acquires and releases
// that were forced, ever more of them. Each candidate is decided again. A try_acquire whose result was lost comes with
// what tells of it, unless the core proves the violation without. Cost: a few times that of deciding.
#pragma once

#include <cstdint>
#include <vector>

#include "base/none.hpp"
#include "types/mutex/section_order.hpp"

namespace linchpin::types::mutex {

/// @pre stopped.blocked, not sections.unsure. Ascending.
[[nodiscard]] std::vector<std::uint32_t> section_core(const history::Subhistory& part, const Sections& sections,
                                                      const SectionOrder& stopped);

/// The last operation before `release`, which nothing was acquired for, in which its process let the lock go; or
/// kNone.
[[nodiscard]] std::uint32_t release_before(const history::Subhistory& part, const Sections& sections,
                                           std::uint32_t release);

}  // namespace linchpin::types::mutex
