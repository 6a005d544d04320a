// The operations of one kind in a search by position: placed one by one, put back in the reverse order.
//
// What is placed is all that responds up to a turn, and a mask over what is open there. Nearly always 64 bits are
// enough, and the mask is one word; of wider ones, each gets a number when it is first asked for.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include <absl/container/flat_hash_map.h>

#include "history/subhistory.hpp"

namespace linchpin::types::queue {

class PositionTrack {
 public:
  explicit PositionTrack(const history::Subhistory& part) : part_(part) {}

  void add(std::uint32_t local) { members_.push_back(local); }

  /// Call once after the last `add`.
  void prepare() {
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
    give_slots();
  }

  [[nodiscard]] std::uint32_t local(std::uint32_t i) const { return members_[i]; }
  [[nodiscard]] history::Rank call(std::uint32_t i) const { return part_.call[members_[i]]; }
  [[nodiscard]] history::Rank response(std::uint32_t i) const { return part_.response[members_[i]]; }
  /// Completed members.
  [[nodiscard]] const std::vector<std::uint32_t>& by_response() const { return by_response_; }
  /// Least response of what is not placed; none: nothing completed remains.
  [[nodiscard]] history::Rank least_response() const {
    return turn_ == by_response_.size() ? history::Rank::none() : response(by_response_[turn_]);
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
    mark(i);
    while (turn_ < by_response_.size() && placed_[by_response_[turn_]]) clear(by_response_[turn_++]);
  }
  /// Undoes the latest `place`, before which the turn was `turn`.
  void put_back(std::uint32_t i, std::uint32_t turn) {
    while (turn_ > turn) mark(by_response_[--turn_]);
    placed_[i] = false;
    clear(i);
    next_[previous_[i]] = i;
    previous_[next_[i]] = i;
  }
  [[nodiscard]] std::uint32_t turn() const { return turn_; }
  /// What is placed beyond the turn, as a word: equal words are equal masks of this track.
  [[nodiscard]] std::uint64_t mask() { return mask_.size() == 1 ? mask_[0] : number_of_mask(); }
  /// Bytes that the next call of `mask` takes at once because a table grows.
  [[nodiscard]] std::size_t growth() const {
    const bool grows = (numbers_.size() + 1) * 8 > numbers_.capacity() * 7;
    return grows ? 2 * numbers_.capacity() * (sizeof(decltype(numbers_)::value_type) + 8 * mask_.size()) : 0;
  }
  /// Appends the orders of what is placed beyond the turn, ascending.
  void list_ahead(std::vector<std::uint32_t>& orders) const {
    const auto first = static_cast<std::ptrdiff_t>(orders.size());
    for (std::size_t word = 0; word < mask_.size(); ++word) {
      for (std::uint64_t rest = mask_[word]; rest != 0; rest &= rest - 1) {
        orders.push_back(order_[holder_[64 * word + static_cast<std::size_t>(std::countr_zero(rest))]]);
      }
    }
    std::sort(orders.begin() + first, orders.end());
  }
  /// The member with an order: its position by response, pending ones behind.
  [[nodiscard]] std::uint32_t with_order(std::uint32_t order) const {
    const std::uint32_t n = end();
    return order < n ? by_response_[order] : order - n;
  }

 private:
  void mark(std::uint32_t i) {
    mask_[slot_[i] / 64] |= std::uint64_t{1} << (slot_[i] % 64);
    holder_[slot_[i]] = i;
  }
  void clear(std::uint32_t i) { mask_[slot_[i] / 64] &= ~(std::uint64_t{1} << (slot_[i] % 64)); }

  /// A slot is free again when its member has responded.
  void give_slots() {
    slot_.resize(members_.size());
    std::vector<std::uint32_t> free;
    std::uint32_t slots = 0;
    std::size_t leaving = 0;
    for (std::uint32_t i = 0; i < members_.size(); ++i) {
      for (; leaving < by_response_.size() && response(by_response_[leaving]) < call(i); ++leaving) {
        free.push_back(slot_[by_response_[leaving]]);
      }
      if (free.empty()) free.push_back(slots++);
      slot_[i] = free.back();
      free.pop_back();
    }
    mask_.assign(std::max<std::size_t>(1, (slots + 63) / 64), 0);
    holder_.assign(slots, 0);
  }

  [[nodiscard]] std::uint64_t number_of_mask() { return numbers_.try_emplace(mask_, numbers_.size()).first->second; }

  const history::Subhistory& part_;
  std::vector<std::uint32_t> members_;      // local indices, by call
  std::vector<std::uint32_t> by_response_;  // completed members
  std::vector<std::uint32_t> next_, previous_;
  std::vector<std::uint32_t> slot_;
  std::vector<bool> placed_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> holder_;  // by slot in mask_
  std::uint32_t turn_ = 0;             // by_response_ is placed up to here
  std::vector<std::uint64_t> mask_;    // slots of placed members that are open at the turn
  absl::flat_hash_map<std::vector<std::uint64_t>, std::uint64_t> numbers_;  // of masks of several words
};

}  // namespace linchpin::types::queue
