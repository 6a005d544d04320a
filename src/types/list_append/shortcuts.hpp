// A cycle of dependencies made shorter: lists show the order of transactions that are no neighbours in them, too.
// Tests: list_append_monitor_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "types/list_append/lists.hpp"
#include "types/list_append/reading.hpp"
#include "types/shared/cycle.hpp"

namespace linchpin::types::list_append {

/// Its transactions, and those that read what shows the order of appends, ascending.
[[nodiscard]] std::vector<std::uint32_t> core_of(const Reading& reading, const Lists& lists,
                                                 const dependencies::Cycle& cycle);

/// A cycle of the transactions that were met, with dependencies of the kinds that its name allows: of the shortest ones
/// through each the one with the smallest core. One of more than 128 stays as it is. O(n^3 + n * length of the lists)
/// for n transactions.
[[nodiscard]] dependencies::Cycle shorten(const history::Subhistory& part, const Reading& reading, const Lists& lists,
                                          const dependencies::Cycle& cycle);

}  // namespace linchpin::types::list_append
