// Decides queues with a capacity, and queues whose size is told: counting refutes, two searches find the rest.
#pragma once

#include <cstdint>
#include <memory>

#include "core/search_task.hpp"

namespace linchpin::types::queue {

[[nodiscard]] core::Applicability counts_applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome refute_by_counts(const history::Subhistory& part, const core::DeciderOptions& options,
                                             core::Budget& budget);

/// Which searches take part; for tests.
enum class CountingMembers : std::uint8_t {
  all,
  early_own,
  early_leaving,
  late_quick,
  late,
  order_of_all,
  order_of_removes
};

[[nodiscard]] core::Applicability counting_applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide_counting(const history::Subhistory& part, const core::DeciderOptions& options,
                                            core::Budget& budget, CountingMembers members);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_counting(const history::Subhistory& part,
                                                               const core::DeciderOptions& options);

inline constexpr core::Decider kCounts{
    .name = "queue-counts",
    .kind = core::Kind::necessary_condition,
    .about =
        {.types = "queue",
         .when =
             "there is a capacity, or the size is told; refutes, or says nothing; less where a value is enqueued twice",
         .method = "bounds for the number of values at each moment, one sweep in each direction",
         .cost = "O(n)",
         .source = "own: src/types/queue/counted_refutation.cpp"},
    .applicable = counts_applicable,
    .at_once = refute_by_counts,
};

inline constexpr core::Decider kCounting{
    .name = "queue-counting",
    .about = {.types = "queue",
              .when = "no value is enqueued twice; dequeues that returned have results",
              .method = "depth first, just in time, with the value of an enqueue chosen at once, or when it leaves",
              .cost = "exponential in what overlaps at worst, not in the length",
              .source = "own: src/types/queue/counting.cpp"},
    .applicable = counting_applicable,
    .start = start_counting,
};

}  // namespace linchpin::types::queue
