#include "types/queue/position_past.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace linchpin::types::queue {

namespace {

using history::Rank;

constexpr std::size_t kMostStarts = 4096;
constexpr std::size_t kMostNumbers = std::size_t{1} << 22;  // in all starts

/// How many of each value are placed.
using algo::ValueNumber;
using Numbers = algo::ByValue<std::uint32_t>;

/// The enqueues or the dequeues.
class Side {
 public:
  Side(const PositionWalk& walk, Kind kind)
      : walk_(walk), track_(walk.tracks()[kind]), kind_(kind), first_(walk.values() + 1, 0) {
    const std::uint32_t n = track_.end();
    for (std::uint32_t i = 0; i < n; ++i) ++first_[value_of(i).number() + 1];
    for (std::uint32_t value = 0; value < walk.values(); ++value) first_[value + 1] += first_[value];
    members_.resize(n);
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    const auto list = [&](std::uint32_t member) { members_[next[value_of(member).number()]++] = member; };
    for (const std::uint32_t member : track_.by_response()) list(member);
    for (std::uint32_t i = 0; i < n; ++i) {
      if (track_.response(i) == Rank::none()) list(i);
    }
  }

  /// Narrows the numbers to those that can be placed up to the position.
  void bound(std::uint32_t position, Numbers& least, Numbers& most) const {
    Numbers surely(least.size(), 0);
    Numbers possibly(most.size(), 0);
    for (const std::uint32_t member : certain(position)) ++surely[value_of(member)];
    std::size_t before = 0;  // responded before the member is called
    for (std::uint32_t i = 0; i < track_.end(); ++i) {
      while (before < responses() && track_.response(track_.by_response()[before]) < track_.call(i)) ++before;
      if (before < position) ++possibly[value_of(i)];
    }
    for (ValueNumber value = 0; value < least.size(); ++value) {
      least[value] = std::max(least[value], surely[value]);
      most[value] = std::min(most[value], possibly[value]);
    }
  }

  /// What is placed up to the position in any case, by response.
  [[nodiscard]] std::span<const std::uint32_t> certain(std::uint32_t position) const {
    std::size_t count = 0;
    std::uint32_t called = 0;  // called before the member responds
    for (const std::uint32_t member : track_.by_response()) {
      while (called < track_.end() && track_.call(called) < track_.response(member)) ++called;
      if (called > position) break;
      ++count;
    }
    return std::span(track_.by_response()).first(count);
  }

  /// The least response of what is not placed.
  [[nodiscard]] Rank least_response(const Numbers& numbers) const {
    Rank least = Rank::none();
    for (ValueNumber value = 0; value < numbers.size(); ++value) {
      const auto all = of(value);
      if (numbers[value] < all.size()) least = std::min(least, track_.response(all[numbers[value]]));
    }
    return least;
  }

  /// Places what responds before `common`, as every start does that leaves nothing out which responds before.
  void place_common(Rank common, std::vector<Placement>& placed) {
    common_.assign(walk_.values(), 0);
    for (const std::uint32_t member : track_.by_response()) {
      if (track_.response(member) >= common) break;
      placed.push_back({kind_, member});
      ++common_[value_of(member)];
    }
  }

