// The witness of a linearizable priority queue history.
//
// In one gap, any order is compatible with happens-before. Without an order among equals: first removes and looks of
// values added in an earlier gap, the best class first; then values that come and go in this gap, one by one; then
// empties; then adds of values that stay, the worst class first, each followed by the looks of its value in this gap.
// A list a gap, filled from its last operation to its first: O(n).
// With first in, first out among equals the order is the one that FifoClasses chose: O(n log n).
#include <algorithm>
#include <deque>
#include <map>
#include <span>

#include "base/none.hpp"
#include "base/numbered_subset.hpp"
#include "types/priority_queue/check.hpp"

namespace linchpin::types {

using algo::ValueNumber;

std::optional<std::vector<std::uint32_t>> PriorityQueueCheck::witness() const {
  if (fifo_ties_) {
    if (!has_witness_) return std::nullopt;
    std::vector<std::uint32_t> fifo = fifo_witness();
    if (!replays(fifo)) return std::nullopt;
    return fifo;
  }
  base::NumberedSubset gaps(last_gap() + 1);  // in which anything happens
  for (const std::uint32_t gap : gap_) gaps.insert(gap);
  std::vector<std::uint32_t> head(gaps.number(), kNone), next(history_.size(), kNone);
  const auto put = [&](std::uint32_t operation) {
    std::uint32_t& first = head[gaps.below(gap_[operation])];
    next[operation] = first;
    first = operation;
  };
  // The gap of a value's remove; removes after every event did not happen.
  const auto removed_at = [&](const algo::ValueSpan& span) {
    return span.remove == kNone ? last_gap() : gap_[span.remove];
  };
  for (const ValueNumber v : order_) {
    const algo::ValueSpan& span = container_.span[v];
    const std::uint32_t at = gap_[span.add];
    if (removed_at(span) == at) continue;
    for (const std::uint32_t look : looks_of(v)) {
      if (gap_[look] == at) put(look);
    }
    put(span.add);
  }
  for (std::uint32_t i = 0; container_.any_empty && i < history_.size(); ++i) {
    if (history_.kind[i] == ActKind::empty) put(i);
  }
  for (const ValueNumber v : order_) {
    const algo::ValueSpan& span = container_.span[v];
    if (removed_at(span) != gap_[span.add]) continue;
    if (span.remove != kNone) put(span.remove);
    for (const std::uint32_t look : looks_of(v)) put(look);
    put(span.add);
  }
  for (auto v = order_.rbegin(); v != order_.rend(); ++v) {
    const algo::ValueSpan& span = container_.span[*v];
    const std::uint32_t at = gap_[span.add], gone = removed_at(span);
    if (gone == at) continue;
    if (gone != last_gap()) put(span.remove);
    for (const std::uint32_t look : looks_of(*v)) {
      if (gap_[look] != at) put(look);
    }
  }
  std::vector<std::uint32_t> order;
  order.reserve(history_.size());
  for (const std::uint32_t first : head) {
    for (std::uint32_t i = first; i != kNone; i = next[i]) order.push_back(i);
  }
  return order;
}

std::vector<std::uint32_t> PriorityQueueCheck::fifo_witness() const {
  const auto takes_effect = [&](std::uint32_t i) {
    if (history_.kind[i] == ActKind::omitted || history_.kind[i] == ActKind::lost_take) return false;
    return history_.kind[i] != ActKind::take || gap_[i] != last_gap();  // else pending, and did not happen
  };
  // First by gap, of which there are about as many as operations; then by what comes first in one gap.
  std::vector<std::uint32_t> begin(last_gap() + 2, 0);
  for (std::uint32_t i = 0; i < history_.size(); ++i) {
    if (takes_effect(i)) ++begin[gap_[i] + 1];
  }
  for (std::size_t gap = 1; gap < begin.size(); ++gap) begin[gap] += begin[gap - 1];
  std::vector<std::uint32_t> order(begin.back());
  for (std::uint32_t i = 0; i < history_.size(); ++i) {
    if (takes_effect(i)) order[begin[gap_[i]]++] = i;
  }
  const auto key = [&](std::uint32_t i) {
    std::uint32_t rank = history_.kind[i] == ActKind::empty ? 0 : classes_.of[history_.value[i]];
    if (side_[i] == Side::after) rank = ~rank;
    return static_cast<std::uint64_t>(side_[i]) << 32 | rank;
  };
  const auto earlier = [&](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t left = key(a), right = key(b);
    return left != right ? left < right : place_[a] < place_[b];
  };
  // Every gap's begin has moved to its end.
  std::uint32_t from = 0;
  for (const std::uint32_t to : begin) {
    if (to > from + 1) std::sort(order.begin() + from, order.begin() + to, earlier);
    from = std::max(from, to);
  }
  return order;
}

bool PriorityQueueCheck::replays(const std::vector<std::uint32_t>& order) const {
  history::Rank latest_call = 0;
  for (const std::uint32_t i : order) {
    if (history_.response[i] < latest_call) return false;
    latest_call = std::max(latest_call, history_.call[i]);
  }
  return classes_.order == nullptr ? executes(order) : serves_best(order);
}

bool PriorityQueueCheck::executes(const std::vector<std::uint32_t>& order) const {
  std::map<std::uint32_t, std::deque<ValueNumber>> inside;  // by class
  for (const std::uint32_t i : order) {
    const ValueNumber v = history_.value[i];
    if (history_.kind[i] == ActKind::add) {
      inside[classes_.of[v]].push_back(v);
      continue;
    }
    if (history_.kind[i] == ActKind::empty) {
      if (!inside.empty()) return false;
      continue;
    }
    if (inside.empty() || inside.begin()->second.front() != v) return false;
    if (history_.kind[i] != ActKind::take) continue;
    inside.begin()->second.pop_front();
    if (inside.begin()->second.empty()) inside.erase(inside.begin());
  }
  return true;
}

bool PriorityQueueCheck::serves_best(const std::vector<std::uint32_t>& order) const {
  const auto end = static_cast<std::uint32_t>(order.size());
  const std::uint32_t classes = static_cast<std::uint32_t>(class_begin_.size()) - 1;
  // Each class by itself: first in, first out. A list a class, from its oldest value to its newest.
  std::vector<std::uint32_t> place(history_.size(), end);
  algo::ByValue<ValueNumber> next(history_.values, ValueNumber::none());
  std::vector<ValueNumber> oldest(classes, ValueNumber::none()), newest(classes, ValueNumber::none());
  for (std::uint32_t at = 0; at < end; ++at) {
    const std::uint32_t i = order[at];
    const ValueNumber v = history_.value[i];
    place[i] = at;
    if (history_.kind[i] == ActKind::empty) continue;
    const std::uint32_t own = classes_.of[v];
    if (history_.kind[i] == ActKind::add) {
      (oldest[own] == ValueNumber::none() ? oldest[own] : next[newest[own]]) = v;
      newest[own] = v;
      continue;
    }
    if (oldest[own] != v) return false;
    if (history_.kind[i] == ActKind::take) oldest[own] = next[v];
  }
  // Between its add and its remove a value is inside.
  OpenGaps outside(classes_, classes, end + 1);
  const auto served = [&](std::uint32_t operation) {
    return place[operation] == end || outside.next(place[operation]) == place[operation];
  };
  for (std::uint32_t c = 0; c < classes; ++c) {
    outside.turn_to(c);
    const auto own = std::span(order_).subspan(class_begin_[c], class_begin_[c + 1] - class_begin_[c]);
    for (const ValueNumber v : own) {
      const auto looks = looks_of(v);
      if (removed(v) && !served(container_.span[v].remove)) return false;
      if (!std::all_of(looks.begin(), looks.end(), served)) return false;
    }
    for (const ValueNumber v : own) {
      const std::uint32_t first = place[container_.span[v].add] + 1;
      const std::uint32_t beyond = removed(v) ? place[container_.span[v].remove] : end;
      if (first < beyond) outside.cover(first, beyond - 1);
    }
  }
  outside.turn_to_end();
  for (const std::uint32_t i : order) {
    if (history_.kind[i] == ActKind::empty && !served(i)) return false;
  }
  return true;
}

}  // namespace linchpin::types
