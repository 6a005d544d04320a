// Which operations and annotations of a history a page shows, where it must not show all: those that the verdict speaks
// of, and what is near them in time.
#pragma once

#include <cstddef>
#include <vector>

#include "history/events.hpp"
#include "linchpin/explanation.hpp"
#include "linchpin/history.hpp"
#include "linchpin/verdict.hpp"

namespace linchpin::explain::page {

/// Cores, their contexts, the orders that were tried, what is blocked and what contradicts a supplied order: ascending.
[[nodiscard]] std::vector<OperationIndex> spoken_of(const HistoryVerdict& verdict, const Explanation& explanation);

/// True for each operation that is shown: those spoken of, however many these are, and the nearest others, up to `most`
/// operations in all. Near is what is called few events before or after an event of one that is spoken of; where none
/// is, what is called first. O(n log k), k operations spoken of.
[[nodiscard]] std::vector<bool> shown_operations(const History& history,
                                                 const std::vector<history::HistoryEvent>& events,
                                                 const std::vector<OperationIndex>& spoken, std::size_t most);

/// The indices, ascending, of the at most `most` annotations that begin or end nearest to an operation that is spoken
/// of; where none is, of the first. O(m log k).
[[nodiscard]] std::vector<std::size_t> shown_annotations(const History& history,
                                                         const std::vector<OperationIndex>& spoken, std::size_t most);

}  // namespace linchpin::explain::page
