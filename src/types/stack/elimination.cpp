#include "types/stack/elimination.hpp"

#include <algorithm>
#include <numeric>

#include "base/none.hpp"

namespace linchpin::types {

StackLooks::StackLooks(const algo::ContainerHistory& history, const algo::ContainerValues& container,
                       const StackSegments& segments, const algo::LooksByValue& looks) {
  begin.reserve(segments.values + 1);
  for (std::uint32_t k = 0; k < segments.values; ++k) {
    begin.push_back(size());
    const algo::ValueNumber v = segments.value_of[k];
    for (const std::uint32_t look : looks.of(v)) {
      const algo::Gaps gaps = algo::look_gaps(history, container.span[v], look);
      const std::uint32_t left = segments.of_gap(gaps.first), right = segments.of_gap(gaps.last);
      // Left ends ascend. Keep the inclusion-minimal ranges.
      if (left <= segments.push_first[k] && right >= segments.start[k]) continue;
      if (left <= segments.end[k] + 1 && right >= segments.pop_last[k]) continue;
      if (size() > begin.back() && first.back() == left && last.back() <= right) continue;
      while (size() > begin.back() && last.back() >= right) {
        owner.pop_back();
        operation.pop_back();
        first.pop_back();
        last.pop_back();
      }
      owner.push_back(k);
      operation.push_back(look);
      first.push_back(left);
      last.push_back(right);
    }
  }
  begin.push_back(size());
}

StackElimination::StackElimination(const StackSegments& segments, const StackLooks& looks)
    : segments_(segments), looks_(looks), open_(segments.count(), false) {
  const std::uint32_t m = segments.values;
  std::vector<std::int32_t> ends(m);
  for (std::uint32_t k = 0; k < m; ++k) ends[k] = static_cast<std::int32_t>(segments.end[k]);
  covers_.build(ends);
  need_.assign(m, 2);
  find_open_segments();
  const bool pairs = looks.size() > 0;
  if (pairs) {
    for (std::uint32_t k = 0; k < m; ++k) need_[k] += looks.begin[k + 1] - looks.begin[k];
    look_is_safe_.assign(looks.size(), false);
    unsafe_link_.resize(looks.size() + 1);
    std::iota(unsafe_link_.begin(), unsafe_link_.end(), 0U);
    region_.resize(segments.count());
    left_of_right_.resize(segments.count(), kNone);
    leftmost_.assign(m, kNone);
  } else {
    held_left_.assign(m, kNone);
    held_right_.assign(m, kNone);
  }
  prepare_waiting();
  // The closed segments, run by run.
  for (std::uint32_t s = 0; s < segments.count();) {
    if (open_.contains(s)) {
      ++s;
      continue;
    }
    const std::uint32_t next = open_.next(s);  // the last segment is open
    pairs ? assign_pairs(s, next - 1) : assign(s, next - 1);
    s = next;
  }
}

void StackElimination::find_open_segments() {
  std::uint32_t inside = 0;
  for (std::uint32_t s = 0; s < segments_.count(); ++s) {
    if (inside == 0) open_.insert(s);
    if (s + 1 < segments_.count()) inside += segments_.endpoint[s] >= 0 ? 1U : ~0U;
  }
}

void StackElimination::prepare_waiting() {
  const std::uint32_t m = segments_.values;
  const auto key = [](std::uint32_t segment) { return static_cast<std::int32_t>(segment); };
  std::vector<std::int32_t> push_keys, pop_keys;
  if (looks_.size() == 0) {
    push_keys.resize(m);
    pop_keys.resize(m);
    end_order_.resize(m);
    for (std::uint32_t k = 0; k < m; ++k) {
      const bool push_safe = this->push_safe(k), pop_safe = this->pop_safe(k);
      push_keys[k] = push_safe ? algo::MaxTree::kLowest : -key(segments_.push_first[k]);
      const std::uint32_t end_rank = segments_.end[k] - segments_.starts_before[segments_.end[k]];
      pop_keys[end_rank] = pop_safe ? algo::MaxTree::kLowest : key(segments_.pop_last[k]);
      end_order_[end_rank] = k;
      if (push_safe) make_safe(k);
      if (pop_safe) make_safe(k);
    }
  } else {
    // The part of a look before its value's cover waits like a push, the part behind it like a pop.
    const auto add_looks = [&](std::uint32_t k, auto&& part) {
      for (std::uint32_t look = looks_.begin[k]; look < looks_.begin[k + 1]; ++look) part(look);
    };
    pushes_.begin.reserve(m + 1);
    for (std::uint32_t k = 0; k < m; ++k) {
      pushes_.begin.push_back(static_cast<std::uint32_t>(push_keys.size()));
      if (push_safe(k)) {
        make_safe(k);
      } else {
        push_keys.push_back(-key(segments_.push_first[k]));
        pushes_.owner.push_back(k);
      }
      add_looks(k, [&](std::uint32_t look) {
        if (looks_.first[look] > segments_.start[k]) return;
        if (open_.meets(looks_.first[look], segments_.start[k])) {
          make_look_safe(look);
        } else {
          push_keys.push_back(-key(looks_.first[look]));
          pushes_.owner.push_back(m + look);
        }
      });
    }
    pushes_.begin.push_back(static_cast<std::uint32_t>(push_keys.size()));
    pops_.begin.reserve(m + 1);
    for (std::uint32_t position = 0; position < 2 * m; ++position) {
      if (segments_.endpoint[position] >= 0) continue;
      const auto k = static_cast<std::uint32_t>(~segments_.endpoint[position]);
      pops_.begin.push_back(static_cast<std::uint32_t>(pop_keys.size()));
      if (pop_safe(k)) {
        make_safe(k);
      } else {
        pop_keys.push_back(key(segments_.pop_last[k]));
        pops_.owner.push_back(k);
      }
      add_looks(k, [&](std::uint32_t look) {
        if (looks_.last[look] <= segments_.end[k] || look_is_safe_[look]) return;
        if (open_.meets(segments_.end[k] + 1, looks_.last[look])) {
          make_look_safe(look);
        } else {
          pop_keys.push_back(key(looks_.last[look]));
          pops_.owner.push_back(m + look);
        }
      });
    }
    pops_.begin.push_back(static_cast<std::uint32_t>(pop_keys.size()));
  }
  pushes_.tree.build(push_keys);
  pops_.tree.build(pop_keys);
}

void StackElimination::make_look_safe(std::uint32_t look) {
  if (look_is_safe_[look]) return;
  look_is_safe_[look] = true;
  unsafe_link_[look] = look + 1;
  make_safe(looks_.owner[look]);
}

void StackElimination::wake(std::uint32_t entry_owner) {
  if (entry_owner < segments_.values) {
    make_safe(entry_owner);
  } else {
    make_look_safe(entry_owner - segments_.values);
  }
}

/// Opens segments first .. last and wakes what can act in one of them.
void StackElimination::open_segments(std::uint32_t first, std::uint32_t last) {
  for (std::uint32_t s = first; s <= last; ++s) open_.insert(s);
  if (!region_.empty()) std::fill(&region_[first], &region_[last] + 1, Region{});
  const bool identity = looks_.size() == 0;
  // Covers that start from `first` on: it is enough that the push may begin by `last`.
  const std::uint32_t starts = segments_.starts_before[first], from = identity ? starts : pushes_.begin[starts];
  for (;;) {
    const std::uint32_t entry = pushes_.tree.find_in_suffix(from, -static_cast<std::int32_t>(last));
    if (entry == kNone) break;
    pushes_.tree.set(entry, algo::MaxTree::kLowest);
    wake(identity ? entry : pushes_.owner[entry]);
  }
  // Covers that have ended by `last`: it is enough that the pop may act from `first` on.
  const std::uint32_t ends = last - segments_.starts_before[last], until = identity ? ends : pops_.begin[ends];
  for (;;) {
    const std::uint32_t entry = pops_.tree.find_in_prefix(until, static_cast<std::int32_t>(first));
    if (entry == kNone) break;
    pops_.tree.set(entry, algo::MaxTree::kLowest);
    wake(identity ? end_order_[entry] : pops_.owner[entry]);
  }
}

/// Opens segments from `left` on, up to `right` or the next remaining cover; returns the first that was not opened.
std::uint32_t StackElimination::open_from(std::uint32_t left, std::uint32_t right) {
  std::uint32_t last = left;
  while (last < right && !cover_starts_after(last)) ++last;
  open_segments(left, last);
  return last + 1;
}

void StackElimination::eliminate(std::uint32_t k) {
  if (looks_.size() > 0) return eliminate_from_pairs(k);
  covers_.set(k, -1);
  if (held_left_[k] == kNone) return;
  assign(held_left_[k], held_right_[k]);
}

/// Finds holders for segments left .. right, which have none.
void StackElimination::assign(std::uint32_t left, std::uint32_t right) {
  while (left <= right) {
    const std::uint32_t x = furthest(left);
    if (x == kNone) {
      left = open_from(left, right);
      continue;
    }
    if (held_left_[x] == right + 1) {  // holds what comes next: extended to the left
      held_left_[x] = left;
      return;
    }
    if (held_left_[x] == kNone) held_left_[x] = left;  // else it holds what comes before, and is extended
    held_right_[x] = std::min(segments_.end[x], right);
    left = held_right_[x] + 1;
  }
}

void StackElimination::assign_pairs(std::uint32_t left, std::uint32_t right) {
  while (left <= right) {
    const auto [x, y] = two_furthest(left);
    if (x == kNone) {
      left = open_from(left, right);
      continue;
    }
    std::uint32_t last = std::min(right, segments_.end[y == kNone ? x : y]);
    if (y == kNone) {
      std::uint32_t s = left;
      while (s < last && !cover_starts_after(s)) ++s;
      last = s;
    }
    place(left, last, x, y);
    if (y == kNone) wake_sole(x, left, last);
    left = last + 1;
  }
}

/// Gives segments left .. right to the pair, merged with the region before where that has the same.
void StackElimination::place(std::uint32_t left, std::uint32_t right, std::uint32_t x, std::uint32_t y) {
  if (left > 0 && !open_.contains(left - 1)) {
    const std::uint32_t before = left_of_right_[left - 1];
    Region& neighbour = region_[before];
    if ((neighbour.first == x && neighbour.second == y) || (neighbour.first == y && neighbour.second == x)) {
      neighbour.right = right;
      left_of_right_[right] = before;
      return;
    }
  }
  region_[left] = Region{right, x, y};
  left_of_right_[right] = left;
  leftmost_[x] = std::min(leftmost_[x], left);
  if (y != kNone) leftmost_[y] = std::min(leftmost_[y], left);
}

void StackElimination::eliminate_from_pairs(std::uint32_t k) {
  covers_.set(k, -1);
  std::uint32_t left = leftmost_[k];
  if (left == kNone) return;
  std::uint32_t right = left;
  while (left < segments_.count() && (region_[left].first == k || region_[left].second == k)) {
    right = region_[left].right;
    assign_pairs(left, right);
    left = right + 1;
  }
  if (open_.contains(right) || open_.contains(right + 1)) return;
  const std::uint32_t here = left_of_right_[right];
  const Region next = region_[right + 1];
  Region& last = region_[here];
  if ((last.first == next.first && last.second == next.second) ||
      (last.first == next.second && last.second == next.first)) {
    last.right = next.right;
    left_of_right_[next.right] = here;
  }
}

std::uint32_t StackElimination::next_unsafe(std::uint32_t look) {
  while (unsafe_link_[look] != look) look = unsafe_link_[look] = unsafe_link_[unsafe_link_[look]];
  return look;
}

/// Segments left .. right are covered by k only: wakes its looks that meet them.
void StackElimination::wake_sole(std::uint32_t k, std::uint32_t left, std::uint32_t right) {
  const std::uint32_t begin = looks_.begin[k], end = looks_.begin[k + 1];
  const auto lasts = looks_.last.begin();
  auto look = static_cast<std::uint32_t>(std::lower_bound(lasts + begin, lasts + end, left) - lasts);
  for (look = next_unsafe(look); look < end && looks_.first[look] <= right; look = next_unsafe(look)) {
    make_look_safe(look);
  }
}

}  // namespace linchpin::types
