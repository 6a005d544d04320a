// Decides stack histories in which values may repeat: configurations of the window hold sets of stacks.
#pragma once

#include <memory>

#include "core/search_task.hpp"

namespace linchpin::types {

[[nodiscard]] core::Applicability stack_sets_applicable(const history::Subhistory& part);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_stack_sets(const history::Subhistory& part,
                                                                 const core::DeciderOptions& options);
[[nodiscard]] core::Outcome stack_sets_decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                              core::Budget& budget);
/// The same with another number of configurations kept at first; for tests.
[[nodiscard]] core::Outcome stack_sets_decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                              core::Budget& budget, std::size_t first_width);

inline constexpr core::Decider kStackSets{
    .name = "stack-sets",
    .summary = "repeated values: sets of stacks for each set of done operations, linear in n for a fixed window",
    .applicable = stack_sets_applicable,
    .decide = stack_sets_decide,
    .start = start_stack_sets,
};

}  // namespace linchpin::types
