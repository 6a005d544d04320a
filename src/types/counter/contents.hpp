// Decides counters whose changes differ, by a search over which operations took effect (types/content_search.hpp).
#pragma once

#include "types/content_search.hpp"
#include "types/count_path_search.hpp"

namespace linchpin::types::counter {

[[nodiscard]] ContentHistory read_contents(const history::Subhistory& part);

inline constexpr core::Decider kPaths = CountPathDecider<read_contents>::named("counter-paths", "counter");
inline constexpr core::Decider kContents = ContentDecider<read_contents>::named("counter-contents", "counter");

}  // namespace linchpin::types::counter
