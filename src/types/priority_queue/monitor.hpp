// Decides priority queue histories in which no value is inserted twice, with looks, empties and pending operations.
//
// Smallest or largest first; equal priorities in any order or in order of insertion. Cost O(n log64 n) after numbering
// the priorities (O(n log n) with ties=fifo); with pending removes whose result is unknown see
// types/pending_removes.hpp. Compare: decide/search, which takes any history.
// Source: check.hpp and fifo_classes.hpp; the criterion generalises those known for total orders without looks.
// Tests: priority_queue_monitor_test.cpp.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types {

[[nodiscard]] core::Applicability priority_queue_monitor_applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome priority_queue_monitor_decide(const history::Subhistory& part,
                                                          const core::DeciderOptions& options, core::Budget& budget);

inline constexpr core::Decider kPriorityQueueMonitor{
    .name = "priority-queue-monitor",
    .about = {.types = "priority-queue",
              .when = "no value is inserted twice; priorities may be partially ordered; size and is_empty only with "
                      "the answer that nothing is there; a capacity only where it cannot have been reached",
              .method = "the times covered by better values are closed, class by class",
              .cost = "O(n log n), O(n·k) at worst for k incomparable priorities of three components or more",
              .source = "Bouajjani, Enea, Wang, 2017; decrease and conquer; own for partial orders: "
                        "src/types/priority_queue/open_gaps.hpp"},
    .applicable = &priority_queue_monitor_applicable,
    .at_once = &priority_queue_monitor_decide,
};

}  // namespace linchpin::types
