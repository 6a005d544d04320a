// Decides deque histories in which no value is pushed twice, with empty answers and pending operations.
//
// Two stacks and a queue between them (check.hpp, flows.hpp). Pending pops of unknown or promised result are assigned
// by branching on cores (types/pending_removes.hpp). A look is followed where its value is pushed and popped at the end
// at which it looks. Cost O(n log n) a round over the flows (flows.hpp). Compare: pair_search.hpp, a search that
// follows all looks and sizes. Source: own; proof in docs/design/monitors.md, deques. Tests: deque_monitor_test.cpp.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::deque {

[[nodiscard]] core::Applicability monitor_applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome monitor_decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                           core::Budget& budget);

inline constexpr core::Decider kMonitor{
    .name = "deque-monitor",
    .about = {.types = "deque",
              .when =
                  "no value is pushed twice; no look from an end at which its value was not pushed or not popped; "
                  "size and is_empty only with the answer that nothing is there; a capacity only where it cannot have "
                  "been reached",
              .method = "two stacks, and a queue whose direction turns when it is empty",
              .cost = "O(n log n) a round, two or three in practice",
              .source = "own: docs/design/monitors.md"},
    .applicable = monitor_applicable,
    .at_once = monitor_decide,
};

}  // namespace linchpin::types::deque
