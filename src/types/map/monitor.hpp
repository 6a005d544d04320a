// Decides the history of one key of a map in which no value is stored twice, in linear time.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::map {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);

inline constexpr core::Decider kMonitor{"map-key-monitor", "one key, unique values: chains of successful cas, linear",
                                        applicable, decide};

}  // namespace linchpin::types::map
