// Decides streams whose appends tell their tails, by what can fill the holes between.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::stream {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);

inline constexpr core::Decider kMonitor{
    .name = "stream-monitor",
    .about = {.types = "stream",
              .when = "every append that returned tells its tail or that it failed; may be left to the search where "
                      "many lost appends without a position to match fit",
              .method = "layers by tail: known operations have places, lost appends fill the holes between",
              .cost = "O(n log n) where lost appends have a position to match; exponential in those without",
              .source = "own: src/types/stream/monitor.cpp"},
    .applicable = applicable,
    .at_once = decide,
};

}  // namespace linchpin::types::stream
