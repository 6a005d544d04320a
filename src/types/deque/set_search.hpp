// Decides deque histories in which values may repeat: configurations of the window hold sets of contents.
#pragma once

#include <memory>

#include "core/search_task.hpp"
#include "types/shared/content_set_search.hpp"

namespace linchpin::types::deque {

[[nodiscard]] core::Applicability sets_applicable(const history::Subhistory& part);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_sets(const history::Subhistory& part,
                                                           const core::DeciderOptions& options);
struct DequeSetEffort : ContentSetEffort {
  std::uint32_t apart = 2;  ///< values inside, besides what open operations can pop, for each end to go by itself
};
/// Decides with other efforts, for tests.
[[nodiscard]] core::Outcome sets_decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                        core::Budget& budget, const DequeSetEffort& effort);

inline constexpr core::Decider kSets{
    .name = "deque-sets",
    .about =
        {.types = "deque",
         .when =
             "values repeat, or a capacity may have been reached; every pop that returned has a known result (with a "
             "capacity every push, too); no push of nil",
         .method = "a set of contents for each set of operations that took effect",
         .cost = "O(n·2^k) sets of contents at most",
         .source = "own: src/types/deque/set_search.cpp"},
    .applicable = sets_applicable,
    .start = start_sets,
    .ways = kContentSetWays,
};

}  // namespace linchpin::types::deque
