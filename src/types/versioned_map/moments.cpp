#include "types/versioned_map/moments.hpp"

#include <algorithm>
#include <utility>

#include "base/none.hpp"

namespace linchpin::types::versioned_map {

namespace {

/// Appends an interval that begins no earlier than the last one, and joins the two where nothing lies between.
void append(std::vector<Interval>& list, Interval next) {
  if (!list.empty() && (list.back().to == kNever || next.from <= list.back().to + 1)) {
    list.back().to = std::max(list.back().to, next.to);
  } else {
    list.push_back(next);
  }
}

/// `number[i]` of the operations for which `wanted` holds, counted and then filled.
template <class Wanted>
Lists lists_of(const Requests& requests, std::uint32_t numbers, Wanted wanted) {
  Lists lists;
  lists.begin.assign(numbers + 1, 0);
  const auto size = static_cast<std::uint32_t>(requests.role.size());
  for (std::uint32_t i = 0; i < size; ++i) {
    if (wanted(requests.role[i])) ++lists.begin[requests.number[i] + 1];
  }
  for (std::uint32_t number = 0; number < numbers; ++number) lists.begin[number + 1] += lists.begin[number];
  lists.operations.resize(lists.begin.back());
  std::vector<std::uint32_t> next = lists.begin;
  for (std::uint32_t i = 0; i < size; ++i) {
    if (wanted(requests.role[i])) lists.operations[next[requests.number[i]]++] = i;
  }
  return lists;
}

}  // namespace

Moments::Moments(const history::Subhistory& part, const Requests& requests) : part_(part), requests_(requests) {
  std::uint32_t greatest = 0;
  for (const std::uint32_t number : requests.number) greatest = std::max(greatest, number);
  boundaries_ = greatest + 2;  // the last of them: what never ends
  read_bounds();
  read_lists();
}

void Moments::bound_below(std::uint32_t boundary, std::uint32_t i) {
  if (lower_by_[boundary] != kNone && lower_[boundary] >= first_gap(i)) return;
  lower_[boundary] = first_gap(i);
  lower_by_[boundary] = i;
}

void Moments::bound_above(std::uint32_t boundary, std::uint32_t i) {
  if (upper_[boundary] <= last_gap(i)) return;
  upper_[boundary] = last_gap(i);
  upper_by_[boundary] = i;
}

void Moments::read_bounds() {
  lower_.assign(boundaries_, 0);
  upper_.assign(boundaries_, kNever);
  lower_by_.assign(boundaries_, kNone);
  upper_by_.assign(boundaries_, kNone);
  for (std::uint32_t i = 0; i < part_.size(); ++i) {
    const std::uint32_t number = requests_.number[i];
    switch (requests_.role[i]) {
      case Role::sees:
        bound_below(number, i);
        if (number > 0) bound_above(number - 1, i);
        break;
      case Role::takes:
        bound_below(number, i);
        bound_above(number, i);
        break;
      case Role::present: bound_above(0, i); break;
      case Role::other_present: bound_above(number == 1 ? 1 : 0, i); break;
      case Role::other:
      case Role::tries:
        if (number == 0) bound_above(0, i);
        break;
      default: break;
    }
  }
  // Boundaries come one after the other.
  for (std::uint32_t b = 1; b < boundaries_; ++b) {
    if (lower_by_[b - 1] == kNone || (lower_by_[b] != kNone && lower_[b] >= lower_[b - 1])) continue;
    lower_[b] = lower_[b - 1];
    lower_by_[b] = lower_by_[b - 1];
  }
  for (std::uint32_t b = boundaries_ - 1; b-- > 0;) {
    if (upper_[b] <= upper_[b + 1]) continue;
    upper_[b] = upper_[b + 1];
    upper_by_[b] = upper_by_[b + 1];
  }
}

void Moments::read_lists() {
  writes_ = lists_of(requests_, boundaries_, [](Role role) {
    return role == Role::may_take || role == Role::may_take_or_not || role == Role::tries;
  });
  excluded_ = lists_of(requests_, boundaries_, [](Role role) {
    return role == Role::other || role == Role::other_present || role == Role::tries;
  });
}

void Moments::possible_writes(std::uint32_t boundary) {
  written_.clear();
  if (const std::uint32_t sure = requests_.taken_by[boundary]; sure != kNone) {
    written_.push_back({first_gap(sure), last_gap(sure)});
  } else {
    for (const std::uint32_t i : writes(boundary)) {
      if (requests_.may_write(part_, i)) append(written_, {first_gap(i), last_gap(i)});
    }
  }
  if (upper_[boundary] == kNever) append(written_, {kNever, kNever});
}

void Moments::step(std::uint32_t boundary, std::span<const Interval> before, std::vector<Interval>& out) {
  // Of those that were called after a moment, the least response; from the back, for each to begin with.
  const std::span<const std::uint32_t> others = boundary == 0 ? std::span<const std::uint32_t>() : excluded(boundary);
  least_response_.assign(others.size() + 1, kNever);
  for (std::size_t k = others.size(); k-- > 0;) {
    least_response_[k] = std::min(least_response_[k + 1], last_gap(others[k]));
  }
  reachable_.clear();
  std::size_t later = 0;
  for (const Interval interval : before) {
    while (later < others.size() && first_gap(others[later]) <= interval.to) ++later;
    const Interval next{std::max(interval.from, lower_[boundary]), std::min(least_response_[later], upper_[boundary])};
    if (next.from <= next.to) append(reachable_, next);
  }
  possible_writes(boundary);
  for (std::size_t a = 0, b = 0; a < reachable_.size() && b < written_.size();) {
    const Interval both{std::max(reachable_[a].from, written_[b].from), std::min(reachable_[a].to, written_[b].to)};
    if (both.from <= both.to) out.push_back(both);
    if (reachable_[a].to < written_[b].to) {
      ++a;
    } else {
      ++b;
    }
  }
}

std::optional<std::uint32_t> Moments::find_blocked(core::Budget& budget) {
  intervals_.clear();
  begin_.assign(1, 0);
  std::vector<Interval> before{{0, 0}}, next;
  for (std::uint32_t boundary = 0; boundary < boundaries_; ++boundary) {
    if (budget.spent()) return std::nullopt;
    next.clear();
    step(boundary, before, next);
    if (next.empty()) return boundary;
    intervals_.insert(intervals_.end(), next.begin(), next.end());
    begin_.push_back(static_cast<std::uint32_t>(intervals_.size()));
    std::swap(before, next);
  }
  return std::nullopt;
}

bool Moments::blocked_from(std::uint32_t first, std::uint32_t boundary) {
  std::vector<Interval> before{{0, first == 0 ? 0 : kNever}}, next;
  for (std::uint32_t b = first; b <= boundary; ++b) {
    next.clear();
    step(b, before, next);
    if (next.empty()) return true;
    std::swap(before, next);
  }
  return false;
}

std::vector<Moment> Moments::choose() const {
  std::vector<Moment> moments(boundaries_);
  Moment next = kNever;
  for (std::uint32_t b = boundaries_; b-- > 0;) {
    const auto from = intervals_.begin() + begin_[b], to = intervals_.begin() + begin_[b + 1];
    const auto after =
        std::upper_bound(from, to, next, [](Moment moment, Interval interval) { return moment < interval.from; });
    next = std::min(std::prev(after)->to, next);
    moments[b] = next;
  }
  moments.erase(std::lower_bound(moments.begin(), moments.end(), kNever), moments.end());
  return moments;
}

std::uint32_t Moments::writer(std::uint32_t boundary, Moment moment) const {
  if (const std::uint32_t sure = requests_.taken_by[boundary]; sure != kNone) return sure;
  for (const std::uint32_t i : writes(boundary)) {
    if (first_gap(i) <= moment && moment <= last_gap(i) && requests_.may_write(part_, i)) return i;
  }
  return kNone;
}

}  // namespace linchpin::types::versioned_map
