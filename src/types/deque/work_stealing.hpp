// Decides histories of work-stealing deques: one owner at the back, whose operations follow each other, and thieves.
//
// steals.hpp has the criterion. Compare: monitor.hpp, which needs no owner, but branches on pending steals. Cost O(n).
// Source: own; proof in docs/design/monitors.md, deques. Tests: work_stealing_test.cpp.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::deque {

[[nodiscard]] core::Applicability work_stealing_applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome work_stealing_decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                                 core::Budget& budget);

inline constexpr core::Decider kWorkStealing{
    .name = "deque-work-stealing",
    .about = {.types = "deque work-stealing=yes",
              .when = "no value is pushed twice; operations at the back follow each other; no looks; pending steals of "
                      "unknown result not together with values that nobody took and thieves that found nothing",
              .method = "the owner's program gives the orders, earliest times decide",
              .cost = "O(n)",
              .source = "own: docs/design/monitors.md"},
    .applicable = work_stealing_applicable,
    .at_once = work_stealing_decide,
};

}  // namespace linchpin::types::deque
