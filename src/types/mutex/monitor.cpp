// Decides histories of a mutex without owners: the lock is one bit, and algo/bits.hpp linearizes bits.
//
// acquire turns the bit on, release turns it off, a failed try_acquire sees it on. Precondition: try_acquire tells
// whether it succeeded. Cost O(n log k). Compare: decide/search. Tests: mutex_monitor_test.cpp.
#include "types/mutex/monitor.hpp"

#include <fmt/format.h>

#include "types/bit_monitor.hpp"
#include "types/mutex/specification.hpp"

namespace linchpin::types::mutex {

namespace {

using algo::BitRole;
using history::Subhistory;

std::optional<BitRole> role_of(const Subhistory& part, std::uint32_t i) {
  const Value result = part.result(i);
  const bool pending = part.pending(i);
  const bool no = result == Value::boolean(false);
  const bool yes = result == Value::boolean(true);
  switch (part.method[i]) {
    case Mutex::kAcquire:
    case Mutex::kRelease:
      if (!part.view(i).acknowledged()) return std::nullopt;
      return part.method[i] == Mutex::kAcquire ? BitRole::turns_on : BitRole::turns_off;
    case Mutex::kTryAcquire:
      if (pending && no) return BitRole::ignored;
      if (yes || (pending && result.is_unknown())) return BitRole::turns_on;
      return no ? std::optional(BitRole::sees_on) : std::nullopt;
    default:
      if (pending) return BitRole::ignored;
      if (result.is_unknown()) return BitRole::free;
      return yes ? std::optional(BitRole::sees_on) : no ? std::optional(BitRole::sees_off) : std::nullopt;
  }
}

}  // namespace

core::Applicability applicable(const Subhistory& part) {
  if (part.specification->get_if<OwnedMutex>() != nullptr) return {false, "the mutex has an owner"};
  if (part.specification->get_if<Mutex>() == nullptr) return core::not_of_this_type("not a mutex");
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    if (!role_of(part, i)) {
      return {false,
              fmt::format("{} does not tell whether the lock was free", part.history->describe(part.operation[i]))};
    }
  }
  return {true, "a lock without owners is one bit"};
}

core::Outcome decide(const Subhistory& part, const core::DeciderOptions& options, core::Budget& budget) {
  algo::BitOperations operations = bit_operations(part, role_of);
  operations.on_at_first = part.specification->get_if<Mutex>()->held_at_first;
  return decide_bits(operations, options, budget, [&](std::uint32_t i, bool must_be_held) {
    return fmt::format(
        "{} needs the lock to be {}, but it was {} during the whole call: no {} could take effect in time",
        part.history->describe(part.operation[i]), must_be_held ? "held" : "free", must_be_held ? "free" : "held",
        must_be_held ? "acquire" : "release");
  });
}

}  // namespace linchpin::types::mutex
