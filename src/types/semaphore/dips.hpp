// Decides semaphore histories by where the count comes down to zero.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::semaphore {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);

inline constexpr core::Decider kDips{
    .name = "semaphore-dips",
    .about = {.types = "semaphore",
              .when = "no count above zero is read; no result of a decrement was lost",
              .method = "the only choice is when to go down to zero",
              .cost = "O(n·k) configurations in practice",
              .source = "own: src/types/semaphore/dips.cpp"},
    .applicable = applicable,
    .at_once = decide,
};

}  // namespace linchpin::types::semaphore
