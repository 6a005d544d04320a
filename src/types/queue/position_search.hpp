// Decides queue histories in which values repeat, by matching the order of enqueues with the order of dequeues.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "core/search_task.hpp"
#include "types/queue/position_walk.hpp"

namespace linchpin::types::queue {

[[nodiscard]] core::Applicability positions_applicable(const history::Subhistory& part);
/// All of them, that which decides the most first.
inline constexpr std::array kTakes{Takes::last_as_returned, Takes::last_as_called, Takes::as_returned};
/// How the search goes about it; the verdict does not depend on it.
struct PositionEffort {
  std::uint64_t patience = 1024;  ///< steps without a new position before it is tried to refute with an unknown past
  std::uint32_t past = 32;        ///< positions before the furthest one from which that begins at first
  /// Of the first walk, and of those that take turns with it where pending dequeues leave it stuck.
  std::span<const Takes> takes = kTakes;
};
/// Decides with other efforts, for tests.
[[nodiscard]] core::Outcome decide_positions(const history::Subhistory& part, const core::DeciderOptions& options,
                                             core::Budget& budget, const PositionEffort& effort);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_positions(const history::Subhistory& part,
                                                                const core::DeciderOptions& options);
/// The same, with another effort.
[[nodiscard]] std::unique_ptr<core::SearchTask> start_positions(const history::Subhistory& part,
                                                                const core::DeciderOptions& options,
                                                                const PositionEffort& effort);

inline constexpr core::Decider kPositionSearch{
    .name = "queue-positions",
    .about = {.types = "queue",
              .when = "values repeat; results are known; no capacity, size or is_empty",
              .method = "search by position in the order of the queue",
              .cost = "O(n·4^k) at most: exponential in what overlaps, not in the length",
              .source = "own: src/types/queue/position_search.cpp"},
    .applicable = positions_applicable,
    .start = start_positions,
};

}  // namespace linchpin::types::queue
