// Decides histories of Java's queues, deques and heaps with whatever methods, keeping few contents after each response.
#pragma once

#include <cstddef>
#include <memory>

#include "core/search_task.hpp"

namespace linchpin::types::juc {

[[nodiscard]] core::Applicability contents_applicable(const history::Subhistory& part);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_contents(const history::Subhistory& part,
                                                               const core::DeciderOptions& options);

/// Keeps so many configurations at first.
[[nodiscard]] std::unique_ptr<core::SearchTask> start_few_contents(const history::Subhistory& part,
                                                                   const core::DeciderOptions& options,
                                                                   std::size_t width);

inline constexpr core::Decider kContents{
    .name = "java-contents",
    .about = {.types = "queues, deques and PriorityBlockingQueue of java.util.concurrent",
              .when = "at most 1,024 operations open at once",
              .method = "few contents after each response, those left out in which an element would be in the wrong "
                        "place for an operation to come; more where none goes on",
              .cost = "exponential at worst",
              .source = "own: src/types/juc/contents.cpp"},
    .applicable = contents_applicable,
    .start = start_contents,
};

}  // namespace linchpin::types::juc
