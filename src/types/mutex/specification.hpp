// A mutual-exclusion lock: acquire, release, try_acquire -> bool, is_held -> bool.
//
// Two specifications with one method table: with owner=yes only the process that holds the lock may release it.
// Semantics and options: README.md beside this file.
#pragma once

#include <array>
#include <optional>

#include <fmt/format.h>

#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/specification_interface.hpp"
#include "types/answers.hpp"

namespace linchpin::types {

struct MutexMethods {
  enum : std::uint16_t { kAcquire, kRelease, kTryAcquire, kIsHeld };
  static constexpr std::array methods{Method{"acquire", 0, "lock"}, Method{"release", 0, "unlock"},
                                      Method{"try_acquire", 0, "try_lock"},
                                      Method{"is_held", 0, "is_locked held locked"}};
  static constexpr std::string_view options =
      "owner=no or yes: only the process that acquired may release; held=no or yes, without owners: at first";
  static constexpr std::string_view start_option = "held";
  static std::string start_value(std::string_view state) { return state == "free" ? "" : "yes"; }
  static Result<std::shared_ptr<const Specification>> make(const TypeName& type);
};

template <bool kOwned>
struct MutexOf : MutexMethods {
  using State = std::int64_t;  // kFree, or the holder; always kHeld without owners
  static constexpr State kFree = -1;
  static constexpr State kHeld = 0;
  static constexpr bool uses_process = kOwned;

  bool held_at_first = false;  // not with owners: nobody could release it

  [[nodiscard]] State initial() const { return held_at_first ? kHeld : kFree; }

  static bool step(State& state, const Operation& operation) {
    const State caller = kOwned ? static_cast<State>(operation.process) : kHeld;
    switch (operation.method) {
      case kAcquire:
        if (state != kFree) return false;
        state = caller;
        return operation.acknowledged();
      case kRelease:
        if (state != caller) return false;
        state = kFree;
        return operation.acknowledged();
      case kTryAcquire: {
        const bool free = state == kFree;
        if (free) state = caller;
        return fits_attempt(operation, free);
      }
      default: return operation.returns(state != kFree);
    }
  }

  static bool pure(const Operation& operation) {
    return operation.method == kIsHeld || (operation.method == kTryAcquire && says_false(operation));
  }

  static std::string describe(State state, const ValuePool&) {
    if (state == kFree) return "free";
    return kOwned ? fmt::format("held by process {}", state) : "held";
  }
};

using Mutex = MutexOf<false>;
using OwnedMutex = MutexOf<true>;

}  // namespace linchpin::types
