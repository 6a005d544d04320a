// Decides register histories in which no value is produced twice, in linear time.
#pragma once

#include <optional>

#include "algo/regularity.hpp"
#include "core/decider.hpp"

namespace linchpin::types::register_ {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);
/// What each operation does to the value; nothing where it is not a register.
[[nodiscard]] std::optional<algo::ValueSteps> steps(const history::Subhistory& part);

inline constexpr core::Decider kMonitor{
    .name = "register-monitor",
    .about = {.types = "register",
              .when = "no value is written twice, nor the initial one",
              .method = "the write and the reads of a value form a cluster",
              .cost = "O(n)",
              .source = "own: src/types/register/monitor.cpp"},
    .applicable = applicable,
    .at_once = decide,
};

}  // namespace linchpin::types::register_
