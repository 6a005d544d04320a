// Decides exchange register histories in which no value is produced twice, in linear time.
#pragma once

#include <optional>

#include "algo/regularity.hpp"
#include "core/decider.hpp"

namespace linchpin::types::rmw {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);
/// What each operation does to the value; nothing where it is not a register with an exchange.
[[nodiscard]] std::optional<algo::ValueSteps> steps(const history::Subhistory& part);

inline constexpr core::Decider kMonitor{
    .name = "rmw-monitor",
    .about = {.types = "rmw",
              .when = "no value is written twice, nor the initial one",
              .method = "chains of exchanges",
              .cost = "O(n)",
              .source = "own: src/types/rmw/monitor.cpp"},
    .applicable = applicable,
    .at_once = decide,
};

}  // namespace linchpin::types::rmw
