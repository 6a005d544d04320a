// Containers that hold values at first, decided as containers that these were put into.
#pragma once

#include "core/decider.hpp"
#include "history/subhistory.hpp"
#include "types/translated.hpp"

namespace linchpin::types {

/// Reads a container that holds values at first as one that these are put into. O(n).
[[nodiscard]] Translated translate_filled(const history::Subhistory& part);

using FilledDeciders = TranslatedDeciders<translate_filled>;

inline constexpr core::Decider kFilledMonitor{
    .name = "filled-container-monitor",
    .about = {.types = "containers that hold values at first",
              .when = "a monitor of the container applies where these are put in before",
              .method = "read as the container that these were put into, and decided by its monitor",
              .cost = "O(n), and that of the monitor",
              .source = "own: src/types/filled_as_container.cpp"},
    .applicable = FilledDeciders::monitor_applicable,
    .at_once = FilledDeciders::decide,
};

inline constexpr core::Decider kFilledSearch{
    .name = "filled-container-search",
    .about = {.types = "containers that hold values at first",
              .when = "a search of the container applies where these are put in before",
              .method = "read as the container that these were put into, and decided by its search",
              .cost = "O(n), and that of the search",
              .source = "own: src/types/filled_as_container.cpp"},
    .applicable = FilledDeciders::search_applicable,
    .start = FilledDeciders::start_search,
};

inline constexpr core::Decider kFilledConditions{
    .name = "filled-container-conditions",
    .kind = core::Kind::necessary_condition,
    .about = {.types = "containers that hold values at first",
              .when = "a necessary condition of the container applies where these are put in before",
              .method = "read as the container that these were put into, and refuted by its necessary conditions",
              .cost = "O(n), and that of the conditions",
              .source = "own: src/types/filled_as_container.cpp"},
    .applicable = FilledDeciders::condition_applicable,
    .at_once = FilledDeciders::refute,
};

inline constexpr core::Decider kFilledLift{
    .name = "filled-container-lift",
    .kind = core::Kind::lift,
    .about = {.types = "containers that hold values at first",
              .when = "the container's lift applies where these are put in before",
              .method = "read as the container that these were put into, and decided by its lift",
              .cost = "O(n), and that of the lift",
              .source = "own: src/types/filled_as_container.cpp"},
    .applicable = FilledDeciders::lift_applicable,
    .start = FilledDeciders::start_lift,
};

}  // namespace linchpin::types
