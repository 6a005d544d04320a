// Decides the history of one key of a versioned map, in linear time.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::versioned_map {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);

inline constexpr core::Decider kMonitor{
    .name = "versioned-key-monitor",
    .about = {.types = "one key of a versioned map",
              .when = "every unconditional write tells its version, or wrote a value that nobody else wrote and that "
                      "was seen",
              .method = "intervals of the moments at which versions end",
              .cost = "O(n)",
              .source = "own: src/types/versioned_map/moments.hpp"},
    .applicable = applicable,
    .at_once = decide,
};

}  // namespace linchpin::types::versioned_map
