// A cycle of dependencies made shorter: lists show the order of transactions that are no neighbours in them, too.
// Tests: list_append_monitor_test.cpp.
#pragma once

#include "types/list_append/lists.hpp"
#include "types/list_append/reading.hpp"
#include "types/list_append/showing.hpp"
#include "types/shared/cycle.hpp"

namespace linchpin::types::list_append {

/// A cycle with dependencies of the kinds that its name allows, of the transactions that were met and those that were
/// open meanwhile (of up to 4,096): of the cheapest ones through each the one with the smallest core. O(n * steps) for
/// n transactions with so many reads and appends, up to 50 million; no more than two million for six transactions.
[[nodiscard]] dependencies::Cycle shorten(const history::Subhistory& part, const Reading& reading, const Lists& lists,
                                          const Showing& showing, const dependencies::Cycle& cycle);

}  // namespace linchpin::types::list_append
