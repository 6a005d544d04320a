// Decides histories of a mutex without owners: the lock is one bit, and algo/bits.hpp linearizes bits.
//
// acquire turns the bit on, release turns it off, a failed try_acquire sees it on. Precondition: try_acquire tells
// whether it succeeded. Cost O(n log k). Compare: owner_monitor.cpp, decide/search. Tests: mutex_monitor_test.cpp.
#include "types/mutex/monitor.hpp"

#include <fmt/format.h>

#include "types/bit_monitor.hpp"
#include "types/mutex/roles.hpp"
#include "types/mutex/specification.hpp"

namespace linchpin::types::mutex {

using history::Subhistory;

core::Applicability applicable(const Subhistory& part) {
  if (part.specification->get_if<OwnedMutex>() != nullptr) return core::not_of_this_type("the mutex has an owner");
  if (part.specification->get_if<Mutex>() == nullptr) return core::not_of_this_type("not a mutex");
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    if (!bit_role(part, i)) {
      return {false,
              fmt::format("{} does not tell whether the lock was free", part.history->describe(part.operation[i]))};
    }
  }
  return {true, "a lock without owners is one bit"};
}

core::Outcome decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  algo::BitOperations operations = bit_operations(part, bit_role);
  operations.on_at_first = part.specification->get_if<Mutex>()->held_at_first;
  return decide_bits(operations, options, budget,
                     [&](std::uint32_t i, bool must_be_held) { return bit_sentence(part, i, must_be_held); });
}

}  // namespace linchpin::types::mutex
