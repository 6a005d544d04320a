// Decides the history of one index of an array in which no value is stored twice.
#pragma once

#include <optional>

#include "algo/regularity.hpp"
#include "core/decider.hpp"

namespace linchpin::types::array {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);
/// What each operation does to the value; nothing where it is not one index of an array.
[[nodiscard]] std::optional<algo::ValueSteps> steps(const history::Subhistory& part);

inline constexpr core::Decider kMonitor{
    .name = "array-element-monitor",
    .about = {.types = "one element of an array",
              .when = "no value is written twice, nor the initial one; may be left to the search where a failure "
                      "overlaps a write",
              .method = "chains of writes and compare-and-sets",
              .cost = "O(n), O(n log n) with failures",
              .source = "own: src/types/array/monitor.cpp"},
    .applicable = applicable,
    .at_once = decide,
};

}  // namespace linchpin::types::array
