// Decides semaphore histories by where the count comes down to zero.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::semaphore {

[[nodiscard]] core::Applicability applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome decide(const history::Subhistory& part, const core::DeciderOptions& options,
                                   core::Budget& budget);

inline constexpr core::Decider kDips{
    "semaphore-dips", "only whether to go down to zero is open: about k configurations", applicable, decide};

}  // namespace linchpin::types::semaphore
