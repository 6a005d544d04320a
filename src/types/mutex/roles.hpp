// What an operation does to a lock, seen as one bit, as far as the operation itself says.
//
// Used by: monitor.cpp, without owners; sections.cpp, with owners.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "algo/bits.hpp"
#include "history/subhistory.hpp"
#include "types/mutex/specification.hpp"

namespace linchpin::types::mutex {

/// Nothing where a result is lost, or means nothing.
inline std::optional<algo::BitRole> bit_role(const history::Subhistory& part, std::uint32_t i) {
  using algo::BitRole;
  const Value result = part.result(i);
  const bool pending = part.pending(i);
  const bool no = result == Value::boolean(false);
  const bool yes = result == Value::boolean(true);
  switch (part.method[i]) {
    case MutexMethods::kAcquire:
    case MutexMethods::kRelease:
      if (!part.view(i).acknowledged()) return std::nullopt;
      return part.method[i] == MutexMethods::kAcquire ? BitRole::turns_on : BitRole::turns_off;
    case MutexMethods::kTryAcquire:
      if (pending && no) return BitRole::ignored;
      if (no) return BitRole::sees_on;
      if (!part.view(i).acknowledged() || (result.is_unknown() && !pending)) return std::nullopt;
      return BitRole::turns_on;
    default:
      if (pending) return BitRole::ignored;
      if (result.is_unknown()) return BitRole::free;
      return yes ? std::optional(BitRole::sees_on) : no ? std::optional(BitRole::sees_off) : std::nullopt;
  }
}

/// Why an operation that needs the lock to be held, or free, has no moment to take effect.
inline std::string bit_sentence(const history::Subhistory& part, std::uint32_t i, bool must_be_held) {
  const std::string_view when = algo::turns(*bit_role(part, i)) ? "at the return" : "during the whole call";
  return fmt::format("{} needs the lock to be {}, but it was {} {}: no {} could take effect in time",
                     part.history->describe(part.operation[i]), must_be_held ? "held" : "free",
                     must_be_held ? "free" : "held", when, must_be_held ? "acquire" : "release");
}

}  // namespace linchpin::types::mutex
