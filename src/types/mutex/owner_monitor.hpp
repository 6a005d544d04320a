// Decides histories of a mutex with owners, in O(n log k).
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::mutex {

[[nodiscard]] core::Applicability owners_applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide_owners(const history::Subhistory& part, const core::DeciderOptions& options,
                                          core::Budget& budget);

inline constexpr core::Decider kOwnerMonitor{
    "mutex-owner-monitor", "owners: sections in the order of their certain middles, lazy greedy, n log k",
    owners_applicable, decide_owners};

}  // namespace linchpin::types::mutex
