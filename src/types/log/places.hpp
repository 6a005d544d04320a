// Decides append-only log histories whose entries repeat, with places that nobody saw: a search over who is there.
#pragma once

#include <memory>

#include "core/search_task.hpp"

namespace linchpin::types::log_ {

[[nodiscard]] core::Applicability places_applicable(const history::Subhistory& part);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_places(const history::Subhistory& part,
                                                             const core::DeciderOptions& options);
inline constexpr core::Decider kPlaces{
    .name = "log-places",
    .about = {.types = "log",
              .when = "no put; what log-monitor leaves out",
              .method = "each entry appended as late as possible; at places that nobody saw, each entry is tried",
              .cost = "exponential in the appends that are open",
              .source = "own: src/types/log/places.cpp"},
    .applicable = places_applicable,
    .start = start_places,
};

}  // namespace linchpin::types::log_
