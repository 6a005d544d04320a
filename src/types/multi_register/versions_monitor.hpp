// Decides histories of registers whose store tells versions.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::multi_register {

[[nodiscard]] core::Applicability versions_applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide_versions(const history::Subhistory& part, const core::DeciderOptions& options,
                                            core::Budget& budget);

inline constexpr core::Decider kVersionsMonitor{
    .name = "register-versions",
    .about = {.types = "multi-register versions=told",
              .when = "each version that somebody saw or made has one transaction that can have made it",
              .method = "the dependencies that versions show have no cycle, nor real time or sessions with them",
              .cost = "O(n log n)",
              .source = "own: src/types/multi_register/versions_monitor.cpp"},
    .applicable = versions_applicable,
    .at_once = decide_versions,
};

}  // namespace linchpin::types::multi_register
