// Decides queue histories in which values repeat, by matching the order of enqueues with the order of dequeues.
#pragma once

#include <memory>

#include "core/search_task.hpp"

namespace linchpin::types::queue {

[[nodiscard]] core::Applicability positions_applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide_positions(const history::Subhistory& part, const core::DeciderOptions& options,
                                             core::Budget& budget);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_positions(const history::Subhistory& part,
                                                                const core::DeciderOptions& options);

inline constexpr core::Decider kPositionSearch{
    "queue-positions", "repeated values: search by position in the order, n * 4^k nodes at most", positions_applicable,
    decide_positions, start_positions};

}  // namespace linchpin::types::queue
