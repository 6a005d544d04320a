// Decides semaphores whose counts are read, by a search over which operations took effect (types/content_search.hpp).
#pragma once

#include "types/content_search.hpp"
#include "types/count_path_search.hpp"

namespace linchpin::types::semaphore {

[[nodiscard]] ContentHistory read_contents(const history::Subhistory& part);

inline constexpr core::Decider kPaths = CountPathDecider<read_contents>::named("semaphore-paths", "semaphore");
inline constexpr core::Decider kContents = ContentDecider<read_contents>::named("semaphore-contents", "semaphore");

}  // namespace linchpin::types::semaphore
