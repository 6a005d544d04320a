// What the monitors have in common whose objects are bits: a set's elements, a lock, the presence of a map's key.
//
// A type supplies what each operation does to its bit, and its sentence; algo/bits.hpp decides.
// Used by: set/monitor.cpp, mutex/monitor.cpp, map/presence.cpp, whose tests cover it.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <utility>

#include "algo/bits.hpp"
#include "core/decider.hpp"

namespace linchpin::types {

/// The operations of a part on one bit; `role_of(part, i)` has a value for each.
template <class RoleOf>
algo::BitOperations bit_operations(const history::Subhistory& part, RoleOf role_of) {
  algo::BitOperations operations{.part = &part, .role = {}, .bit = {}, .bits = 1};
  operations.role.reserve(part.size());
  for (std::uint32_t i = 0; i < part.size(); ++i) operations.role.push_back(*role_of(part, i));
  return operations;
}

/// `sentence(i, must_be_on)` says why operation `i`, which needs its bit on or off, has no moment to take effect.
template <std::invocable<std::uint32_t, bool> Sentence>
core::Outcome decide_bits(const algo::BitOperations& operations, const core::DeciderOptions& options,
                          core::Budget& budget, Sentence sentence) {
  if (budget.spent_now()) return {.verdict = Verdict::unknown, .reason = budget.reason()};
  algo::BitOrder order = algo::linearize_bits(operations, options.witness);
  if (!order.blocked) return {.verdict = Verdict::linearizable, .witness = std::move(order.order)};
  const std::uint32_t i = *order.blocked;
  const bool must_be_on =
      operations.role[i] == algo::BitRole::turns_off || operations.role[i] == algo::BitRole::sees_on;
  return {.verdict = Verdict::violation,
          .core = algo::bit_core(operations, i),
          .blocked = i,
          .sentence = sentence(i, must_be_on)};
}

}  // namespace linchpin::types
