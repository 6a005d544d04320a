// Which configurations are promising, where only a few are kept (narrowing.hpp): those that did little before it was
// due, and in which what is due soon is done or can be done.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "algo/frontier/window.hpp"
#include "base/none.hpp"
#include "history/subhistory.hpp"

namespace linchpin::algo {

/// By operation, how many responses of those that count come before its own; kNone where it has none.
template <class Counts>
[[nodiscard]] std::vector<std::uint32_t> turns(const history::Subhistory& part, Counts&& counts) {
  std::vector<std::uint32_t> turn(part.size(), kNone);
  std::uint32_t responses = 0;
  for (const history::Event event : part.events()) {
    if (event.is_response() && counts(event.operation())) turn[event.operation()] = responses++;
  }
  return turn;
}

class Promise {
 public:
  /// @param turn  by operation, as above; outlives it
  explicit Promise(std::span<const std::uint32_t> turn) : turn_(turn) {}

  /// What is early, and what is due, after so many responses and so many attempts at what comes. `looks(x)`: x
  /// changes nothing, and is never early.
  template <class OfWindow, class Looks>
  void weigh(const OfWindow& window, std::uint32_t attempts, std::uint32_t passed, Looks&& looks) {
    weigh_by(window, kWeights[attempts % kWeights.size()], passed, looks);
  }
  /// The same with a weight of what is due, against what is early.
  template <class OfWindow, class Looks>
  void weigh_by(const OfWindow& window, std::int64_t weight, std::uint32_t passed, Looks&& looks) {
    weight_ = weight;
    due_.clear();
    for (auto rest = window.used(); rest.any(); rest.drop_first()) {
      const Slot slot = rest.first();
      const std::uint32_t x = window.holder(slot);
      const std::int64_t ahead = turn_[x] == kNone ? kPending : std::int64_t{turn_[x]} - passed;
      early_.make_room(slot);
      early_[slot] = looks(x) ? 0 : ahead;
      if (ahead < kSoon) due_.push_back({.operation = x, .slot = slot, .cost = weight_ * (kSoon - ahead)});
    }
  }
  /// `lack(x, cost)`: what it costs that x, which is due, is not done; 0 where it can be done, `cost` where nothing
  /// more is known.
  template <class Mask, class Lack>
  [[nodiscard]] std::int64_t cost(const Mask& done, Lack&& lack) const {
    return early(done) + late(done, lack);
  }
  /// The same by each of the weights. @pre weigh_by with 1
  template <class Mask, class Lack>
  [[nodiscard]] auto costs(const Mask& done, Lack&& lack) const {
    std::array<std::int64_t, kWeights.size()> costs;
    costs.fill(early(done));
    const std::int64_t late = this->late(done, lack);
    for (std::size_t k = 0; k < costs.size(); ++k) costs[k] += kWeights[k] * late;
    return costs;
  }
  /// Of what is due, against what is early.
  [[nodiscard]] std::int64_t weight() const { return weight_; }

 private:
  static constexpr std::int64_t kSoon = 16;                           // what is due within so many responses counts
  static constexpr std::int64_t kPending = 64;                        // is as early as what responds after so many
  static constexpr std::array<std::int64_t, 4> kWeights{4, 1, 2, 8};  // by attempt

  struct Due {
    std::uint32_t operation;
    Slot slot;
    std::int64_t cost;
  };

  template <class Mask>
  [[nodiscard]] std::int64_t early(const Mask& done) const {
    std::int64_t cost = 0;
    for (Mask rest = done; rest.any(); rest.drop_first()) cost += early_[rest.first()];
    return cost;
  }
  template <class Mask, class Lack>
  [[nodiscard]] std::int64_t late(const Mask& done, Lack&& lack) const {
    std::int64_t cost = 0;
    for (const Due& due : due_) cost += done.has(due.slot) ? 0 : lack(due.operation, due.cost);
    return cost;
  }

  std::span<const std::uint32_t> turn_;
  std::int64_t weight_ = kWeights[0];
  BySlot<std::int64_t> early_;  // of what is open: the cost of having done it
  std::vector<Due> due_;
};

}  // namespace linchpin::algo
