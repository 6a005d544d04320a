// Decides bag histories in which no value that something found missing is added twice, in O(n).
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::bag {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);

inline constexpr core::Decider kMonitor{
    .name = "bag-monitor",
    .about = {.types = "bag",
              .when = "no value that is added twice is found missing",
              .method = "sums by value and one sweep",
              .cost = "O(n)",
              .source = "own: src/types/bag/monitor.cpp"},
    .applicable = applicable,
    .at_once = decide,
};

}  // namespace linchpin::types::bag
