// Decides counter histories in which every change is by the same amount, in O(n log k).
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::counter {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);

inline constexpr core::Decider kMonitor{"counter-monitor", "one amount: steps as late as possible, n log k", applicable,
                                        decide};

}  // namespace linchpin::types::counter
