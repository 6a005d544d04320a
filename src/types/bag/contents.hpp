// Decides bags in which values repeat, by a search over which operations took effect (types/content_search.hpp).
#pragma once

#include "types/content_search.hpp"

namespace linchpin::types::bag {

[[nodiscard]] ContentHistory read_contents(const history::Subhistory& part);

inline constexpr core::Decider kContents = ContentDecider<read_contents>::named("bag-contents", "bag");

}  // namespace linchpin::types::bag
