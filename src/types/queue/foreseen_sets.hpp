// A search for queues whose values repeat and whose size is told, which keeps sets of contents and foresees what
// leaves.
//
// What a set of done operations leaves open is the order of the values inside. In which order two values entered often
// shows a hundred operations later, so that a search which keeps single contents is stuck where none of them has the
// right order, and no width helps. So all orders are kept, in one set for each mask (shared/deque_sets.hpp,
// shared/content_set_search.hpp). When a value enters, it is known which dequeue takes it (leaving_order.hpp): orders
// in which the values cannot leave are left out at once, and sets stay small.
//
// Before the response of x another operation is done only if it may be needed for x, or for something that is open and
// looks at the front or at the number. At first few masks are kept, the most promising.
//
// A way to the end is a linearization. That there is none proves nothing, since the leaving order is a guess about
// equal values. Cost: O(width * k) steps on sets a response where few are enough. Source: own. Compare:
// mended_order.hpp (changes one order of the values), position_search.hpp (no sizes). Tests: counted_queue_test.cpp.
#pragma once

#include <memory>

#include "core/search_task.hpp"
#include "types/queue/counted.hpp"

namespace linchpin::types::queue {

/// Says `not_applicable` where it finds nothing. At most 1,024 operations may be open at once. `history` without
/// obstacle but repeated values.
[[nodiscard]] std::unique_ptr<core::SearchTask> start_foreseen_sets(const history::Subhistory& part,
                                                                    CountedHistory history,
                                                                    const core::DeciderOptions& options);

}  // namespace linchpin::types::queue
