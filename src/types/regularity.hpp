// A necessary condition for registers of all kinds, elements of arrays and keys of maps: a value that was seen had been
// written, and was not certainly overwritten (algo/regularity.hpp). It costs little before a search, and its violations
// have a core and a sentence.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types {

[[nodiscard]] core::Applicability has_values_seen(const history::Subhistory& part);
[[nodiscard]] core::Outcome refute_by_values_seen(const history::Subhistory& part, const core::DeciderOptions& options,
                                                  core::Budget& budget);

inline constexpr core::Decider kRegularity{
    .name = "regularity",
    .kind = core::Kind::necessary_condition,
    .about =
        {.types = "register, cas-register, rmw, one element of an array, one key of a map",
         .when = "values may repeat; refutes, or says nothing",
         .method =
             "what an operation saw was written by one that was called before it returned, and was not certainly gone",
         .cost = "O(n)",
         .source = "Lamport, 1986: src/algo/regularity.hpp"},
    .applicable = has_values_seen,
    .at_once = refute_by_values_seen,
};

}  // namespace linchpin::types
