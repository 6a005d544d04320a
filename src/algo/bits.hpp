// Linearizes operations on independent bits: turn on, turn off, see on, see off. Any repetition.
//
// Sets (a bit a key) and locks (one bit) are decided by this. Idea: do nothing until an operation returns that has not
// taken effect; then turn its bit, with the open operation of the needed kind that must return first, until it can.
// Operations that only look take effect as soon as their bit is right. A delayed solution always exists where one does:
// work done before a return that does not need it can be moved past that return, and of two open operations that turn
// the bit the same way the one with the earlier return may go first. The direction of every turn is forced.
// Pending operations have no deadline and may be left out.
// Precondition: none. Cost O(n log k) for k operations open on one bit; flat arrays, no allocation an operation.
// Source: a lazy greedy by deadlines; proof in docs/design/monitors.md.
// Tests: src/types/set/set_monitor_test.cpp and src/types/mutex/mutex_monitor_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "history/subhistory.hpp"

namespace linchpin::algo {

enum class BitRole : std::uint8_t {
  turns_on,
  turns_off,
  sees_on,
  sees_off,
  free,     ///< takes effect whatever the bit is
  ignored,  ///< not there: a pending operation that only looks
};

[[nodiscard]] inline bool turns(BitRole role) { return role == BitRole::turns_on || role == BitRole::turns_off; }

/// The operations of a sub-history, by local index.
struct BitOperations {
  const history::Subhistory* part = nullptr;
  std::vector<BitRole> role;
  std::vector<std::uint32_t> bit;  ///< empty: all on bit 0
  std::uint32_t bits = 1;
  bool on_at_first = false;  ///< all of them

  [[nodiscard]] std::uint32_t bit_of(std::uint32_t local) const { return bit.empty() ? 0 : bit[local]; }
};

struct BitOrder {
  std::vector<std::uint32_t> order;      ///< the operations as they took effect, where asked for
  std::optional<std::uint32_t> blocked;  ///< the first to return that cannot have taken effect
};

[[nodiscard]] BitOrder linearize_bits(const BitOperations& operations, bool want_order);

/// Operations on the bit of `blocked` that have no linearization by themselves, ascending: those since the last quiet
/// moment at which the bit's value was certain, without those that only look where they are not needed.
[[nodiscard]] std::vector<std::uint32_t> bit_core(const BitOperations& operations, std::uint32_t blocked);

}  // namespace linchpin::algo
