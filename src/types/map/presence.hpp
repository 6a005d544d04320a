// Decides one key of a map where only its presence matters, any repetition, in O(n log k).
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::map {

[[nodiscard]] core::Applicability presence_applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome presence_decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                            core::Budget& budget);

inline constexpr core::Decider kPresenceMonitor{
    "map-presence-monitor", "one key that is only asked for, stored if absent and removed: a bit, n log k",
    presence_applicable, presence_decide};

}  // namespace linchpin::types::map
