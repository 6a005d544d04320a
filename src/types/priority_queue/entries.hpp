// Decides priority queues in which values repeat and the order among equals, or of priorities, matters: a search over
// what is inside.
#pragma once

#include <cstddef>
#include <memory>

#include "core/search_task.hpp"

namespace linchpin::types::priority_queue {

[[nodiscard]] core::Applicability entries_applicable(const history::Subhistory& part);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_entries(const history::Subhistory& part,
                                                              const core::DeciderOptions& options);

/// Keeps so many configurations at first.
[[nodiscard]] std::unique_ptr<core::SearchTask> start_few_entries(const history::Subhistory& part,
                                                                  const core::DeciderOptions& options,
                                                                  std::size_t width);

inline constexpr core::Decider kEntries{
    .name = "priority-queue-entries",
    .about = {.types = "priority-queue",
              .when = "values repeat; no capacity, no sizes; at most 1,024 operations open at once",
              .method =
                  "few configurations are kept after each response; in which order equal priorities were inserted "
                  "is left open until they are polled",
              .cost = "exponential in what overlaps at worst",
              .source = "own: src/types/priority_queue/entries.cpp"},
    .applicable = entries_applicable,
    .start = start_entries,
    .ways = 4,
};

}  // namespace linchpin::types::priority_queue
