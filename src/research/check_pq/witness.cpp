#include "research/check_pq/witness.hpp"

#include <algorithm>

#include "research/check_pq/procedure.hpp"
#include "research/check_pq/single_priority.hpp"

namespace linchpin::research::check_pq {

std::vector<std::uint32_t> linearization(Execution execution, const Predicates& predicates) {
  struct Placed {
    Interval* interval = nullptr;
    std::uint32_t local = 0;
  };
  std::vector<Placed> left;
  for (PutAndRemove& value : execution.values) {
    left.push_back({&value.put, value.put_local});
    if (value.rm) left.push_back({&*value.rm, value.rm_local});
  }
  for (EmptyRemove& empty : execution.empties) left.push_back({&empty.interval, empty.local});
  // What is placed happens in front of everything else, one by one.
  const auto room = static_cast<std::uint32_t>(2 * left.size());
  for (const Placed& operation : left) {
    operation.interval->call += room;
    operation.interval->ret += room;
  }
  std::vector<std::uint32_t> order;
  while (!left.empty()) {
    const history::Rank next(2 * order.size());
    const auto good = std::find_if(left.begin(), left.end(), [&](const Placed& candidate) {
      const bool first = std::none_of(left.begin(), left.end(), [&](const Placed& other) {
        return other.interval->happens_before(*candidate.interval);
      });
      if (!first) return false;
      const Interval kept = *candidate.interval;
      *candidate.interval = {next, next + 1};
      const Projection all = Projection::whole(execution);
      if (!single_priority_violation(all) && !check_pq_conc(all, predicates)) return true;
      *candidate.interval = kept;
      return false;
    });
    if (good == left.end()) return {};
    order.push_back(good->local);
    left.erase(good);
  }
  return order;
}

}  // namespace linchpin::research::check_pq
