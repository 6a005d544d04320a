// Decides deque histories in which no value is pushed twice.
#pragma once

#include <memory>

#include "core/search_task.hpp"

namespace linchpin::types::deque {

[[nodiscard]] core::Applicability pairs_applicable(const history::Subhistory& part);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_pairs(const history::Subhistory& part,
                                                            const core::DeciderOptions& options);

inline constexpr core::Decider kPairs{
    .name = "deque-pairs",
    .about = {.types = "deque",
              .when = "no value is pushed twice; results of pops are known; nothing is pending where sizes are told; a "
                      "capacity only where it cannot have been reached",
              .method =
                  "depth first, in the orders that any two values leave; violations are proved by at most 32 values",
              .cost = "O(n·k) where the search need not turn back; may be left to the search",
              .source = "own: src/types/deque/pair_search.cpp"},
    .applicable = pairs_applicable,
    .start = start_pairs,
};

}  // namespace linchpin::types::deque
