// The predicates of Check-PQ-Conc by the paper's criteria.
#include <algorithm>

#include "research/check_pq/gap_points.hpp"
#include "research/check_pq/left_right_constraint.hpp"
#include "research/check_pq/predicates.hpp"

namespace linchpin::research::check_pq {

bool ByGraphs::empty_remove(const Projection& e, std::uint32_t o) const {
  return covering_values_of_empty(e, o).empty();
}

bool ByGraphs::unmatched_max_priority(const Projection& e, std::uint32_t x) const {
  const Execution& execution = *e.execution;
  if (!e.maximal(x) || execution.values[x].rm) return false;
  return std::none_of(e.values.begin(), e.values.end(), [&](std::uint32_t y) {
    return y != x && execution.same(x, y) && execution.values[x].put.happens_before(execution.values[y].put);
  });
}

bool ByGraphs::matched_max_priority(const Projection& e, std::uint32_t x) const {
  const Execution& execution = *e.execution;
  if (!e.maximal(x) || !execution.values[x].rm) return false;
  const Projection part = e.up_to_priority_of(x);  // Lemma 10
  const bool all_removed = std::all_of(part.values.begin(), part.values.end(), [&](std::uint32_t d) {
    return !execution.same(d, x) || execution.values[d].rm.has_value();
  });
  return all_removed && covering_values(part, x).empty() && may_be_last(part, x);
}

}  // namespace linchpin::research::check_pq
