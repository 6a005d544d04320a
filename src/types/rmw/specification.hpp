// A register with an atomic exchange: read_modify_write(new) -> old, read -> v, write(v).
//
// Semantics and options: README.md beside this file.
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

struct ReadModifyWrite {
  using State = Value;
  enum : std::uint16_t { kReadModifyWrite, kRead, kWrite };
  static constexpr std::array methods{
      Method{"read_modify_write", 1, "rmw fetch_and_store fetch_store exchange swap get_and_set"},
      Method{"read", 0, "get load r"}, Method{"write", 1, "put set store w"}};
  static constexpr std::string_view options = "initial=nil or a value (default nil)";
  static constexpr std::string_view start_option = "initial";
  static std::string start_value(std::string_view state) { return std::string(state); }

  State initial_value = Value::nil();

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type);

  [[nodiscard]] State initial() const { return initial_value; }

  static bool step(State& state, const Operation& operation) {
    switch (operation.method) {
      case kReadModifyWrite:
        if (!operation.returns(state)) return false;
        state = operation.argument(0);
        return true;
      case kRead: return operation.returns(state);
      default: state = operation.argument(0); return operation.acknowledged(0);
    }
  }

  static bool pure(const Operation& operation) {
    if (operation.method == kReadModifyWrite) return operation.result == operation.argument(0);
    return operation.method == kRead;
  }

  static std::string invalid(const Operation& operation) { return refuse_none(operation.arguments); }
};

}  // namespace linchpin::types
