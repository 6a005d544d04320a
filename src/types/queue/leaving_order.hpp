// In which order the values of a queue can come to the front and leave, told by the dequeues and peeks alone.
//
// What is enqueued i-th is dequeued i-th. So as soon as an enqueue takes effect it is known which dequeue takes the
// value: the i-th, in an order of dequeues and peeks in which none stands before one that returned before it was
// called. Of several dequeues that could be it the one that returns first is, since another one of the same value is
// not needed less later; and all peeks that could see it do. Where there is no dequeue left for it, the enqueue took
// effect in a wrong place, which would show only when the value leaves.
// Cost: O(k) a step for k operations open at once. Source: own. Compare: position_walk.hpp (both orders in step).
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "algo/frontier/slots.hpp"
#include "types/queue/counted.hpp"
#include "types/queue/counted_refutation.hpp"

namespace linchpin::types::queue {

template <class Mask>
class LeavingOrder {
 public:
  /// Which dequeues and peeks have their values, of so many that left.
  struct Place {
    std::uint32_t turn = 0;  ///< of those in the order of their responses, all before have; kAny: nothing is known
    Mask ahead;              ///< slots of those behind that have, too
    bool operator==(const Place&) const = default;
  };

  /// All outlive it. @pre no dequeue that returned has lost its result
  LeavingOrder(const history::Subhistory& part, const CountedHistory& history, const CountLimits& limits)
      : part_(part), history_(history), limits_(limits) {
    const auto sees = [&](std::uint32_t x) {
      return !part.pending(x) && (history.act[x] == ActKind::take || history.act[x] == ActKind::look);
    };
    for (const history::Event event : part.events()) {
      const std::uint32_t x = event.operation();
      if (!event.is_response() || !sees(x)) continue;
      by_response_.push_back(x);
      removes_ += history.act[x] == ActKind::take ? 1 : 0;
    }
    slots_ = algo::fixed_slots(part, sees);
    for (const std::uint32_t x : history.unfinished) first_pending_ = std::min(first_pending_, part.call[x]);
    std::vector<std::uint32_t> by_call(by_response_.size());
    std::iota(by_call.begin(), by_call.end(), 0U);
    std::ranges::sort(by_call, {}, [&](std::uint32_t at) { return part.call[by_response_[at]]; });
    std::size_t called = 0;
    std::uint32_t last = 0;
    for (const std::uint32_t x : by_response_) {
      for (; called < by_call.size() && part.call[by_response_[by_call[called]]] < part.response[x]; ++called) {
        last = std::max(last, by_call[called]);
      }
      last_.push_back(last);
    }
  }

  /// The next value, behind `before` others, comes to the front and leaves; false: it cannot.
  [[nodiscard]] bool advance(Place& place, std::uint32_t before, ValueNumber value) const {
    if (before > removes_ || place.turn >= by_response_.size()) return true;  // nobody sees it, or who knows
    while (place_one(place, before, value, ActKind::look)) continue;
    if (before == removes_) {
      if (place.turn == by_response_.size()) return true;
    } else if (place_one(place, before, value, ActKind::take)) {
      if (rest_has_time(place, before + 1)) return true;
    }
    const bool perhaps = place.turn < by_response_.size() && first_pending_ < bound(place);
    if (perhaps) place = {.turn = kAny, .ahead = {}};
    return perhaps;
  }

  /// How much earlier than in the order of their responses dequeues and peeks have their values, in all.
  [[nodiscard]] std::int64_t out_of_turn(const Place& place) const {
    if (place.ahead.none()) return 0;
    std::int64_t places = 0;
    for (std::uint32_t at = place.turn; at <= last_[place.turn]; ++at) {
      const std::uint32_t x = by_response_[at];
      if (part_.call[x] < bound(place) && place.ahead.has(slots_.slot[x])) places += at - place.turn;
    }
    return places;
  }

 private:
  static constexpr std::uint32_t kAny = 0xffffffffU;

  /// What has its value behind this moment only, was called before it.
  [[nodiscard]] history::Rank bound(const Place& place) const { return part_.response[by_response_[place.turn]]; }

  /// Whether it can be called before more are removed for certain.
  [[nodiscard]] bool comes_early_enough(std::uint32_t x, std::uint32_t removed) const {
    return static_cast<std::int64_t>(limits_.least_removes[std::size_t{part_.call[x].number()} + 1]) <=
           std::int64_t{removed};
  }
  /// Whether so many can be removed by the time that it returns.
  [[nodiscard]] bool has_time(std::uint32_t x, std::uint32_t removed) const {
    return static_cast<std::int64_t>(limits_.most_removes[part_.response[x].number()]) >= std::int64_t{removed};
  }
  /// Of those that are due next: each comes behind those before it.
  [[nodiscard]] bool rest_has_time(const Place& place, std::uint32_t removed) const {
    if (place.turn == by_response_.size()) return true;
    for (std::uint32_t at = place.turn; at <= last_[place.turn]; ++at) {
      const std::uint32_t x = by_response_[at];
      if (part_.call[x] < bound(place) && place.ahead.has(slots_.slot[x])) continue;
      removed += history_.act[x] == ActKind::take ? 1 : 0;
      if (!has_time(x, removed)) return false;
    }
    return true;
  }

  bool place_one(Place& place, std::uint32_t before, ValueNumber value, ActKind act) const {
    if (place.turn == by_response_.size()) return false;
    for (std::uint32_t at = place.turn; at <= last_[place.turn]; ++at) {
      const std::uint32_t x = by_response_[at];
      if (history_.value[x] != value || history_.act[x] != act || part_.call[x] >= bound(place)) continue;
      if (place.ahead.has(slots_.slot[x]) || !comes_early_enough(x, before)) continue;
      place.ahead |= Mask::of(slots_.slot[x]);
      // All that are ahead were called before the bound, so no two of them have one slot.
      while (place.turn < by_response_.size() && place.ahead.has(slots_.slot[by_response_[place.turn]])) {
        place.ahead &= ~Mask::of(slots_.slot[by_response_[place.turn++]]);
      }
      return true;
    }
    return false;
  }

  const history::Subhistory& part_;
  const CountedHistory& history_;
  const CountLimits& limits_;
  std::vector<std::uint32_t> by_response_;  // dequeues and peeks that returned
  std::vector<std::uint32_t> last_;         // by position there: that of the last one called before its response
  std::uint32_t removes_ = 0;               // dequeues that returned
  algo::FixedSlots slots_;
  history::Rank first_pending_ = history::Rank::none();
};

}  // namespace linchpin::types::queue
