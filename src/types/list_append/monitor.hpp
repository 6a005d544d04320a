// Decides histories of list-append transactions in which no element is appended to a key twice.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::list_append {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);

inline constexpr core::Decider kMonitor{
    .name = "list-append-monitor",
    .about = {.types = "list-append",
              .when = "no element is appended to a key twice",
              .method = "dependencies that the lists show, sorted topologically",
              .cost = "O(n + length of all lists)",
              .source = "after Adya and Elle; own: src/types/list_append/monitor.cpp"},
    .applicable = applicable,
    .at_once = decide,
};

}  // namespace linchpin::types::list_append
