// Value intervals: Figures 5 and 6 of the thesis (execution.hpp).
//
// The interval of a value lies between the first return and the last call of its operations. Forward: the first return
// is first, and the value is in memory throughout. Reverse: all of them may take effect together at any moment of it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "research/value_blocks/execution.hpp"

namespace linchpin::research::value_blocks {

struct Interval {
  history::Rank start = 0, end = 0;
  bool reversed = false;

  [[nodiscard]] history::Rank first_return() const { return reversed ? end : start; }
  [[nodiscard]] history::Rank last_call() const { return reversed ? start : end; }
  [[nodiscard]] bool inside(const Interval& other) const { return other.start <= start && end <= other.end; }
};

/// Figure 5, of one value or of a chain of values whose calls these are. @pre there are calls
[[nodiscard]] Interval make_interval(const Execution& execution, std::span<const std::uint32_t> calls);

/// Two intervals, by index, that exclude each other.
struct Clash {
  std::size_t forward = 0, other = 0;
};
/// Figure 6: a pair for which it says no. As printed it compares each forward interval with itself, too, and so refuses
/// all that have one; the text says what is meant. O(n^2).
[[nodiscard]] std::optional<Clash> interval_check(const std::vector<Interval>& intervals);

}  // namespace linchpin::research::value_blocks
