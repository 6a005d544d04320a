#include "research/check_pq/left_right_constraint.hpp"

#include <algorithm>

namespace linchpin::research::check_pq {

namespace {

/// The node in question: what has to come before it is before one of `before`; what comes after it is after `rm`.
struct Centre {
  std::vector<Interval> before;
  Interval rm;
};

/// A shortest cycle through the centre, without the centre itself, by breadth-first search.
std::vector<std::uint32_t> shortest_cycle(const Execution& execution, const std::vector<std::uint32_t>& values,
                                          const Centre& centre) {
  const auto& of = execution.values;
  const auto from_centre = [&](std::uint32_t d) { return !of[d].rm || centre.rm.happens_before(*of[d].rm); };
  const auto to_centre = [&](std::uint32_t d) {
    return std::any_of(centre.before.begin(), centre.before.end(),
                       [&](const Interval& interval) { return of[d].put.happens_before(interval); });
  };
  const auto between = [&](std::uint32_t d, std::uint32_t other) {
    return of[other].rm && of[d].put.happens_before(*of[other].rm);
  };
  std::vector<std::uint32_t> reached;
  std::vector<std::size_t> parent;
  std::vector<bool> seen(execution.values.size(), false);
  const auto reach = [&](std::uint32_t d, std::size_t from) {
    seen[d] = true;
    reached.push_back(d);
    parent.push_back(from);
  };
  for (const std::uint32_t d : values) {
    if (from_centre(d)) reach(d, SIZE_MAX);
  }
  for (std::size_t at = 0; at < reached.size(); ++at) {
    if (to_centre(reached[at])) {
      std::vector<std::uint32_t> cycle;
      for (std::size_t step = at; step != SIZE_MAX; step = parent[step]) cycle.push_back(reached[step]);
      std::reverse(cycle.begin(), cycle.end());
      return cycle;
    }
    const std::uint32_t d = reached[at];
    for (const std::uint32_t other : values) {
      if (!seen[other] && between(d, other)) reach(other, at);
    }
  }
  return {};
}

}  // namespace

std::vector<std::uint32_t> covering_values(const Projection& projection, std::uint32_t x) {
  const Execution& execution = *projection.execution;
  std::vector<std::uint32_t> smaller;
  for (const std::uint32_t d : projection.values) {
    if (execution.smaller(d, x)) smaller.push_back(d);
  }
  const PutAndRemove& own = execution.values[x];
  return shortest_cycle(execution, smaller, {{own.put, *own.rm}, *own.rm});
}

std::vector<std::uint32_t> covering_values_of_empty(const Projection& projection, std::uint32_t o) {
  const Interval own = projection.execution->empties[o].interval;
  return shortest_cycle(*projection.execution, projection.values, {{own}, own});
}

}  // namespace linchpin::research::check_pq
