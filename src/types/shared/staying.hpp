// Values that stay long in a stack or a deque: which pushes a guess says so of, and which configurations are promising
// where only a few are kept (algo/frontier/narrowing.hpp). What stays long lies further inside than what does not, so
// it should be pushed early; the rest is done no earlier than it is due.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "algo/frontier/window.hpp"
#include "algo/value_number.hpp"
#include "history/subhistory.hpp"

namespace linchpin::types {

/// By operation: a push of which a guess says that its value stays long. Each operation is taken to be in the middle
/// between its call and response, and a pop to take what is nearest to its end of its value. O(n log n).
/// @param at_front  whether an operation, by its local, is at the front instead of the back
template <class Acts, class AtFront>
[[nodiscard]] std::vector<bool> long_staying_pushes(const history::Subhistory& part, const Acts& acts,
                                                    const AtFront& at_front) {
  constexpr std::uint64_t kLong = 200;  // events
  const auto twice_the_middle = [&](std::uint32_t local) {
    return std::uint64_t{part.call[local].number()} + part.response[local].number();
  };
  std::vector<std::uint32_t> order;
  for (std::uint32_t local = 0; local < part.size(); ++local) {
    if (!part.pending(local) && !acts.of[local].pure()) order.push_back(local);
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(twice_the_middle(a), a) < std::pair(twice_the_middle(b), b);
  });
  std::vector<bool> stays(part.size(), false);
  algo::ByValue<std::deque<std::uint32_t>> inside(acts.values.size());  // front first
  for (const std::uint32_t local : order) {
    std::deque<std::uint32_t>& pushes = inside[acts.of[local].value];
    const bool front = at_front(local);
    if (!acts.of[local].pops()) {
      pushes.insert(front ? pushes.begin() : pushes.end(), local);
      stays[local] = true;
    } else if (!pushes.empty()) {
      const auto push = front ? pushes.begin() : pushes.end() - 1;
      stays[*push] = twice_the_middle(local) - twice_the_middle(*push) > 2 * kLong;
      pushes.erase(push);
    }
  }
  return stays;
}

class StayingPromise {
 public:
  /// The less, the more promising. How the two weigh against each other nobody knows: one that is promising by some
  /// weight may be what leads on.
  struct Cost {
    /// How much earlier than their responses operations are done, in all, or how much later than their calls where they
    /// push what stays; kTwice less for each time that there are twice as many contents.
    std::int64_t order;
    std::int64_t due;  ///< what is due soon but cannot be done now
  };

  /// By operation: pushes that are wanted early.
  void set_staying(std::vector<bool> staying) { staying_ = std::move(staying); }

  /// What is open between events up to the rank `now`. `pure(x)`: x changes nothing, and is never early.
  /// @pre set_staying
  template <class OfWindow, class Pure>
  void weigh(const OfWindow& window, const history::Subhistory& part, history::Rank now, const Pure& pure) {
    early_.clear();
    late_.clear();
    due_.clear();
    for (auto rest = window.used(); rest.any(); rest.drop_first()) {
      const std::uint32_t local = window.holder(rest.first());
      const std::int64_t ahead = part.pending(local) ? kPending : std::int64_t{part.response[local] - now};
      if (staying_[local]) {
        late_.push_back({.local = local, .cost = std::int64_t{now - part.call[local]}});
      } else if (!pure(local)) {
        early_.push_back({.local = local, .cost = ahead});
      }
      if (ahead < kSoon) due_.push_back({.local = local, .cost = kSoon - ahead});
    }
  }

  /// @param variety  the logarithm, to base 2, of how many contents the configuration has; 0: that does not count
  template <class OfWindow, class Mask, class Legal>
  [[nodiscard]] Cost cost(const OfWindow& window, const Mask& mask, float variety, const Legal& legal) const {
    const auto done = [&](const Weighed& each) { return (mask & window.bit(each.local)).any(); };
    Cost cost{};
    cost.order = -static_cast<std::int64_t>(kTwice * variety);
    for (const Weighed& early : early_) cost.order += done(early) ? early.cost : 0;
    for (const Weighed& late : late_) cost.order += done(late) ? 0 : late.cost;
    for (const Weighed& due : due_) {
      if (!done(due) && !legal(due.local)) cost.due += due.cost;
    }
    return cost;
  }

 private:
  /// What an operation costs a configuration.
  struct Weighed {
    std::uint32_t local;
    std::int64_t cost;
  };
  static constexpr std::int64_t kSoon = 32;      // what has to be done within so many events counts
  static constexpr float kTwice = 8;             // events: as good as twice as many contents
  static constexpr std::int64_t kPending = 128;  // a pending operation is as early as one after so many

  std::vector<bool> staying_;  // by operation
  std::vector<Weighed> early_, late_, due_;
};

}  // namespace linchpin::types
