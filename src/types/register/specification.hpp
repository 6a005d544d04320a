// A register: write(v), read -> v. Reading returns the last value written, or the initial value.
//
// Semantics and options: README.md beside this file. Monitor: monitor.hpp.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/specification_interface.hpp"
#include "types/answers.hpp"
#include "types/arguments.hpp"

namespace linchpin::types {

struct Register {
  using State = Value;
  enum : std::uint16_t { kWrite, kRead };
  static constexpr std::array methods{Method{"write", 1, "put set store w"}, Method{"read", 0, "get load r"}};
  static constexpr std::string_view options = "initial=nil, undefined or a value (default nil)";
  static constexpr std::string_view start_option = "initial";
  static std::string start_value(std::string_view state) { return std::string(state); }

  State initial_value = Value::nil();

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type);

  [[nodiscard]] State initial() const { return initial_value; }

  static bool step(State& state, const Operation& operation) {
    if (operation.method == kWrite) {
      state = operation.argument(0);
      return operation.acknowledged(0);
    }
    // An undefined register (Value::none()) cannot be read.
    return !state.is_none() && operation.returns(state);
  }

  static bool pure(const Operation& operation) { return operation.method == kRead; }
  static std::optional<Value> overwrites(const Operation& operation) {
    if (operation.method == kWrite && operation.acknowledged(0)) return Value::nil();
    return std::nullopt;
  }
  /// A read sees the last write before it: of the same value, or none. What else was written does not matter.
  static std::optional<Value> erasable(const Operation& operation) {
    if (operation.method == kWrite) return operation.argument(0);
    return operation.result_unknown() ? std::nullopt : std::optional(operation.result);
  }
  /// A lost result needs the register to be defined.
  [[nodiscard]] bool sensitive(const Operation& operation) const {
    return initial_value.is_none() && operation.method == kRead && operation.result_unknown();
  }
  static std::string invalid(const Operation& operation) { return refuse_none(operation.arguments); }

  static std::string describe(State state, const ValuePool& pool) {
    return state.is_none() ? "undefined" : pool.to_text(state);
  }
};

}  // namespace linchpin::types
