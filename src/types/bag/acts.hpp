// What the operations of a bag do.
#pragma once

#include "history/acts.hpp"
#include "history/subhistory.hpp"

namespace linchpin::types::bag {

[[nodiscard]] Act act_of(const Operation& operation, bool pending);

/// The acts of a whole part. O(n).
[[nodiscard]] history::Acts read_acts(const history::Subhistory& part);

}  // namespace linchpin::types::bag
