// Decides histories of queues, deques and priority queues of java.util.concurrent that do only what a plain container
// of that kind has: it is read as one, and decided by that container's monitor.
#pragma once

#include "core/decider.hpp"
#include "history/subhistory.hpp"
#include "types/translated.hpp"

namespace linchpin::types::juc {

/// Reads a part as one of the plain container that its methods have. O(n).
[[nodiscard]] Translated translate_to_container(const history::Subhistory& part);

using ContainerDeciders = TranslatedDeciders<translate_to_container>;

inline constexpr core::Decider kAsContainer{
    .name = "java-container-monitor",
    .about = {.types = "queues, deques and PriorityBlockingQueue of java.util.concurrent",
              .when = "only methods that a queue, deque or priority queue has, and its monitor applies",
              .method = "read as that container, and decided by its monitor",
              .cost = "O(n), and that of the monitor",
              .source = "own: src/types/juc/as_container.cpp"},
    .applicable = ContainerDeciders::monitor_applicable,
    .at_once = ContainerDeciders::decide,
};

inline constexpr core::Decider kContainerSearch{
    .name = "java-container-search",
    .about = {.types = "queues, deques and PriorityBlockingQueue of java.util.concurrent",
              .when = "only methods that a queue, deque or priority queue has, and its own search applies",
              .method = "read as that container, and decided by its search",
              .cost = "O(n), and that of the search",
              .source = "own: src/types/juc/as_container.cpp"},
    .applicable = ContainerDeciders::search_applicable,
    .start = ContainerDeciders::start_search,
};

inline constexpr core::Decider kContainerConditions{
    .name = "java-container-conditions",
    .kind = core::Kind::necessary_condition,
    .about = {.types = "queues, deques and PriorityBlockingQueue of java.util.concurrent",
              .when = "only methods that a queue, deque or priority queue has, and a necessary condition of it applies",
              .method = "read as that container, and refuted by its necessary conditions",
              .cost = "O(n), and that of the conditions",
              .source = "own: src/types/juc/as_container.cpp"},
    .applicable = ContainerDeciders::condition_applicable,
    .at_once = ContainerDeciders::refute,
};

inline constexpr core::Decider kContainerLift{
    .name = "java-container-lift",
    .kind = core::Kind::lift,
    .about = {.types = "queues, deques and PriorityBlockingQueue of java.util.concurrent",
              .when = "only methods that a queue, deque or priority queue has, and its lift applies",
              .method = "read as that container, and decided by its lift",
              .cost = "O(n), and that of the lift",
              .source = "own: src/types/juc/as_container.cpp"},
    .applicable = ContainerDeciders::lift_applicable,
    .start = ContainerDeciders::start_lift,
};

}  // namespace linchpin::types::juc
