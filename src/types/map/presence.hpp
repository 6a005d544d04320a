// Decides one key of a map where only its presence matters, any repetition, in O(n log k).
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::map {

[[nodiscard]] core::Applicability presence_applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome presence_decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                            core::Budget& budget);

inline constexpr core::Decider kPresenceMonitor{
    .name = "map-presence-monitor",
    .about = {.types = "one key of a map",
              .when = "results tell only whether the key is there: contains, put_if_absent, remove and replace with "
                      "yes or no; values may repeat",
              .method = "each change of the key as late as possible",
              .cost = "O(n log k)",
              .source = "own: src/algo/bits.hpp"},
    .applicable = presence_applicable,
    .at_once = presence_decide,
};

}  // namespace linchpin::types::map
