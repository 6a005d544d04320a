// The window of open operations: a slot for each, reused once it has returned.
//
// A set of linearized operations that is closed under what must have happened is given by the first response that is
// still to come and by one bit for each operation open there: no search ever stores a set of n bits.
// Pending operations that are pure can be dropped for good; the others keep their slot to the end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "algo/frontier/slots.hpp"
#include "base/assert.hpp"
#include "decide/search/transitions.hpp"
#include "history/subhistory.hpp"

namespace linchpin::decide {

struct Window {
  std::vector<algo::Slot> slot;          ///< by local index; none for dropped operations
  std::vector<std::uint32_t> responder;  ///< local indices of the completed operations, by rank of the response
  std::vector<std::uint32_t> turn;       ///< by local index: position in `responder`; kNever for pending ones
  std::uint32_t slots = 0;               ///< how many slots are ever in use at once

  static constexpr std::uint32_t kNever = 0xffffffffU;

  Window(const history::Subhistory& part, const Labels& labels) : turn(part.size(), kNever) {
    algo::FixedSlots given = algo::fixed_slots(
        part, [&](std::uint32_t local) { return !part.pending(local) || !labels.pure(labels.of(local)); });
    slot = std::move(given.slot);
    slots = given.used;
    for (const history::Event event : part.events()) {
      if (!event.is_response()) continue;
      turn[event.operation()] = static_cast<std::uint32_t>(responder.size());
      responder.push_back(event.operation());
    }
    LINCHPIN_INVARIANTS(check_invariants(part));
  }

  /// No two operations have one slot at once, and responders are in the order of their turns.
  void check_invariants(const history::Subhistory& part) const {
    std::vector<std::uint32_t> holder(slots, kNever);
    for (const history::Event event : part.events()) {
      const std::uint32_t local = event.operation();
      if (dropped(local)) continue;
      if (event.is_response()) {
        LINCHPIN_ASSERT(holder[slot[local].number()] == local && responder[turn[local]] == local);
        holder[slot[local].number()] = kNever;
      } else {
        LINCHPIN_ASSERT(slot[local] < slots && holder[slot[local].number()] == kNever);
        holder[slot[local].number()] = local;
      }
    }
  }

  [[nodiscard]] bool dropped(std::uint32_t local) const { return slot[local] == algo::Slot::none(); }
  /// Words of 64 bits that a mask takes; at least one.
  [[nodiscard]] std::uint32_t words() const { return std::max(1U, (slots + 63) / 64); }
};

}  // namespace linchpin::decide
