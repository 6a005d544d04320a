// Decides set histories with boolean results, any repetition of values, in O(n log k).
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::set {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);

inline constexpr core::Decider kMonitor{
    .name = "set-monitor",
    .about = {.types = "set",
              .when = "add, remove and contains tell whether the element was there; elements may repeat",
              .method = "each change of an element as late as possible",
              .cost = "O(n log k)",
              .source = "own: src/algo/bits.hpp"},
    .applicable = applicable,
    .at_once = decide,
};

}  // namespace linchpin::types::set
