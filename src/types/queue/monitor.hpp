// Decides queue histories in which no value is enqueued twice, in linear time after ranking.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::queue {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);

inline constexpr core::Decider kMonitor{
    .name = "queue-monitor",
    .about =
        {.types = "queue",
         .when =
             "no value is enqueued twice; no capacity; size and is_empty only with the answer that nothing is there",
         .method = "prefix maxima over the events",
         .cost = "O(n)",
         .source =
             "decrease and conquer, Definition 6.1; own for operations that found it empty: docs/design/monitors.md"},
    .applicable = applicable,
    .at_once = decide,
};

}  // namespace linchpin::types::queue
