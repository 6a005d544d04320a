// Gap-points (Definition 14) and the put-before order (section 4.1.2), by which a value of maximal priority among
// others of the same priority has a moment to be removed, or not (Lemmas 15, 16 and 33).
//
// An index is a gap-point of x if the gap after that action lies within rm(x), after call(put, x), and outside the
// interval of every value with smaller priority. (Intervals are half open here; docs/papers says why.)
// y is put before x if (A) put(y) happens before put(x), (B) rm(y) before rm(x), or (C) rm(y) before put(x).
// Cost: O(n) a gap-point looked at; O(n^2) for the order. Tests: check_pq_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/none.hpp"
#include "research/check_pq/execution.hpp"

namespace linchpin::research::check_pq {

/// The last gap-point of a value that is removed.
[[nodiscard]] std::optional<history::Rank> rightmost_gap_point(const Projection& projection, std::uint32_t x);

/// Which case makes y put before x: 'A', 'B' or 'C'; nothing where none does.
[[nodiscard]] std::optional<char> put_before(const Execution& execution, std::uint32_t y, std::uint32_t x);

/// Why x cannot be the last value of its priority to be removed: a value put before it, at once or by way of others
/// (Lemma 16: of one), that is called only after the rightmost gap-point of x.
struct TooLate {
  std::uint32_t x = 0, y = 0;
  std::uint32_t by_way_of = kNone;
};

/// Lemma 15, for the values with the priority of `member`, all of them removed and none covered.
[[nodiscard]] std::optional<TooLate> removed_too_late(const Projection& projection, std::uint32_t member);

/// Lemma 33: whether x can be the last value of its priority, put and removed. @pre x is removed and not covered
[[nodiscard]] bool may_be_last(const Projection& projection, std::uint32_t x);

}  // namespace linchpin::research::check_pq
