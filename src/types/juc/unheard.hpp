// Refutes histories of Java's queues and deques by one operation: it returned what nobody had put in by then.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::juc {

[[nodiscard]] core::Applicability unheard_applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome refute_unheard(const history::Subhistory& part, const core::DeciderOptions& options,
                                           core::Budget& budget);

inline constexpr core::Decider kUnheard{
    .name = "java-unheard-elements",
    .kind = core::Kind::necessary_condition,
    .about = {.types = "queues, deques and PriorityBlockingQueue of java.util.concurrent",
              .when = "always; refutes, or says nothing",
              .method = "what an operation returned or found inside was put in by one called before it returned",
              .cost = "O(n + length of what was printed)",
              .source = "own: src/types/juc/unheard.cpp"},
    .applicable = unheard_applicable,
    .at_once = refute_unheard,
};

}  // namespace linchpin::types::juc
