// An array of registers: read(i), write(i, v), cas(i, old, new) -> bool.
//
// A product over its indices, which may be any values. Semantics and options: README.md beside this file.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/specification_interface.hpp"
#include "types/answers.hpp"
#include "types/arguments.hpp"
#include "types/flat_map.hpp"

namespace linchpin::types {

struct Array {
  using State = FlatMap<Value>;  // the elements that differ from the initial value
  enum : std::uint16_t { kRead, kWrite, kCas };
  static constexpr std::array methods{Method{"read", 1, "get load at"}, Method{"write", 2, "set store put"},
                                      Method{"cas", 3, "compare_and_set compare_and_swap"}};
  static constexpr std::string_view options = "initial=nil or a value (default nil): what every element holds at first";

  Value initial_value = Value::nil();

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type);

  static State initial() { return {}; }
  [[nodiscard]] std::unique_ptr<Replay> make_replay() const;

  /// `Contents`: the state, or what a run changes in place.
  template <class Contents>
  bool step(Contents& state, const Operation& operation) const {
    const Value index = operation.argument(0);
    const Value* const stored = state.find(index);
    const Value current = stored == nullptr ? initial_value : *stored;
    switch (operation.method) {
      case kRead: return operation.returns(current);
      case kWrite: store(state, index, operation.argument(1)); return operation.acknowledged(1);
      default: {
        const bool matches = current == operation.argument(1);
        if (!fits_attempt(operation, matches)) return false;
        if (matches) store(state, index, operation.argument(2));
        return true;
      }
    }
  }

  static bool pure(const Operation& operation) {
    switch (operation.method) {
      case kRead: return true;
      case kWrite: return false;
      default: return says_false(operation) || operation.argument(1) == operation.argument(2);
    }
  }

  static std::optional<Value> overwrites(const Operation& operation) {
    if (operation.method == kWrite && operation.acknowledged(1)) return operation.argument(0);
    return std::nullopt;
  }
  static std::optional<Value> key(const Operation& operation) { return operation.argument(0); }
  static std::optional<Value> erasable(const Operation& operation) { return operation.argument(0); }

  static std::string invalid(const Operation& operation) { return refuse_none(operation.arguments); }

  static std::string describe(const State& state, const ValuePool& pool) {
    std::string text;
    for (const auto& [index, value] : state) {
      text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", pool.to_text(index), pool.to_text(value));
    }
    return fmt::format("[{}]", text);
  }
  static std::size_t bytes(const State& state) { return state.bytes(); }

 private:
  template <class Contents>
  void store(Contents& state, Value index, Value value) const {
    if (value == initial_value) {
      state.erase(index);
    } else {
      state.assign(index, value);
    }
  }
};

}  // namespace linchpin::types
