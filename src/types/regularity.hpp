// A necessary condition of registers of all kinds, elements of arrays and keys of maps: what was seen had been written,
// and was not gone (algo/regularity.hpp). Before a search it costs nothing, and what it refutes it explains.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types {

[[nodiscard]] core::Applicability has_values_seen(const history::Subhistory& part);
[[nodiscard]] core::Outcome refute_by_values_seen(const history::Subhistory& part, const core::DeciderOptions& options,
                                                  core::Budget& budget);

inline constexpr core::Decider kRegularity{
    "regularity", "whether what was seen can still have been there: refutes, or says nothing; linear", has_values_seen,
    refute_by_values_seen};

}  // namespace linchpin::types
