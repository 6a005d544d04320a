// Decides set histories with boolean results, any repetition of values, in O(n log k).
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::set {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);

inline constexpr core::Decider kMonitor{
    "set-monitor", "boolean results: lazy earliest-deadline greedy, a bit an element, n log k", applicable, decide};

}  // namespace linchpin::types::set
