// Decides exchange register histories in which no value is produced twice, in linear time.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::rmw {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);

inline constexpr core::Decider kMonitor{"rmw-monitor", "unique values: chains of exchanges, linear", applicable,
                                        decide};

}  // namespace linchpin::types::rmw
