// Decides histories of a mutex without owners, in O(n log k).
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::mutex {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);

inline constexpr core::Decider kMonitor{"mutex-monitor", "no owners: lazy earliest-deadline greedy on one bit, n log k",
                                        applicable, decide};

}  // namespace linchpin::types::mutex
