// Decides append-only log histories, in O(n log k) after reading the longest result.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::log_ {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);

inline constexpr core::Decider kMonitor{
    .name = "log-monitor",
    .about = {.types = "log",
              .when = "no put; where an entry is appended more often than it was seen and there are places that nobody "
                      "saw, all appends that do not say where they are are pending",
              .method = "each entry appended as late as possible",
              .cost = "O(n log k)",
              .source = "own: src/types/log/monitor.cpp"},
    .applicable = applicable,
    .at_once = decide,
};

}  // namespace linchpin::types::log_
