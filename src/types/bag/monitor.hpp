// Decides bag histories in which no value that something found missing is added twice, in O(n).
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::bag {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);

inline constexpr core::Decider kMonitor{
    "bag-monitor", "values that are found missing are added once: sums by value and one sweep, n", applicable, decide};

}  // namespace linchpin::types::bag
