// Decides the history of one key of a map to which texts are appended, each text written once, in linear time.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::map {

[[nodiscard]] core::Applicability append_applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome append_decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                          core::Budget& budget);

inline constexpr core::Decider kAppendMonitor{
    .name = "map-append-monitor",
    .about = {.types = "one key of a map",
              .when = "texts are appended; each text is written once, none begins another one (or none ends another "
                      "one), and the key is never removed",
              .method = "contents that begin alike are one chain, those that nobody saw are writes",
              .cost = "O(n + length of all texts that differ)",
              .source = "own: src/types/map/appended.cpp"},
    .applicable = append_applicable,
    .at_once = append_decide,
};

}  // namespace linchpin::types::map
