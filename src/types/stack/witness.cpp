// The witness of a linearizable stack history: a list a segment, filled from its last operation to its first.
//
// In a segment come first the pops, of values eliminated later first (they lie further up), looks of a value in the
// segment of its pop directly before it; then looks strictly inside, empties, and coreless values (push, looks and pop
// side by side), by call; then the pushes, of values eliminated earlier first, each followed by the looks of its value
// in this segment. Ends of covers are calls that lie before the segment and starts are responses behind it, so pops may
// act at its left end and pushes at its right end.
// Cost O(n).
#include <algorithm>

#include "base/none.hpp"
#include "types/stack/check.hpp"

namespace linchpin::types {

std::vector<std::uint32_t> StackCheck::witness() const {
  const StackSegments& segments = *segments_;
  std::vector<std::uint32_t> head(segments.count(), kNone), next(history_.size(), kNone);
  const auto put = [&](std::uint32_t segment, std::uint32_t operation) {
    next[operation] = head[segment];
    head[segment] = operation;
  };
  const auto looks_of = [&](algo::ValueNumber value) {
    return looks_by_value_ ? looks_by_value_->of(value) : std::span<const std::uint32_t>();
  };
  const auto put_looks = [&](std::uint32_t k, std::uint32_t segment) {
    for (const std::uint32_t look : looks_of(segments.value_of[k])) {
      if (other_segment_[look] == segment) put(segment, look);
    }
  };

  for (auto k = order_.rbegin(); k != order_.rend(); ++k) {
    put_looks(*k, push_segment_[*k]);
    put(push_segment_[*k], container_.span[segments.value_of[*k]].add);
  }
  for (std::uint32_t i = history_.size(); i-- > 0;) {
    if (history_.kind[i] == ActKind::empty) {
      put(other_segment_[i], i);
      continue;
    }
    if (history_.kind[i] == ActKind::lost_take || history_.kind[i] == ActKind::omitted) continue;
    const algo::ValueNumber value = history_.value[i];
    const std::uint32_t k = segments.number[value];
    if (k == kNone) {
      const algo::ValueSpan& span = container_.span[value];
      if (span.last_call != history_.call[i]) continue;
      const std::uint32_t segment = segments.of_gap(span.last_call.number());
      if (span.remove != kNone) put(segment, span.remove);
      for (const std::uint32_t look : looks_of(value)) put(segment, look);
      put(segment, span.add);
    } else if (history_.kind[i] == ActKind::look && other_segment_[i] != push_segment_[k] &&
               other_segment_[i] != pop_segment_[k]) {
      put(other_segment_[i], i);
    }
  }
  for (const std::uint32_t k : order_) {
    const std::uint32_t remove = container_.span[segments.value_of[k]].remove;
    // Values that nobody removes stay; so do those whose pending pop would come among their removes.
    if (remove != kNone && pop_segment_[k] <= segments.completion) put(pop_segment_[k], remove);
    if (pop_segment_[k] != push_segment_[k]) put_looks(k, pop_segment_[k]);
  }

  std::vector<std::uint32_t> order;
  order.reserve(history_.size());
  for (const std::uint32_t first : head) {
    for (std::uint32_t i = first; i != kNone; i = next[i]) order.push_back(i);
  }
  return order;
}

}  // namespace linchpin::types
