// Decides deque histories in which no value is pushed twice.
#pragma once

#include <memory>

#include "core/search_task.hpp"

namespace linchpin::types::deque {

[[nodiscard]] core::Applicability pairs_applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide_pairs(const history::Subhistory& part, const core::DeciderOptions& options,
                                         core::Budget& budget);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_pairs(const history::Subhistory& part,
                                                            const core::DeciderOptions& options);

inline constexpr core::Decider kPairs{"deque-pairs",
                                      "unique values: depth first, in the orders that any two values leave",
                                      pairs_applicable, decide_pairs, start_pairs};

}  // namespace linchpin::types::deque
