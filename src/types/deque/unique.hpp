// Decides deques in which no value is pushed twice by the monitor, and by the search over pairs where that does not
// apply: what the lift to repeated values rests on (lift.hpp).
#pragma once

#include "types/deque/monitor.hpp"
#include "types/deque/pair_search.hpp"

namespace linchpin::types::deque {

[[nodiscard]] core::Applicability unique_applicable(const history::Subhistory& part);
[[nodiscard]] std::unique_ptr<core::SearchTask> start_unique(const history::Subhistory& part,
                                                             const core::DeciderOptions& options);

inline constexpr core::Decider kUnique{.name = "deque-unique", .applicable = unique_applicable, .start = start_unique};

}  // namespace linchpin::types::deque
