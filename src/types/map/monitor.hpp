// Decides the history of one key of a map in which no value is stored twice, in linear time.
#pragma once

#include <optional>

#include "algo/regularity.hpp"
#include "core/decider.hpp"

namespace linchpin::types::map {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);
/// What each operation does to the value; nothing where it is not one key of a map with the options of the monitor.
[[nodiscard]] std::optional<algo::ValueSteps> steps(const history::Subhistory& part);

inline constexpr core::Decider kMonitor{"map-key-monitor", "one key, unique values: chains of successful cas, linear",
                                        applicable, decide};

}  // namespace linchpin::types::map
