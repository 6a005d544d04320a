// Decides append-only log histories, in O(n log k) after reading the longest result.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::log_ {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);

inline constexpr core::Decider kMonitor{"log-monitor", "no put: entries appended as late as possible, n log k",
                                        applicable, decide};

}  // namespace linchpin::types::log_
