// Refutes histories of a deque with a capacity by the same without one, and without what found no room.
//
// A push that found no room changes nothing: an order of all operations, without these, is one of a deque that always
// has room. So what excludes all of the latter excludes the former, and its core rests on no capacity. Tests:
// deque_monitor_test.cpp.
#pragma once

#include "core/decider.hpp"

namespace linchpin::types::deque {

[[nodiscard]] core::Applicability without_capacity_applicable(const history::Subhistory& part);
[[nodiscard]] core::Outcome refute_without_capacity(const history::Subhistory& part,
                                                    const core::DeciderOptions& options, core::Budget& budget);

inline constexpr core::Decider kWithoutCapacity{
    .name = "deque-without-capacity",
    .kind = core::Kind::necessary_condition,
    .about = {.types = "deque capacity=N",
              .when = "the deque may have been full; else as for deque-monitor; refutes, or says nothing",
              .method = "deque-monitor, on what found room, as of a deque that always has some",
              .cost = "that of deque-monitor",
              .source = "own: src/types/deque/without_capacity.hpp"},
    .applicable = without_capacity_applicable,
    .at_once = refute_without_capacity,
};

}  // namespace linchpin::types::deque
