// Decides sets that are looked at as a whole, by a search over which operations took effect (types/content_search.hpp).
#pragma once

#include "types/content_search.hpp"

namespace linchpin::types::set {

[[nodiscard]] ContentHistory read_contents(const history::Subhistory& part);

inline constexpr core::Decider kContents = ContentDecider<read_contents>::named("set-contents", "set");

}  // namespace linchpin::types::set
