// Linearizes operations on a state that only counts up: steps, and looks at how many steps were made.
//
// Counters with one increment and append-only logs are decided by this. The step from k to k + 1 may be pinned to a
// class of operations: the one that returned k, those that append the entry seen at position k. Idea: never step before
// an operation returns that needs it; then step, each time with the open operation of the right class that must return
// first, until it is served; looks are served as soon as the count fits. The count is thus the least possible at every
// moment, and a greater count serves nothing that the least cannot be raised to later.
// Pending operations have no deadline and may be left out.
// Cost O(n log k) for k operations open; flat arrays, no allocation an operation.
// Source: docs/design/monitors.md: the lazy greedy of algo/bits.hpp with one direction. Unlike chains of values it
// needs no results of the steps that are not pinned.
// Tests: the monitor tests of the types counter and log.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "history/subhistory.hpp"

namespace linchpin::algo {

enum class CountRole : std::uint8_t {
  steps,          ///< number: its class
  sees_exactly,   ///< number: the count
  sees_at_least,  ///< number: the count
  sees_at_most,   ///< number: the count
  free,           ///< takes effect at any count
  ignored,        ///< not there: a pending operation that only looks
};

inline constexpr std::uint32_t kNoCount = 0xffffffffU;  ///< a count that is never reached

struct CountOperations {
  const history::Subhistory* part = nullptr;
  std::vector<CountRole> role;
  std::vector<std::uint32_t> number;
  std::uint32_t classes = 1;
  std::vector<std::uint32_t> class_of_step;  ///< of the step from k; beyond: any operation
  std::vector<std::uint32_t> pinned_by;      ///< beside it: the operation that says so, or kNoCount
  /// Steps of class 0 may be made by members of other classes, of which there are enough for their own steps. Then each
  /// operation that steps is pending, or the only one of its class (count_shares.hpp).
  bool shared = false;
};

struct CountOrder {
  std::vector<std::uint32_t> order;      ///< the operations as they took effect
  std::optional<std::uint32_t> blocked;  ///< an operation that cannot have taken effect
  std::uint32_t count = 0;               ///< the least possible count when it was found
};

[[nodiscard]] CountOrder linearize_counting(const CountOperations& operations);

struct CountCore {
  std::vector<std::uint32_t> operations;  ///< ascending; they have no linearization by themselves
  /// The first returned before the second was called, and had been counted further than the second allows.
  std::optional<std::pair<std::uint32_t, std::uint32_t>> contradiction;
  /// The core: what saw that a step had been made which there is no operation to make.
  std::optional<std::uint32_t> nobody_stepped;
};

/// @pre order.blocked. O(n): two operations that contradict each other, with what tells their places, where there are
/// such; else all that was counted until the blocked one.
[[nodiscard]] CountCore count_core(const CountOperations& operations, const CountOrder& order);

}  // namespace linchpin::algo
