// Decides queue histories in which no value is enqueued twice, in linear time after ranking.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::queue {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);

inline constexpr core::Decider kMonitor{
    "queue-monitor", "unique values: prefix maxima over the events, linear; decrease and conquer, Definition 6.1",
    applicable, decide};

}  // namespace linchpin::types::queue
