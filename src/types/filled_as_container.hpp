// Containers that hold values at first, decided as containers that these were put into.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types {

/// The first monitor of the container that decides in one go.
[[nodiscard]] core::Applicability filled_monitor_applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide_filled(const history::Subhistory& part, const core::DeciderOptions& options,
                                          core::Budget& budget);
/// The first search of the container.
[[nodiscard]] core::Applicability filled_search_applicable(const history::Subhistory& part);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_filled_search(const history::Subhistory& part,
                                                                    const core::DeciderOptions& options);
/// The container's lift.
[[nodiscard]] core::Applicability filled_lift_applicable(const history::Subhistory& part);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_filled_lift(const history::Subhistory& part,
                                                                  const core::DeciderOptions& options);

inline constexpr core::Decider kFilledMonitor{
    .name = "filled-container-monitor",
    .about = {.types = "containers that hold values at first",
              .when = "a monitor of the container applies where these are put in before",
              .method = "read as the container that these were put into, and decided by its monitor",
              .cost = "O(n), and that of the monitor",
              .source = "own: src/types/filled_as_container.cpp"},
    .applicable = filled_monitor_applicable,
    .at_once = decide_filled,
};

inline constexpr core::Decider kFilledSearch{
    .name = "filled-container-search",
    .about = {.types = "containers that hold values at first",
              .when = "a search of the container applies where these are put in before",
              .method = "read as the container that these were put into, and decided by its search",
              .cost = "O(n), and that of the search",
              .source = "own: src/types/filled_as_container.cpp"},
    .applicable = filled_search_applicable,
    .start = start_filled_search,
};

inline constexpr core::Decider kFilledLift{
    .name = "filled-container-lift",
    .kind = core::Kind::lift,
    .about = {.types = "containers that hold values at first",
              .when = "the container's lift applies where these are put in before",
              .method = "read as the container that these were put into, and decided by its lift",
              .cost = "O(n), and that of the lift",
              .source = "own: src/types/filled_as_container.cpp"},
    .applicable = filled_lift_applicable,
    .start = start_filled_lift,
};

}  // namespace linchpin::types
