#include "research/check_pq/gap_points.hpp"

#include <algorithm>

namespace linchpin::research::check_pq {

namespace {

std::vector<std::uint32_t> items(const Projection& projection, std::uint32_t member) {
  std::vector<std::uint32_t> same;
  for (const std::uint32_t v : projection.values) {
    if (projection.execution->same(v, member)) same.push_back(v);
  }
  return same;
}

/// Whether the gap after the action `index` lies where the value must be inside.
bool inside(const PutAndRemove& value, history::Rank index) {
  return value.put.ret <= index && (!value.rm || index < value.rm->call);
}

/// Whether y is called, put and removed, by the gap after `index`.
bool called_by(const PutAndRemove& y, history::Rank index) {
  return y.put.call <= index && (!y.rm || y.rm->call <= index);
}

}  // namespace

std::optional<history::Rank> rightmost_gap_point(const Projection& projection, std::uint32_t x) {
  const Execution& execution = *projection.execution;
  const PutAndRemove& own = execution.values[x];
  const history::Rank first = std::max(own.put.call, own.rm->call);
  for (history::Rank index = own.rm->ret; index-- > first;) {
    const bool gap = std::none_of(projection.values.begin(), projection.values.end(), [&](std::uint32_t d) {
      return execution.smaller(d, x) && inside(execution.values[d], index);
    });
    if (gap) return index;
  }
  return std::nullopt;
}

std::optional<char> put_before(const Execution& execution, std::uint32_t y, std::uint32_t x) {
  const PutAndRemove &left = execution.values[y], &right = execution.values[x];
  if (left.put.happens_before(right.put)) return 'A';
  if (left.rm && right.rm && left.rm->happens_before(*right.rm)) return 'B';
  if (left.rm && left.rm->happens_before(right.put)) return 'C';
  return std::nullopt;
}

std::optional<TooLate> removed_too_late(const Projection& projection, std::uint32_t member) {
  const Execution& execution = *projection.execution;
  const std::vector<std::uint32_t> same = items(projection, member);
  for (const std::uint32_t x : same) {
    const auto last = rightmost_gap_point(projection, x);
    if (!last) continue;
    for (const std::uint32_t y : same) {
      if (y == x || called_by(execution.values[y], *last)) continue;
      if (put_before(execution, y, x)) return TooLate{.x = x, .y = y};
      for (const std::uint32_t a : same) {
        if (a != x && a != y && put_before(execution, y, a) && put_before(execution, a, x)) {
          return TooLate{.x = x, .y = y, .by_way_of = a};
        }
      }
    }
  }
  return std::nullopt;
}

bool may_be_last(const Projection& projection, std::uint32_t x) {
  const Execution& execution = *projection.execution;
  const auto last = rightmost_gap_point(projection, x);
  if (!last) return false;
  const std::vector<std::uint32_t> same = items(projection, x);
  return std::all_of(same.begin(), same.end(), [&](std::uint32_t y) {
    return y == x || (!put_before(execution, x, y) && called_by(execution.values[y], *last));
  });
}

}  // namespace linchpin::research::check_pq
