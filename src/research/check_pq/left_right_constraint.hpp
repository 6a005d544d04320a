// The left-right constraint of a value (Definition 12) and of a remove that found nothing (Definition 39): graphs whose
// cycles say that there is no moment for the remove.
//
// Edges from x to d where rm(x) happens before rm(d), or d is never removed: d leaves after x. Edges from d to x where
// put(d) happens before put(x) or rm(x): d was there before. Edges from d to d' where put(d) happens before rm(d').
// Along a cycle d_1 -> ... -> d_m -> x -> d_1 some d_i is inside at every moment at which x could be removed: x is
// *covered* by d_1, ..., d_m. Lemma 13: without such a cycle there is a moment (so for o, Lemma 42).
// Cost: O(n^2) edges, looked at once. Tests: check_pq_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "research/check_pq/execution.hpp"

namespace linchpin::research::check_pq {

/// d_1, ..., d_m, as few as possible, of the values with priorities smaller than x's; empty where nothing covers x.
/// @pre x is removed
[[nodiscard]] std::vector<std::uint32_t> covering_values(const Projection& projection, std::uint32_t x);

/// The same of any values, for the remove `o` that found nothing.
[[nodiscard]] std::vector<std::uint32_t> covering_values_of_empty(const Projection& projection, std::uint32_t o);

}  // namespace linchpin::research::check_pq
