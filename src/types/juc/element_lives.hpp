// Refutes histories of Java's queues, deques and heaps by one element that was put in once, or two of them.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::juc {

[[nodiscard]] core::Applicability lives_applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome refute_lives(const history::Subhistory& part, const core::DeciderOptions& options,
                                         core::Budget& budget);

inline constexpr core::Decider kElementLives{
    .name = "java-element-lives",
    .kind = core::Kind::necessary_condition,
    .about = {.types = "queues, deques and PriorityBlockingQueue of java.util.concurrent",
              .when = "always; refutes, or says nothing",
              .method = "an element that is put in once is inside in one stretch, and leaves in its order",
              .cost = "O(n·m + length of what was printed), m elements certainly inside at once",
              .source = "own: src/types/juc/element_lives.cpp"},
    .applicable = lives_applicable,
    .at_once = refute_lives,
};

}  // namespace linchpin::types::juc
