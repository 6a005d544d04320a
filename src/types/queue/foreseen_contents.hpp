// A search for queues whose values repeat and whose size is told, which keeps few contents and foresees what leaves.
//
// A configuration is the open operations that are done and the sequence of all values that were enqueued: what is
// inside is its end. When a value enters, it is known which dequeue takes it (leaving_order.hpp), so a sequence that
// cannot leave so is left out at once. Operations that change nothing are done as soon as they are legal.
//
// Before the response of x another operation is done only if it may be needed for x, or for something that is open and
// looks at the front or at the number. Of configurations after x, those are left out to which another one leads by one
// operation that it can do later. Of the rest a few are kept, the most promising (algo/frontier/narrowing.hpp).
//
// A way to the end is a linearization. That there is none proves nothing, since contents are compared by 64 bits.
// Cost: O(width * k) a response where few are enough. Source: own. Compare: mended_order.hpp (changes one order of the
// values), position_search.hpp (no sizes). Tests: counted_queue_test.cpp.
#pragma once

#include <memory>

#include "core/search_task.hpp"
#include "types/queue/counted.hpp"

namespace linchpin::types::queue {

/// Says `not_applicable` where it finds nothing. At most 1,024 operations may be open at once. `history` without
/// obstacle but repeated values.
[[nodiscard]] std::unique_ptr<core::SearchTask> start_foreseen_contents(const history::Subhistory& part,
                                                                        CountedHistory history,
                                                                        const core::DeciderOptions& options);

}  // namespace linchpin::types::queue
