// Decides histories of a store of versions, revision by revision.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::mvcc_kv {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);

inline constexpr core::Decider kMonitor{
    .name = "mvcc-monitor",
    .about = {.types = "mvcc-kv",
              .when = "answers tell their revisions, or were lost; each lease is granted once, before its use; may be "
                      "left to the search where many requests of unknown fate fit",
              .method = "layers by revision: known requests have places, lost ones make the revisions that are missing",
              .cost = "O(n log n) where the effect of lost requests was seen; exponential in those that nobody saw",
              .source = "own: src/types/mvcc_kv/layers.hpp"},
    .applicable = applicable,
    .at_once = decide,
};

}  // namespace linchpin::types::mvcc_kv
