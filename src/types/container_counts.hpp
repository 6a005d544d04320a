// Refutes histories of containers by numbers alone: what was taken and seen had been put in, and often enough.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types {

[[nodiscard]] core::Applicability container_counts_applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome refute_by_container_counts(const history::Subhistory& part,
                                                       const core::DeciderOptions& options, core::Budget& budget);

inline constexpr core::Decider kContainerCounts{
    .name = "container-counts",
    .kind = core::Kind::necessary_condition,
    .about = {.types = "queue, stack, deque, priority queue, bag",
              .when = "what is put in can be told by results; refutes, or says nothing",
              .method = "no value is taken or seen before it was put in often enough, and none is missing that others "
                        "cannot have taken; nor is the number of all values",
              .cost = "O(n)",
              .source = "own: src/types/container_counts.cpp"},
    .applicable = container_counts_applicable,
    .at_once = refute_by_container_counts,
};

}  // namespace linchpin::types
