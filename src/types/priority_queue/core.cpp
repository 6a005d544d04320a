// Cores of priority queue histories that are not linearizable.
//
// A remove or look of v without a gap: v, and a shortest chain of strictly better covers over its interval, always
// taking the one that reaches furthest. Dropping a member of the chain uncovers a gap, so the core is minimal for this
// operation. Among equals in order of insertion: the cycle, and for each gap that it rests on the chain of better
// covers over what was cut off. Cost O(n), plus O(c log c) for c covers that meet the interval.
#include <algorithm>

#include "base/none.hpp"
#include "types/priority_queue/check.hpp"
#include "types/priority_queue/fifo_classes.hpp"

namespace linchpin::types {

using algo::ValueNumber;
using history::Rank;

std::vector<ValueNumber> PriorityQueueCheck::chain_over(algo::Gaps gaps, std::uint32_t worse_than) const {
  const Rank first(gaps.first), last(gaps.last);
  std::vector<ValueNumber> meeting;
  for (const ValueNumber v : order_) {
    if (worse_than != kNone && classes_.of[v] >= worse_than) break;
    if (worse_than != kNone && !classes_.better(classes_.of[v], worse_than)) continue;
    const algo::ValueSpan& span = container_.span[v];
    if (!span.coreless() && span.first_response <= last && span.last_call > first) meeting.push_back(v);
  }
  std::sort(meeting.begin(), meeting.end(), [&](ValueNumber a, ValueNumber b) {
    return container_.span[a].first_response < container_.span[b].first_response;
  });
  std::vector<ValueNumber> chain;
  std::size_t i = 0;
  for (Rank gap = first; gap <= last;) {  // a gap by the event before it
    ValueNumber furthest = ValueNumber::none();
    Rank reach = gap;
    for (; i < meeting.size() && container_.span[meeting[i]].first_response <= gap; ++i) {
      if (container_.span[meeting[i]].last_call <= reach) continue;
      furthest = meeting[i];
      reach = container_.span[meeting[i]].last_call;
    }
    if (furthest == ValueNumber::none()) break;  // a gap that no better cover contains
    chain.push_back(furthest);
    gap = reach;
  }
  return chain;
}

std::vector<ValueNumber> PriorityQueueCheck::chain() const {
  const bool empty = history_.kind[failed_] == ActKind::empty;
  return chain_over(gaps_of(failed_), empty ? kNone : classes_.of[history_.value[failed_]]);
}

std::vector<std::uint32_t> PriorityQueueCheck::core() const {
  if (fault_) return fault_->operations;
  std::vector<ValueNumber> values;
  std::vector<std::uint32_t> operations;
  if (failed_ != kNone) {
    values = chain();
    if (history_.kind[failed_] == ActKind::empty) {
      operations.push_back(failed_);
    } else {
      values.push_back(history_.value[failed_]);
    }
  } else {
    // Every operation of the cycle, with the better covers that narrow it.
    for (const ValueNumber v : cycle_) {
      values.push_back(v);
      std::vector<std::uint32_t> narrowed(looks_of(v).begin(), looks_of(v).end());
      if (removed(v)) narrowed.push_back(container_.span[v].remove);
      for (const std::uint32_t operation : narrowed) {
        const algo::Gaps gaps = gaps_of(operation);
        const std::uint32_t first = open_.next(gaps.first), last = open_.previous(gaps.last);
        for (const algo::Gaps cut : {algo::Gaps{gaps.first, first - 1}, algo::Gaps{last + 1, gaps.last}}) {
          if (cut.first > cut.last || cut.last == 0xffffffffU) continue;
          const auto chain = chain_over(cut, classes_.of[v]);
          values.insert(values.end(), chain.begin(), chain.end());
        }
      }
    }
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  for (const ValueNumber v : values) {
    operations.push_back(container_.span[v].add);
    if (removed(v)) operations.push_back(container_.span[v].remove);
    operations.insert(operations.end(), looks_of(v).begin(), looks_of(v).end());
  }
  std::sort(operations.begin(), operations.end());
  return operations;
}

}  // namespace linchpin::types
