// Decides histories of queues, deques and priority queues of java.util.concurrent that do only what a plain container
// of that kind has: it is read as one, and decided by that container's monitor.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::juc {

[[nodiscard]] core::Applicability applicable_as_container(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide_as_container(const history::Subhistory& part, const core::DeciderOptions& options,
                                                core::Budget& budget);

inline constexpr core::Decider kAsContainer{
    .name = "java-container-monitor",
    .about = {.types = "queues, deques and PriorityBlockingQueue of java.util.concurrent",
              .when = "only methods that a queue, deque or priority queue has, and its monitor applies",
              .method = "read as that container, and decided by its monitor",
              .cost = "O(n), and that of the monitor",
              .source = "own: src/types/juc/as_container.cpp"},
    .applicable = applicable_as_container,
    .at_once = decide_as_container,
};

}  // namespace linchpin::types::juc
