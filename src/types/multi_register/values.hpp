// Decides transactions on registers whose values repeat: a search over what the keys hold.
#pragma once

#include <cstddef>
#include <memory>

#include "core/search_task.hpp"

namespace linchpin::types::multi_register {

[[nodiscard]] core::Applicability values_applicable(const history::Subhistory& part);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_values(const history::Subhistory& part,
                                                             const core::DeciderOptions& options);
/// Keeps so many configurations at first.
[[nodiscard]] std::unique_ptr<core::SearchTask> start_few_values(const history::Subhistory& part,
                                                                 const core::DeciderOptions& options,
                                                                 std::size_t width);

inline constexpr core::Decider kValues{
    .name = "register-values",
    .by_key = true,
    .about = {.types = "multi-register",
              .when = "at most 1,024 transactions are open at once",
              .method =
                  "few configurations are kept after each response; one in which a value was overwritten that must "
                  "still be read, and that nobody writes again in time, is dropped; windows are refuted without what "
                  "came before",
              .cost = "exponential in the transactions that are open at worst",
              .source = "own: src/types/multi_register/values.cpp"},
    .applicable = values_applicable,
    .start = start_values,
};

}  // namespace linchpin::types::multi_register
