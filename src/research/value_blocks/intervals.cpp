#include "research/value_blocks/intervals.hpp"

#include <algorithm>

namespace linchpin::research::value_blocks {

Interval make_interval(const Execution& execution, std::span<const std::uint32_t> calls) {
  history::Rank first_return = execution.calls[calls[0]].end, last_call = execution.calls[calls[0]].start;
  for (const std::uint32_t each : calls) {
    first_return = std::min(first_return, execution.calls[each].end);
    last_call = std::max(last_call, execution.calls[each].start);
  }
  if (first_return < last_call) return {.start = first_return, .end = last_call};
  return {.start = last_call, .end = first_return, .reversed = true};
}

std::optional<Clash> interval_check(const std::vector<Interval>& intervals) {
  for (std::size_t forward = 0; forward < intervals.size(); ++forward) {
    if (intervals[forward].reversed) continue;
    for (std::size_t other = 0; other < intervals.size(); ++other) {
      if (other != forward && intervals[other].first_return() < intervals[forward].end &&
          intervals[other].last_call() > intervals[forward].start) {
        return Clash{.forward = forward, .other = other};
      }
    }
  }
  return std::nullopt;
}

}  // namespace linchpin::research::value_blocks
