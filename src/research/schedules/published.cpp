#include "research/schedules/published.hpp"

#include <algorithm>

namespace linchpin::research {

namespace {

constexpr std::size_t kNobody = SIZE_MAX;

std::size_t index_in(std::span<const std::uint32_t> tuple, std::uint32_t operation) {
  const auto at = std::find(tuple.begin(), tuple.end(), operation);
  return at == tuple.end() ? kNobody : static_cast<std::size_t>(at - tuple.begin());
}

}  // namespace

void published_schedule(const OperationPoset& poset, std::uint32_t chain, std::span<const std::uint32_t> tuple,
                        Schedule& schedule) {
  schedule.clear();
  for (std::uint32_t operation = 0; operation < poset.size(); ++operation) {
    // The inserted x's are those with smaller numbers: i_1 < ... < i_l are their indices in the tuple.
    std::size_t last = kNobody;  // i_l
    for (std::size_t i = tuple.size(); i-- > 0 && last == kNobody;) {
      if (tuple[i] < operation) last = i;
    }
    const std::size_t own = index_in(tuple, operation);
    if (own == kNobody && poset.chain[operation] != chain) {
      // Right after the last operation that happens before it.
      auto at = schedule.end();
      while (at != schedule.begin() && !poset.before(*(at - 1), operation)) --at;
      schedule.insert(at, operation);
      continue;
    }
    const bool at_end = last == kNobody || (own != kNobody && own > last) || poset.before(tuple[last], operation);
    if (at_end) {
      schedule.push_back(operation);
      continue;
    }
    // Right before op_{i_j}: j the least index with own < i_j such that the operation is concurrent with all from it.
    std::size_t place = last;
    for (std::size_t i = last; i != kNobody && (own == kNobody || i > own); --i) {
      if (tuple[i] >= operation) continue;  // not inserted yet
      if (!poset.concurrent(tuple[i], operation)) break;
      place = i;
    }
    schedule.insert(std::find(schedule.begin(), schedule.end(), tuple[place]), operation);
  }
}

bool for_each_index(const OperationPoset& poset, std::uint32_t d,
                    const std::function<bool(std::uint32_t chain, std::span<const std::uint32_t> tuple)>& visit) {
  const std::uint32_t n = poset.size();
  const std::size_t length = std::min(d - 1, n);
  std::vector<std::uint32_t> tuple;
  std::vector<bool> taken(n, false);
  for (std::uint32_t chain = 0; chain < poset.chains; ++chain) {
    // Counts in base n, skipping what is taken.
    std::uint32_t next = 0;
    while (true) {
      if (tuple.size() == length) {
        if (!visit(chain, tuple)) return false;
        next = n;
      }
      while (next < n && taken[next]) ++next;
      if (next < n) {
        taken[next] = true;
        tuple.push_back(next);
        next = 0;
        continue;
      }
      if (tuple.empty()) break;
      next = tuple.back() + 1;
      taken[tuple.back()] = false;
      tuple.pop_back();
    }
  }
  return true;
}

}  // namespace linchpin::research
