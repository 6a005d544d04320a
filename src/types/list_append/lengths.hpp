// Decides list-append transactions whose elements repeat: a search over how long the lists are.
#pragma once

#include <memory>

#include "core/search_task.hpp"

namespace linchpin::types::list_append {

[[nodiscard]] core::Applicability lengths_applicable(const history::Subhistory& part);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_lengths(const history::Subhistory& part,
                                                              const core::DeciderOptions& options);

inline constexpr core::Decider kLengths{
    .name = "list-append-lengths",
    .about = {.types = "list-append",
              .when = "no pending transaction says what it would read; at most 1,024 are open at once",
              .method =
                  "what was read says what stands at which place of each list, and how long it was; so only the "
                  "lengths are searched, which never go down; few configurations are kept, and windows are refuted "
                  "without what came before",
              .cost = "exponential in the transactions that are open at worst; nearly linear in practice",
              .source = "own: src/types/list_append/lengths.cpp"},
    .applicable = lengths_applicable,
    .start = start_lengths,
};

}  // namespace linchpin::types::list_append
