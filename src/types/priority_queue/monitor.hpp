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
    .summary = "no value inserted twice: close the covers of better values class by class, O(n log n)",
    .applicable = &priority_queue_monitor_applicable,
    .decide = &priority_queue_monitor_decide,
};

}  // namespace linchpin::types
