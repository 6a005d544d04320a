// A counter: add(d), increment, decrement, read -> n, and the forms that return the old or the new number.
//
// Semantics and options: README.md beside this file. Numbers have 64 bits and wrap around.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/specification_interface.hpp"
#include "types/answers.hpp"

namespace linchpin::types {

struct Counter {
  using State = std::int64_t;
  enum : std::uint16_t {
    kAdd,
    kIncrement,
    kDecrement,
    kFetchAndAdd,
    kFetchAndSubtract,
    kAddAndGet,
    kSubtractAndGet,
    kRead
  };
  static constexpr std::array methods{
      Method{"add", 1, "plus"},
      Method{"increment", std::pair{0, 1}, "inc incr"},
      Method{"decrement", std::pair{0, 1}, "dec decr subtract"},
      Method{"fetch_and_add", std::pair{0, 1},
             "fetch_add get_and_add get_and_increment fetch_and_increment fetch_increment get_then_increment"},
      Method{"fetch_and_subtract", std::pair{0, 1},
             "fetch_sub get_and_subtract get_and_decrement fetch_and_decrement fetch_decrement"},
      Method{"add_and_get", std::pair{0, 1}, "add_and_fetch increment_and_get increment_and_fetch"},
      Method{"subtract_and_get", std::pair{0, 1}, "subtract_and_fetch decrement_and_get decrement_and_fetch"},
      Method{"read", 0, "get load value"}};
  static constexpr std::string_view options = "initial=N (default 0)";
  static constexpr std::string_view start_option = "initial";
  static std::string start_value(std::string_view state) { return std::string(state); }

  State initial_value = 0;

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type);

  [[nodiscard]] State initial() const { return initial_value; }

  static bool step(State& state, const Operation& operation) {
    const State old = state;
    // Unsigned: wrapping around is defined there.
    state = static_cast<State>(static_cast<std::uint64_t>(old) + change(operation));
    switch (operation.method) {
      case kRead: return returns_number(operation, old);
      case kFetchAndAdd:
      case kFetchAndSubtract: return returns_number(operation, old);
      case kAddAndGet:
      case kSubtractAndGet: return returns_number(operation, state);
      default: return operation.acknowledged(0);
    }
  }

  static bool pure(const Operation& operation) { return change(operation) == 0; }

  static std::string invalid(const Operation& operation) {
    if (operation.arguments.empty() || is_integer(operation.argument(0))) return {};
    return "the amount must be an integer";
  }

  /// What the operation adds, modulo 2^64.
  static std::uint64_t change(const Operation& operation) {
    if (operation.method == kRead) return 0;
    const std::uint64_t amount =
        operation.arguments.empty() ? 1 : static_cast<std::uint64_t>(operation.pool->integer_of(operation.argument(0)));
    const bool down =
        operation.method == kDecrement || operation.method == kFetchAndSubtract || operation.method == kSubtractAndGet;
    return down ? 0 - amount : amount;
  }
};

}  // namespace linchpin::types
