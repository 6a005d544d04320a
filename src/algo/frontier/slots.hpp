// The slots of the operations that are open: given at the call, free again after the response.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "algo/frontier/slot_mask.hpp"
#include "base/assert.hpp"
#include "history/subhistory.hpp"

namespace linchpin::algo {

/// A column with an entry for each slot that was made room for.
template <class T>
class BySlot {
 public:
  void make_room(Slot slot) {
    if (column_.size() <= slot.number()) column_.resize(slot.number() + 1);
  }
  [[nodiscard]] T& operator[](Slot slot) { return column_[slot.number()]; }
  [[nodiscard]] const T& operator[](Slot slot) const { return column_[slot.number()]; }

 private:
  std::vector<T> column_;
};

/// Slots that stay, for a search that goes back and forth between events: of the operations that count, no two that are
/// open at once have the same.
struct FixedSlots {
  std::vector<Slot> slot;  ///< by operation; none: it does not count
  std::uint32_t used = 0;  ///< slots in all
};

template <class Mask>
class Slots {
 public:
  explicit Slots(std::size_t operations) : slot_(operations) {}
  /// Those that are given, for a search that goes back and forth.
  explicit Slots(const FixedSlots& given) : slot_(given.slot), fixed_(true) {}

  [[nodiscard]] bool full() const { return (~used_).none(); }
  /// Gives the operation its slot, or the lowest that is free, and returns it. @pre not full
  Slot open(std::uint32_t operation) {
    const Slot slot = fixed_ ? slot_[operation] : (~used_).first();
    slot_[operation] = slot;
    holder_.make_room(slot);
    holder_[slot] = operation;
    used_ |= Mask::of(slot);
    return slot;
  }
  void clear() { used_ = {}; }
  void close(std::uint32_t operation) {
    LINCHPIN_ASSERT(is_open(operation));
    used_ &= ~bit(operation);
  }

  [[nodiscard]] bool is_open(std::uint32_t operation) const {
    return used_.has(slot_[operation]) && holder_[slot_[operation]] == operation;
  }
  [[nodiscard]] Slot slot(std::uint32_t operation) const { return slot_[operation]; }
  [[nodiscard]] Mask bit(std::uint32_t operation) const { return Mask::of(slot_[operation]); }
  /// The operation that is open in a slot.
  [[nodiscard]] std::uint32_t holder(Slot slot) const {
    LINCHPIN_ASSERT(used_.has(slot));
    return holder_[slot];
  }
  [[nodiscard]] const Mask& used() const { return used_; }

 private:
  std::vector<Slot> slot_;  // by operation, while it is open
  bool fixed_ = false;
  BySlot<std::uint32_t> holder_;
  Mask used_;
};

/// The lowest slots that are free. O(n log k) for k slots.
template <class Counts>
[[nodiscard]] FixedSlots fixed_slots(const history::Subhistory& part, Counts&& counts) {
  FixedSlots slots{.slot = std::vector<Slot>(part.size(), Slot::none())};
  std::priority_queue<Slot, std::vector<Slot>, std::greater<>> free;
  for (const history::Event event : part.events()) {
    const std::uint32_t operation = event.operation();
    if (!counts(operation)) continue;
    if (event.is_response()) {
      free.push(slots.slot[operation]);
    } else if (free.empty()) {
      slots.slot[operation] = Slot(slots.used++);
    } else {
      slots.slot[operation] = free.top();
      free.pop();
    }
  }
  return slots;
}

}  // namespace linchpin::algo
