#include "algo/absence_sweep.hpp"

#include <algorithm>

#include "algo/radix_sort.hpp"

namespace linchpin::algo {

using history::Rank;

/// What happens when: the moment, what it is, the unit.
std::vector<std::uint64_t> AbsenceSweep::moments() const {
  std::vector<std::uint64_t> moments, buffer;
  moments.reserve(2 * units_.size());
  const auto add = [&](Rank rank, unsigned what, std::uint32_t number) {
    moments.push_back((std::uint64_t{rank.number()} << 34U) | (std::uint64_t{what} << 32U) | number);
  };
  for (std::uint32_t number = 0; number < units_.size(); ++number) {
    const AbsenceUnit& unit = units_[number];
    const bool zone = unit.kind == AbsenceUnit::Kind::zone;
    add(unit.opens, zone ? kZoneBegins : kOpens, number);
    if (unit.closes != Rank::none()) add(unit.closes, zone ? kZoneEnds : kCloses, number);
  }
  radix_sort(moments, 32, 64, buffer);
  return moments;
}

std::optional<std::uint32_t> AbsenceSweep::run() {
  for (const std::uint64_t moment : moments()) {
    const auto number = static_cast<std::uint32_t>(moment);
    if (!pass(static_cast<unsigned>(moment >> 32U) & 3U, number)) return number;
  }
  return std::nullopt;
}

void AbsenceSweep::take_all(std::vector<std::uint32_t>& numbers) {
  for (const std::uint32_t number : numbers) take(number);
  numbers.clear();
}

bool AbsenceSweep::any_left(Heap& heap) {
  while (!heap.empty() && done_[heap.top().second]) heap.pop();
  return !heap.empty();
}

bool AbsenceSweep::remove() {
  if (!any_left(resets_)) return false;
  take_first(resets_);
  present_ = false;
  take_all(zeros_);
  return true;
}

void AbsenceSweep::store() {
  const bool up = any_left(ups_);
  if (hoards_) {
    const bool set = any_left(later_);
    if (!up && !set) return;
    take_first(up && (!set || ups_.top() < later_.top()) ? ups_ : later_);
    present_ = true;
    return;
  }
  if (up) {
    take_first(ups_);
    present_ = true;
  }
  if (!sets_.empty()) {
    take_all(sets_);
    present_ = true;
  }
}

bool AbsenceSweep::pass(unsigned what, std::uint32_t number) {
  const AbsenceUnit& unit = units_[number];
  switch (what) {
    case kZoneEnds:
      present_ = !unit.to_absent;
      take_all(present_ ? sets_ : zeros_);
      return true;
    case kZoneBegins:
      if (unit.from_absent && present_ && !remove()) return false;
      if (!unit.from_absent && !present_) store();
      take(number);
      return true;
    case kOpens: open(unit, number); return true;
    default: return done_[number] || close(unit, number);
  }
}

void AbsenceSweep::open(const AbsenceUnit& unit, std::uint32_t number) {
  switch (unit.kind) {
    case AbsenceUnit::Kind::set:
      if (hoards_) {
        later_.emplace(unit.closes, number);
      } else if (present_) {
        take(number);
      } else {
        sets_.push_back(number);
      }
      return;
    case AbsenceUnit::Kind::zero:
      if (present_) {
        zeros_.push_back(number);
      } else {
        take(number);
      }
      return;
    default: (unit.kind == AbsenceUnit::Kind::up ? ups_ : resets_).emplace(unit.closes, number); return;
  }
}

bool AbsenceSweep::close(const AbsenceUnit& unit, std::uint32_t number) {
  switch (unit.kind) {
    case AbsenceUnit::Kind::zero: return remove();
    case AbsenceUnit::Kind::set:
      while (!done_[number]) {
        if (present_) {
          take(number);
        } else {
          store();
        }
      }
      return true;
    case AbsenceUnit::Kind::up:
      // Another one of the same last moment may go first.
      while (!done_[number]) {
        if (present_ && !remove()) return false;
        store();
      }
      return true;
    default:
      if (!present_) store();
      take(number);
      present_ = false;
      take_all(zeros_);
      return true;
  }
}

}  // namespace linchpin::algo
