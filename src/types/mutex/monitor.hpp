// Decides histories of a mutex without owners, in O(n log k).
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::mutex {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);

inline constexpr core::Decider kMonitor{
    .name = "mutex-monitor",
    .about = {.types = "mutex without owners",
              .when = "try_acquire tells whether it succeeded",
              .method = "each change of the lock as late as possible",
              .cost = "O(n log k)",
              .source = "own: src/algo/bits.hpp"},
    .applicable = applicable,
    .at_once = decide,
};

}  // namespace linchpin::types::mutex
