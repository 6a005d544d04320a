// Decides stack histories in which values may repeat: configurations of the window hold sets of stacks.
#pragma once

#include <memory>

#include "core/search_task.hpp"
#include "types/shared/content_set_search.hpp"

namespace linchpin::types {

[[nodiscard]] core::Applicability stack_sets_applicable(const history::Subhistory& part);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_stack_sets(const history::Subhistory& part,
                                                                 const core::DeciderOptions& options);
struct StackSetEffort : ContentSetEffort {
  unsigned wider = 4;  ///< how often the width is doubled where values stay long, at most; less than there are values
};
/// Decides with other efforts, for tests.
[[nodiscard]] core::Outcome stack_sets_decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                              core::Budget& budget, const StackSetEffort& effort);

inline constexpr core::Decider kStackSets{
    .name = "stack-sets",
    .about = {.types = "stack",
              .when = "values repeat, or results tell heights or sizes; every pop that returned has a known result; no "
                      "push(nil)",
              .method = "a set of stacks for each set of operations that took effect",
              .cost = "O(n·2^k) sets of stacks at most",
              .source = "own: src/types/stack/set_search.cpp"},
    .applicable = stack_sets_applicable,
    .start = start_stack_sets,
    .ways = kContentSetWays,
};

}  // namespace linchpin::types
