// A last-in-first-out stack: push(v), pop() -> v or nil, peek() -> v or nil, size, is_empty.
//
// With heights the results carry the number of values too; README.md beside this file says in which form.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/specification_interface.hpp"
#include "types/answers.hpp"
#include "types/arguments.hpp"

namespace linchpin::types {

struct Stack {
  using State = std::vector<Value>;  // the top last
  enum : std::uint16_t { kPush, kPop, kPeek, kSize, kIsEmpty };
  static constexpr std::array methods{Method{"push", 1, "add put insert enq enqueue"},
                                      Method{"pop", 0, "remove take poll deq dequeue"}, Method{"peek", 0, "top"},
                                      Method{"size", 0, "length count height"}, Method{"is_empty", 0, "empty"}};
  static constexpr std::string_view options =
      "heights=no, yes (push returns the height after it, pop [value height after it]) or before (both before it); "
      "initial=[1,2]: what it holds at first, the top last; "
      "unordered=[1,1,2]: the same, in an order that is not known";
  static constexpr std::string_view start_option = "initial";
  static constexpr std::string_view unordered_option = "unordered";
  static std::string start_value(std::string_view state) { return initial_content(state); }
  static constexpr std::uint16_t inserts = kPush;  ///< what puts in the values that it holds at first

  enum class Heights : std::uint8_t { no, after, before };
  Heights heights = Heights::no;

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type);

  // How results are read; the search over sets of stacks reads them by the same words.
  struct Pair {
    Value value;
    std::int64_t height = 0;
  };

  [[nodiscard]] std::int64_t shown(std::int64_t before, std::int64_t after) const {
    return heights == Heights::before ? before : after;
  }
  /// A push's integer result is a height where heights are on. Elsewhere it can only be the argument repeated.
  [[nodiscard]] bool returns_height(const Operation& operation) const {
    return heights != Heights::no && is_integer(operation.result);
  }
  /// A pop's [value height]. Only where heights are on: elsewhere the list is a value.
  [[nodiscard]] std::optional<Pair> popped_pair(const Operation& operation) const {
    if (heights == Heights::no || operation.method != kPop) return std::nullopt;
    return pair_of(operation.result, *operation.pool);
  }
  [[nodiscard]] bool found_empty(const Operation& operation) const {
    if (const auto pair = popped_pair(operation)) return pair->value.is_nil();
    if (operation.result.is_nil()) return true;
    // A bare height of zero before the pop; a value is returned with its height.
    return operation.method == kPop && heights == Heights::before && operation.result == Value::integer(0);
  }

  static State initial() { return {}; }

  bool step(State& state, const Operation& operation) const {
    const auto height = static_cast<std::int64_t>(state.size());
    switch (operation.method) {
      case kPush:
        state.push_back(operation.argument(0));
        if (returns_height(operation)) return returns_number(operation, shown(height, height + 1));
        return operation.acknowledged(0);
      case kPop: {
        const std::optional<Pair> pair = popped_pair(operation);
        if (state.empty()) {
          if (pair) return pair->height == 0 && pair->value.is_nil();
          return operation.result_unknown() || found_empty(operation);
        }
        const Value top = state.back();
        state.pop_back();
        if (pair) return pair->value == top && pair->height == shown(height, height - 1);
        return operation.returns(top) && !found_empty(operation);
      }
      case kPeek: return operation.returns(state.empty() ? Value::nil() : state.back());
      case kSize: return returns_number(operation, height);
      default: return operation.returns(state.empty());
    }
  }

  bool pure(const Operation& operation) const {
    return operation.method > kPop || (operation.method == kPop && found_empty(operation));
  }

  std::optional<Value> erasable(const Operation& operation) const {
    switch (operation.method) {
      case kPush: return operation.argument(0);
      case kPop:
      case kPeek:
        if (operation.result_unknown() || found_empty(operation)) return std::nullopt;
        if (const auto pair = popped_pair(operation)) return pair->value;
        return operation.result;
      default: return std::nullopt;
    }
  }

  bool sensitive(const Operation& operation) const {
    switch (operation.method) {
      case kPush: return returns_height(operation);
      case kPop: return operation.result_unknown() || (popped_pair(operation) && !found_empty(operation));
      case kPeek: return false;
      case kSize: return returns_nonzero(operation);
      default: return says_false(operation);
    }
  }

  /// Of operations without arguments, it is a pop with a height that may be refused.
  [[nodiscard]] bool judges_results() const { return heights == Heights::before; }

  /// What could be read in two ways is refused: the option says which one is meant.
  [[nodiscard]] std::string invalid(const Operation& operation) const {
    const auto pushed = operation.arguments.first(operation.method == kPush ? 1 : 0);
    if (std::string why = refuse_putting(operation, pushed); !why.empty()) return why;
    const Value result = operation.result;
    if (operation.method == kPush) {
      if (heights == Heights::no && is_integer(result) && result != operation.argument(0)) {
        return "what it returned may be the height before it or after it: say heights=before or heights=yes";
      }
      if (heights == Heights::after && pair_of(operation.argument(0), *operation.pool)) {
        return "with heights=yes, a pop that returns such a list returns a value and a height";
      }
    }
    const bool popped = operation.method == kPop && !operation.result_unknown() && !result.is_none();
    if (heights == Heights::before && popped && !found_empty(operation) && !popped_pair(operation)) {
      return "with heights=before, a pop returns [value height], or 0 or nil when the stack is empty";
    }
    return {};
  }

  static std::string describe(const State& state, const ValuePool& pool) {
    return fmt::format("[{}], top last", join(state, pool));
  }

 private:
  /// [value height], as far as its form says.
  static std::optional<Pair> pair_of(Value value, const ValuePool& pool) {
    if (!value.is_list()) return std::nullopt;
    const auto parts = pool.elements_of(value);
    if (parts.size() != 2 || !is_integer(parts[1])) return std::nullopt;
    return Pair{parts[0], pool.integer_of(parts[1])};
  }
};

}  // namespace linchpin::types
