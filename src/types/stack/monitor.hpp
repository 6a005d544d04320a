// Decides stack histories in which no value is pushed twice, with looks, empties and pending operations.
//
// Cost O(n log16 n); with pending pops whose result is unknown see types/pending_removes.hpp. Compare: decide/search,
// which takes any history. README.md beside this file says what a stack is. Source: elimination of unambiguous stack
// histories (decrease and conquer: a value whose operations can wrap all others goes first); the near-linear form with
// holders and segments is our own, see elimination.hpp. Tests: stack_monitor_test.cpp.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types {

[[nodiscard]] core::Applicability stack_monitor_applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome stack_monitor_decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                                 core::Budget& budget);

inline constexpr core::Decider kStackMonitor{
    .name = "stack-monitor",
    .about = {.types = "stack",
              .when =
                  "no value is pushed twice; no heights; size and is_empty only with the answer that nothing is there",
              .method = "values are eliminated from the bottom up",
              .cost = "O(n log n)",
              .source = "decrease and conquer; own: docs/design/monitors.md"},
    .applicable = &stack_monitor_applicable,
    .at_once = &stack_monitor_decide,
};

}  // namespace linchpin::types
