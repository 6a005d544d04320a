// The operations of one kind in a search by position: placed one by one, put back in the reverse order.
//
// What is placed is all that responds up to a turn, and a mask over what is open there.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "history/subhistory.hpp"

namespace linchpin::types::queue {

class PositionTrack {
 public:
  explicit PositionTrack(const history::Subhistory& part) : part_(part) {}

  void add(std::uint32_t local) { members_.push_back(local); }

  /// Call once after the last `add`. False: more than 64 operations are open at once.
  bool prepare() {
    const std::size_t n = members_.size();
    next_.resize(n + 1);
    previous_.resize(n + 1);
    for (std::uint32_t i = 0; i <= n; ++i) {
      next_[i] = i == n ? 0 : i + 1;  // a ring; the head is n
      previous_[i] = i == 0 ? static_cast<std::uint32_t>(n) : i - 1;
    }
    next_[n] = 0;
    placed_.assign(n, false);
    by_response_.clear();
    for (std::uint32_t i = 0; i < n; ++i) {
      if (!part_.pending(members_[i])) by_response_.push_back(i);
    }
    std::sort(by_response_.begin(), by_response_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return response(a) < response(b); });
    order_.assign(n, 0);
    for (std::uint32_t i = 0; i < n; ++i) order_[i] = static_cast<std::uint32_t>(n) + i;
    for (std::uint32_t k = 0; k < by_response_.size(); ++k) order_[by_response_[k]] = k;
    slot_.resize(n);
    std::uint64_t used = 0;
    std::size_t leaving = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      for (; leaving < by_response_.size() && response(by_response_[leaving]) < call(i); ++leaving) {
        used &= ~(std::uint64_t{1} << slot_[by_response_[leaving]]);
      }
      if (~used == 0) return false;
      slot_[i] = static_cast<std::uint8_t>(std::countr_one(used));
      used |= std::uint64_t{1} << slot_[i];
    }
    return true;
  }

  [[nodiscard]] std::uint32_t local(std::uint32_t i) const { return members_[i]; }
  [[nodiscard]] history::Rank call(std::uint32_t i) const { return part_.call[members_[i]]; }
  [[nodiscard]] history::Rank response(std::uint32_t i) const { return part_.response[members_[i]]; }
  /// Completed members.
  [[nodiscard]] const std::vector<std::uint32_t>& by_response() const { return by_response_; }
  /// Least response of what is not placed; history::kNoRank: nothing completed remains.
  [[nodiscard]] history::Rank least_response() const {
    return turn_ == by_response_.size() ? history::kNoRank : response(by_response_[turn_]);
  }
  [[nodiscard]] bool finished() const { return turn_ == by_response_.size(); }

  /// Members not placed, in order of call: for (i = first(); i != end(); i = after(i)).
  [[nodiscard]] std::uint32_t first() const { return next_[end()]; }
  [[nodiscard]] std::uint32_t after(std::uint32_t i) const { return next_[i]; }
  [[nodiscard]] std::uint32_t end() const { return static_cast<std::uint32_t>(members_.size()); }

  void place(std::uint32_t i) {
    next_[previous_[i]] = next_[i];
    previous_[next_[i]] = previous_[i];
    placed_[i] = true;
    mask_ |= std::uint64_t{1} << slot_[i];
    holder_[slot_[i]] = i;
    while (turn_ < by_response_.size() && placed_[by_response_[turn_]]) {
      mask_ &= ~(std::uint64_t{1} << slot_[by_response_[turn_++]]);
    }
  }
  /// Undoes the latest `place`, before which the turn was `turn`.
  void put_back(std::uint32_t i, std::uint32_t turn) {
    while (turn_ > turn) {
      const std::uint32_t other = by_response_[--turn_];
      mask_ |= std::uint64_t{1} << slot_[other];
      holder_[slot_[other]] = other;
    }
    placed_[i] = false;
    mask_ &= ~(std::uint64_t{1} << slot_[i]);
    next_[previous_[i]] = i;
    previous_[next_[i]] = i;
  }
  [[nodiscard]] std::uint32_t turn() const { return turn_; }
  [[nodiscard]] std::uint64_t mask() const { return mask_; }
  /// Appends the orders of what is placed beyond the turn, ascending.
  void list_ahead(std::vector<std::uint32_t>& orders) const {
    const auto first = static_cast<std::ptrdiff_t>(orders.size());
    for (std::uint64_t rest = mask_; rest != 0; rest &= rest - 1) {
      orders.push_back(order_[holder_[static_cast<std::size_t>(std::countr_zero(rest))]]);
    }
    std::sort(orders.begin() + first, orders.end());
  }
  /// The member with an order: its position by response, pending ones behind.
  [[nodiscard]] std::uint32_t with_order(std::uint32_t order) const {
    const std::uint32_t n = end();
    return order < n ? by_response_[order] : order - n;
  }

 private:
  static constexpr std::size_t kSlots = 64;

  const history::Subhistory& part_;
  std::vector<std::uint32_t> members_;      // local indices, by call
  std::vector<std::uint32_t> by_response_;  // completed members
  std::vector<std::uint32_t> next_, previous_;
  std::vector<std::uint8_t> slot_;
  std::vector<bool> placed_;
  std::vector<std::uint32_t> order_;
  std::array<std::uint32_t, kSlots> holder_{};  // by slot in mask_
  std::uint32_t turn_ = 0;                      // by_response_ is placed up to here
  std::uint64_t mask_ = 0;                      // slots of placed members that are open at the turn
};

}  // namespace linchpin::types::queue
