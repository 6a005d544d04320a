// Decides counters whose changes differ, some of which return the number: a search that goes from number to number.
#pragma once

#include <memory>

#include "core/search_task.hpp"

namespace linchpin::types::counter {

[[nodiscard]] core::Applicability amounts_applicable(const history::Subhistory& part);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_amounts(const history::Subhistory& part,
                                                              const core::DeciderOptions& options);

inline constexpr core::Decider kAmounts{
    .name = "counter-amounts",
    .about = {.types = "counter",
              .when = "no number and no amount above 2^40; at most 1,024 operations open at once",
              .method =
                  "from each number to one that an open operation returned, by any of the open changes that return "
                  "nothing; few configurations are kept, and windows are refuted from any number",
              .cost = "exponential in the operations that are open at worst; nearly linear in practice",
              .source = "own: src/types/counter/amounts.cpp"},
    .applicable = amounts_applicable,
    .start = start_amounts,
};

}  // namespace linchpin::types::counter