  /// Places the rest of the numbers; false: not so many were called in time.
  [[nodiscard]] bool place_more(const Numbers& numbers, std::vector<Placement>& placed) const {
    const Rank bound = least_response(numbers);
    for (ValueNumber value = 0; value < numbers.size(); ++value) {
      const auto all = of(value);
      std::uint32_t count = common_[value];
      for (std::size_t k = count; k < all.size() && count < numbers[value]; ++k) {
        if (track_.call(all[k]) >= bound) continue;
        placed.push_back({kind_, all[k]});
        ++count;
      }
      if (count < numbers[value]) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] ValueNumber value_of(std::uint32_t member) const { return walk_.value_number(kind_, member); }
  [[nodiscard]] std::size_t responses() const { return track_.by_response().size(); }
  [[nodiscard]] std::span<const std::uint32_t> of(ValueNumber value) const {
    const std::uint32_t row = value.number();
    return std::span(members_).subspan(first_[row], first_[row + 1] - first_[row]);
  }

  const PositionWalk& walk_;
  const PositionTrack& track_;
  Kind kind_;
  std::vector<std::uint32_t> first_;    // by the number of the value: where its members begin
  std::vector<std::uint32_t> members_;  // by value, then response
  Numbers common_;
};

/// All numbers between the two that are `position` in all; nothing where they are too many.
std::optional<std::vector<Numbers>> numbers_between(const Numbers& least, const Numbers& most, std::uint32_t position) {
  std::uint64_t sum = 0;
  std::vector<ValueNumber> open;  // values with several possible numbers
  std::vector<std::uint64_t> room = {0};
  for (ValueNumber value(least.size()); value-- > 0;) {
    if (least[value] > most[value]) return std::nullopt;
    sum += least[value];
    if (least[value] == most[value]) continue;
    open.push_back(value);
    room.push_back(room.back() + most[value] - least[value]);
  }
  if (sum > position) return std::nullopt;
  std::vector<Numbers> all;
  Numbers numbers = least;
  // The open values from the last on, so that `room` says what those to come can hold.
  const auto choose = [&](auto&& self, std::size_t left, std::uint64_t missing) -> bool {
    if (missing > room[left]) return true;
    if (left == 0) {
      all.push_back(numbers);
      return all.size() <= kMostStarts && all.size() * numbers.size() <= kMostNumbers;
    }
    const ValueNumber value = open[left - 1];
    for (std::uint32_t more = 0; more <= most[value] - least[value] && more <= missing; ++more) {
      numbers[value] = least[value] + more;
      if (!self(self, left - 1, missing - more)) return false;
    }
    numbers[value] = least[value];
    return true;
  };
  if (sum + room.back() < position || open.size() > kMostStarts || !choose(choose, open.size(), position - sum))
    return std::nullopt;
  return all;
}

/// Places the members from `next` on that were called before the bound; says where it stopped.
std::uint32_t place_called_before(Rank bound, const PositionTrack& track, Kind kind, std::uint32_t next,
                                  std::vector<Placement>& placed) {
  for (; next < track.end() && track.call(next) < bound; ++next) placed.push_back({kind, next});
  return next;
}

}  // namespace

std::optional<PositionStarts> position_starts(const PositionWalk& walk, std::uint32_t position) {
  if (!walk.wildcards().empty()) return std::nullopt;
  Side enqueues(walk, kEnqueues);
  Side dequeues(walk, kDequeues);
  Numbers least(walk.values(), 0);
  Numbers most(walk.values(), position);
  enqueues.bound(position, least, most);
  dequeues.bound(position, least, most);
  const auto all = numbers_between(least, most, position);
  if (!all) return std::nullopt;

  PositionStarts starts;
  const PositionTrack& track = walk.tracks()[kDequeues];
  for (const std::uint32_t member : dequeues.certain(position)) {
    starts.latest = std::max(starts.latest, track.call(member) + 1);
  }
  Rank enqueues_common = Rank::none();
  Rank dequeues_common = Rank::none();
  for (const Numbers& numbers : *all) {
    enqueues_common = std::min(enqueues_common, enqueues.least_response(numbers));
    dequeues_common = std::min(dequeues_common, dequeues.least_response(numbers));
  }
  enqueues.place_common(enqueues_common, starts.base);
  dequeues.place_common(dequeues_common, starts.base);
  const PositionTrack& peeks = walk.tracks()[kPeeks];
  const PositionTrack& empties = walk.tracks()[kEmpties];
  const std::uint32_t next_peek = place_called_before(dequeues_common, peeks, kPeeks, 0, starts.base);
  const Rank common = std::min(enqueues_common, dequeues_common);
  const std::uint32_t next_empty = place_called_before(common, empties, kEmpties, 0, starts.base);
  for (const Numbers& numbers : *all) {
    std::vector<Placement> more;
    if (!enqueues.place_more(numbers, more) || !dequeues.place_more(numbers, more)) continue;
    const Rank of_dequeues = dequeues.least_response(numbers);
    const Rank of_both = std::min(of_dequeues, enqueues.least_response(numbers));
    place_called_before(of_dequeues, peeks, kPeeks, next_peek, more);
    place_called_before(of_both, empties, kEmpties, next_empty, more);
    starts.more.push_back(std::move(more));
  }
  // Nothing can be said about a position that cannot be reached.
  if (starts.more.empty()) return std::nullopt;
  return starts;
}

}  // namespace linchpin::types::queue
