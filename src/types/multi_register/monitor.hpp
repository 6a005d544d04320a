// Decides histories of transactions on registers in which no value is written to a key twice.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::multi_register {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);

inline constexpr core::Decider kMonitor{
    .name = "multi-register-monitor",
    .about = {.types = "multi-register",
              .when = "no value is written to a key twice",
              .method = "an order that is mended where a read sees another write than it saw",
              .cost = "O(n k) where few orders have to be tried; exponential at worst",
              .source = "own: src/types/multi_register/monitor.cpp"},
    .applicable = applicable,
    .at_once = decide,
};

}  // namespace linchpin::types::multi_register
