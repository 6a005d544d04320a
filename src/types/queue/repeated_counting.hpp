// Decides queues with a capacity, and queues whose size is told, where values may repeat.
#pragma once

#include <memory>

#include "core/search_task.hpp"

namespace linchpin::types::queue {

[[nodiscard]] core::Applicability repeated_counting_applicable(const history::Subhistory& part);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_repeated_counting(const history::Subhistory& part,
                                                                        const core::DeciderOptions& options);

inline constexpr core::Decider kRepeatedCounting{
    .name = "queue-counted-positions",
    .about = {.types = "queue",
              .when = "there is a capacity, or the size is told; dequeues and peeks that returned have results; may be "
                      "left to the search",
              .method =
                  "search by position without the numbers, then the order that it finds, mended until they fit, in "
                  "turn with few contents whose values can leave as they entered",
              .cost = "that of queue-positions, a few walks for each change of the order, and some contents a response",
              .source = "own: src/types/queue/repeated_counting.cpp"},
    .applicable = repeated_counting_applicable,
    .start = start_repeated_counting,
};

}  // namespace linchpin::types::queue
