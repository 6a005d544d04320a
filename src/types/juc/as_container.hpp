// Decides histories of queues, deques and priority queues of java.util.concurrent that do only what a plain container
// of that kind has: it is read as one, and decided by that container's monitor.
#pragma once

#include <memory>

#include "core/search_task.hpp"

namespace linchpin::types::juc {

[[nodiscard]] core::Applicability applicable_as_container(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide_as_container(const history::Subhistory& part, const core::DeciderOptions& options,
                                                core::Budget& budget);
[[nodiscard]] core::Applicability container_search_applicable(const history::Subhistory& part);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_container_search(const history::Subhistory& part,
                                                                       const core::DeciderOptions& options);
[[nodiscard]] core::Applicability container_lift_applicable(const history::Subhistory& part);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_container_lift(const history::Subhistory& part,
                                                                     const core::DeciderOptions& options);

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

inline constexpr core::Decider kContainerSearch{
    .name = "java-container-search",
    .about = {.types = "queues, deques and PriorityBlockingQueue of java.util.concurrent",
              .when = "only methods that a queue, deque or priority queue has, and its own search applies",
              .method = "read as that container, and decided by its search",
              .cost = "O(n), and that of the search",
              .source = "own: src/types/juc/as_container.cpp"},
    .applicable = container_search_applicable,
    .start = start_container_search,
};

inline constexpr core::Decider kContainerLift{
    .name = "java-container-lift",
    .kind = core::Kind::lift,
    .about = {.types = "queues, deques and PriorityBlockingQueue of java.util.concurrent",
              .when = "only methods that a queue, deque or priority queue has, and its lift applies",
              .method = "read as that container, and decided by its lift",
              .cost = "O(n), and that of the lift",
              .source = "own: src/types/juc/as_container.cpp"},
    .applicable = container_lift_applicable,
    .start = start_container_lift,
};

}  // namespace linchpin::types::juc
