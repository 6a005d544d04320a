// How many schedules there are in all, and how many of them are witnesses of linearizability: exactly, without making
// them.
//
// Two beginnings of schedules that have the same operations can be completed in the same ways, and where they also
// leave the object in the same states, the same completions are witnesses. So beginnings are counted together, one
// operation longer at a time. Which operations a beginning has is one number a chain: how many of it.
// Cost: what is kept of a length is as many numbers as there are such beginnings, at most (c + 1) n^(m - 1) in m
// chains and far fewer where little overlaps; each is extended m times in O(m).
// Source: ours; the numbers are those of B. Kulahcioglu Ozkan, R. Majumdar, F. Niksic, PPoPP 2019, section 2 (1,004,640
// schedules, 134,400 witnesses). Compare: strong_hitting.hpp, which makes each schedule. Tests:
// schedule_count_test.cpp.
#pragma once

#include <cstdint>
#include <optional>

#include "core/budget.hpp"
#include "research/schedules/poset.hpp"
#include "research/schedules/state_sets.hpp"

namespace linchpin::research {

/// The linear extensions of the poset. Nothing: there are 2^64 or more, or the budget is spent.
[[nodiscard]] std::optional<std::uint64_t> count_schedules(const OperationPoset& poset, core::Budget& budget);

/// Those of them that are witnesses: executed one by one, the operations give the results that they have, pending ones
/// some result, or they are left out. `poset` is of the whole part of `sets`.
[[nodiscard]] std::optional<std::uint64_t> count_witnesses(const OperationPoset& poset, StateSets& sets,
                                                           core::Budget& budget);

}  // namespace linchpin::research
