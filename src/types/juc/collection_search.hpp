// Finds witnesses of queues and deques of java.util.concurrent whose histories use methods that plain containers lack.
#pragma once

#include <memory>

#include "core/search_task.hpp"

namespace linchpin::types::juc {

[[nodiscard]] core::Applicability collection_applicable(const history::Subhistory& part);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_collection(const history::Subhistory& part,
                                                                 const core::DeciderOptions& options);

inline constexpr core::Decider kCollectionSearch{
    .name = "java-collection-search",
    .about = {.types = "queues, deques and PriorityBlockingQueue of java.util.concurrent",
              .when = "at most 128 operations open at once; finds witnesses, or leaves it to the search",
              .method = "a few configurations, those dropped that have lost an element that is needed later",
              .cost = "O(n·k) steps where the search need not go back; exponential at worst",
              .source = "own: src/types/guided_search.hpp"},
    .applicable = collection_applicable,
    .start = start_collection,
};

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
              .source = "own: src/types/juc/element_facts.hpp"},
    .applicable = unheard_applicable,
    .at_once = refute_unheard,
};

}  // namespace linchpin::types::juc
