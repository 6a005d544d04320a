#include "research/check_pq/single_priority.hpp"

namespace linchpin::research::check_pq {

std::optional<std::pair<std::uint32_t, std::uint32_t>> single_priority_violation(const Projection& projection) {
  const Execution& execution = *projection.execution;
  for (const std::uint32_t b : projection.values) {
    const PutAndRemove& second = execution.values[b];
    if (!second.rm) continue;
    if (second.rm->happens_before(second.put)) return std::pair(b, b);
    for (const std::uint32_t a : projection.values) {
      const PutAndRemove& first = execution.values[a];
      if (a == b || !execution.same(a, b) || !first.put.happens_before(second.put)) continue;
      if (!first.rm || second.rm->happens_before(*first.rm)) return std::pair(a, b);
    }
  }
  return std::nullopt;
}

}  // namespace linchpin::research::check_pq
