// A counting semaphore: increment, decrement -> whether the count was above zero, count -> n.
//
// Semantics and options: README.md beside this file.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/specification_interface.hpp"
#include "types/answers.hpp"

namespace linchpin::types {

struct Semaphore {
  using State = std::int64_t;
  enum : std::uint16_t { kIncrement, kDecrement, kCount };
  static constexpr std::array methods{Method{"increment", 0, "incr inc release post signal up v"},
                                      Method{"decrement", 0, "decr dec acquire try_acquire wait try_wait down p"},
                                      Method{"count", 0, "available available_permits value get read"}};
  static constexpr std::string_view options = "initial=N (default 0)";
  static constexpr std::string_view start_option = "initial";
  static std::string start_value(std::string_view state) { return std::string(state.substr(state.find(' ') + 1)); }

  static constexpr State kMostAtFirst = State{1} << 62;  // no history counts from here to the end of the integers

  State initial_value = 0;

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type);

  [[nodiscard]] State initial() const { return initial_value; }

  static bool step(State& state, const Operation& operation) {
    switch (operation.method) {
      case kIncrement: ++state; return operation.acknowledged();
      case kDecrement:
        if (state == 0) return fits_attempt(operation, false);
        --state;
        return fits_attempt(operation, true);
      default: return returns_number(operation, state);
    }
  }

  static bool pure(const Operation& operation) {
    return operation.method == kCount || (operation.method == kDecrement && says_false(operation));
  }

  static std::string describe(State state, const ValuePool&) { return fmt::format("count {}", state); }
};

}  // namespace linchpin::types
