// Decides compare-and-set register histories in which no value is produced twice, in linear time.
#pragma once

#include <optional>

#include "algo/regularity.hpp"
#include "core/decider.hpp"

namespace linchpin::types::cas_register {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);
/// What each operation does to the value; nothing where it is not a compare-and-set register.
[[nodiscard]] std::optional<algo::ValueSteps> steps(const history::Subhistory& part);

inline constexpr core::Decider kMonitor{
    .name = "cas-register-monitor",
    .about = {.types = "cas-register",
              .when = "no value is written twice, nor the initial one; may be left to the search where a failure "
                      "overlaps a write",
              .method = "chains of successful compare-and-sets, layers for failed ones",
              .cost = "O(n), O(n log n) with failures",
              .source = "Daychman, 2023; own for failures: docs/design/monitors.md"},
    .applicable = applicable,
    .at_once = decide,
};

}  // namespace linchpin::types::cas_register
