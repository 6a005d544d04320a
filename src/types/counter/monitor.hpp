// Decides counter histories in which every change is by the same amount, in O(n log k).
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::counter {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);

inline constexpr core::Decider kMonitor{
    .name = "counter-monitor",
    .about = {.types = "counter",
              .when = "all additions add the same amount",
              .method = "each step as late as possible",
              .cost = "O(n log k)",
              .source = "own: src/types/counter/monitor.cpp"},
    .applicable = applicable,
    .at_once = decide,
};

}  // namespace linchpin::types::counter
