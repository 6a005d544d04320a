// Algorithm 1 as published: the schedule of an index (chain, x_1 ... x_{d-1}), by insertion.
//
// The operations are taken in a topological order (here: of their calls) and inserted one by one. An x_i goes as far
// back as the x_j with j > i that are already there let it, an operation of the chain as far back as all x_j let it,
// any other as far to the front as its predecessors let it. The schedule of (chain of x_0, x_1 ... x_{d-1}) strongly
// hits (x_0, ..., x_{d-1}), so that all indices give a strong d-hitting family of at most m n^(d-1) schedules.
// Precondition: the x_i are distinct. Cost: O(n^2) a schedule.
// Source: B. Kulahcioglu Ozkan, R. Majumdar, F. Niksic, PPoPP 2019, Algorithm 1. No deviation.
// Compare: closed_form.hpp, which sorts, and enumeration.hpp, which makes each schedule once. Tests:
// schedules_test.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "research/schedules/poset.hpp"

namespace linchpin::research {

/// Writes the schedule of the index into `schedule`.
void published_schedule(const OperationPoset& poset, std::uint32_t chain, std::span<const std::uint32_t> tuple,
                        Schedule& schedule);

/// Every index of the family for d: each chain with each tuple of d - 1 distinct operations, or of all n where there
/// are fewer. False from `visit` stops; false: it was stopped.
bool for_each_index(const OperationPoset& poset, std::uint32_t d,
                    const std::function<bool(std::uint32_t chain, std::span<const std::uint32_t> tuple)>& visit);

}  // namespace linchpin::research
