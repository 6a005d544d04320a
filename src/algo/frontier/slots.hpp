// The slots of the operations that are open: given at the call, free again after the response.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "algo/frontier/slot_mask.hpp"
#include "base/assert.hpp"
#include "base/none.hpp"
#include "history/subhistory.hpp"

namespace linchpin::algo {

/// Slots that stay, for a search that goes back and forth between events: of the operations that count, no two that are
/// open at once have the same.
struct FixedSlots {
  std::vector<std::uint32_t> slot;  ///< by operation; kNone: it does not count
  std::uint32_t used = 0;           ///< slots in all
};

template <class Mask>
class Slots {
 public:
  explicit Slots(std::size_t operations) : slot_(operations, 0) {}
  /// Those that are given, for a search that goes back and forth.
  explicit Slots(const FixedSlots& given) : slot_(given.slot), fixed_(true) {}

  [[nodiscard]] bool full() const { return (~used_).none(); }
  /// Gives the operation its slot, or the lowest that is free, and returns it. @pre not full
  std::uint32_t open(std::uint32_t operation) {
    const std::uint32_t slot = fixed_ ? slot_[operation] : (~used_).first();
    slot_[operation] = slot;
    if (holder_.size() <= slot) holder_.resize(slot + 1);
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
  [[nodiscard]] std::uint32_t slot(std::uint32_t operation) const { return slot_[operation]; }
  [[nodiscard]] Mask bit(std::uint32_t operation) const { return Mask::of(slot_[operation]); }
  /// The operation that is open in a slot.
  [[nodiscard]] std::uint32_t holder(std::uint32_t slot) const {
    LINCHPIN_ASSERT(used_.has(slot));
    return holder_[slot];
  }
  [[nodiscard]] const Mask& used() const { return used_; }

 private:
  std::vector<std::uint32_t> slot_;  // by operation, while it is open
  bool fixed_ = false;
  std::vector<std::uint32_t> holder_;  // by slot
  Mask used_;
};

/// The lowest slots that are free. O(n log k) for k slots.
template <class Counts>
[[nodiscard]] FixedSlots fixed_slots(const history::Subhistory& part, Counts&& counts) {
  FixedSlots slots{.slot = std::vector<std::uint32_t>(part.size(), kNone)};
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free;
  for (const history::Event event : part.events()) {
    const std::uint32_t operation = event.operation();
    if (!counts(operation)) continue;
    if (event.is_response()) {
      free.push(slots.slot[operation]);
    } else if (free.empty()) {
      slots.slot[operation] = slots.used++;
    } else {
      slots.slot[operation] = free.top();
      free.pop();
    }
  }
  return slots;
}

}  // namespace linchpin::algo
