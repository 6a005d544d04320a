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

inline constexpr core::Decider kMonitor{
    .name = "map-key-monitor",
    .about = {.types = "one key of a map",
              .when = "no value is stored twice, and the key is never removed; may be left to the search where a "
                      "failure overlaps a write",
              .method = "chains of writes and successful compare-and-sets",
              .cost = "O(n), O(n log n) with failures",
              .source = "own: src/types/map/monitor.cpp"},
    .applicable = applicable,
    .at_once = decide,
};

}  // namespace linchpin::types::map
