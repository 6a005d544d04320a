// Which transaction must come before which, as lists that only grow show it.
#pragma once

#include "types/list_append/lists.hpp"
#include "types/shared/dependencies.hpp"

namespace linchpin::types::list_append {

/// O(reads and appends).
[[nodiscard]] dependencies::Graph make_graph(const history::Subhistory& part, const Reading& reading,
                                             const Lists& lists);

}  // namespace linchpin::types::list_append
