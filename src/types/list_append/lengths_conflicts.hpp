// Refutes list-append transactions by what one of them read and what others had appended, or read, before.
#pragma once

#include "core/decider.hpp"
#include "types/list_append/lengths_reading.hpp"

namespace linchpin::types::list_append {

/// Sets `impossible`, with the sentence, where a read is too short or too long. @pre all reads agree
void find_length_conflict(const history::Subhistory& part, Transactions& all);
/// What it set.
[[nodiscard]] core::Outcome impossible(const Transactions& all);

[[nodiscard]] core::Applicability conflicts_applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome refute_by_conflicts(const history::Subhistory& part, const core::DeciderOptions& options,
                                                core::Budget& budget);

/// For what the search does not read: it looks for these conflicts itself.
inline constexpr core::Decider kConflicts{
    .name = "list-append-conflicts",
    .kind = core::Kind::necessary_condition,
    .about = {.types = "list-append",
              .when = "neither the monitor nor the search over lengths applies, as where a pending transaction says "
                      "what it would read; refutes, or says nothing",
              .method = "of what was read of a key one begins with the other, and shows what had been appended, no "
                        "more often than it was",
              .cost = "O(n + length of all lists), times the different elements of a key where these are many",
              .source = "own: src/types/list_append/lengths_conflicts.cpp"},
    .applicable = conflicts_applicable,
    .at_once = refute_by_conflicts,
};

}  // namespace linchpin::types::list_append
