// Decides histories of a mutex with owners, in O(n log k).
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::mutex {

[[nodiscard]] core::Applicability owners_applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide_owners(const history::Subhistory& part, const core::DeciderOptions& options,
                                          core::Budget& budget);

inline constexpr core::Decider kOwnerMonitor{
    .name = "mutex-owner-monitor",
    .about = {.types = "mutex with owners",
              .when = "one operation of a process at a time; may be left to the search where several results of "
                      "try_acquire in a row were lost",
              .method = "sections in the order of the moments at which they certainly hold the lock",
              .cost = "O(n log k)",
              .source = "own: docs/design/monitors.md"},
    .applicable = owners_applicable,
    .at_once = decide_owners,
};

}  // namespace linchpin::types::mutex
