// Decides the history of one key of a map in which no value is stored twice, and which is removed any number of times.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::map {

[[nodiscard]] core::Applicability removal_applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome removal_decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                           core::Budget& budget);

inline constexpr core::Decider kRemovalMonitor{
    .name = "map-removal-monitor",
    .about = {.types = "one key of a map",
              .when = "no value is stored twice, texts may be appended as for map-append-monitor, and the key may be "
                      "removed; may be left to the search where results say only that something was there",
              .method = "chains of values; what is left acts as late as it can",
              .cost = "O(n log n)",
              .source = "own: src/algo/chains_with_absence.hpp"},
    .applicable = removal_applicable,
    .at_once = removal_decide,
};

}  // namespace linchpin::types::map
