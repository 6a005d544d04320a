// A bag (multiset): add(v), remove(v) -> bool, take() -> some value or nil, contains(v), size, is_empty, clear.
//
// take() removes any value; when its result is unknown it has a successor for each, so this specification is
// nondeterministic. A product over its values as long as nothing sees the whole. Semantics: README.md beside this file.
#pragma once

#include <algorithm>
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

struct Bag {
  using State = std::vector<Value>;  // ascending by bits, each value as often as it is in the bag
  enum : std::uint16_t { kAdd, kRemove, kTake, kContains, kSize, kIsEmpty, kClear };
  static constexpr std::array methods{Method{"add", 1, "insert put enqueue enq push offer"},
                                      Method{"remove", 1, "delete erase"},
                                      Method{"take", 0, "dequeue deq pop poll remove_any try_take"},
                                      Method{"contains", 1, "member has"},
                                      Method{"size", 0, "length count"},
                                      Method{"is_empty", 0, "empty"},
                                      Method{"clear", 0, "reset"}};
  static constexpr std::string_view options = "initial=[1,2]: what it holds at first";
  static constexpr std::string_view start_option = "initial";
  static std::string start_value(std::string_view state) { return initial_content(state); }
  static constexpr std::uint16_t inserts = kAdd;  ///< what puts in the values that it holds at first

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type);

  static State initial() { return {}; }

  /// Executes in place: replay.hpp.
  [[nodiscard]] static std::unique_ptr<Replay> make_replay();

  template <class Emit>
  static void step(const State& state, const Operation& operation, Emit&& emit) {
    switch (operation.method) {
      case kAdd:
        if (operation.acknowledged(0)) emit(with(state, operation.argument(0)));
        return;
      case kRemove: {
        const bool present = holds(state, operation.argument(0));
        if (fits_outcome(operation, present)) emit(present ? without(state, operation.argument(0)) : state);
        return;
      }
      case kTake:
        if (operation.result_unknown()) {
          if (state.empty()) emit(state);
          for (std::size_t i = 0; i < state.size(); ++i) {
            if (i == 0 || state[i] != state[i - 1]) emit(without(state, state[i]));
          }
        } else if (operation.result.is_nil()) {
          if (state.empty()) emit(state);
        } else if (holds(state, operation.result)) {
          emit(without(state, operation.result));
        }
        return;
      case kContains:
        if (operation.returns(holds(state, operation.argument(0)))) emit(state);
        return;
      case kSize:
        if (returns_number(operation, static_cast<std::int64_t>(state.size()))) emit(state);
        return;
      case kIsEmpty:
        if (operation.returns(state.empty())) emit(state);
        return;
      default:
        if (operation.acknowledged()) emit(State{});
    }
  }

  static bool pure(const Operation& operation) {
    switch (operation.method) {
      case kAdd:
      case kClear: return false;
      case kRemove: return says_false(operation);
      case kTake: return operation.result.is_nil();
      default: return true;
    }
  }

  static std::optional<Value> key(const Operation& operation) {
    switch (operation.method) {
      case kAdd:
      case kRemove:
      case kContains: return operation.argument(0);
      case kTake:
        if (operation.result_unknown() || operation.result.is_nil()) return std::nullopt;
        return operation.result;
      default: return std::nullopt;
    }
  }
  static std::optional<Value> erasable(const Operation& operation) { return key(operation); }

  static bool sensitive(const Operation& operation) {
    switch (operation.method) {
      case kTake: return operation.result_unknown();
      case kSize: return returns_nonzero(operation);
      case kIsEmpty: return says_false(operation);
      default: return false;
    }
  }

  static std::string invalid(const Operation& operation) {
    return refuse_putting(operation, operation.arguments.first(operation.method == kAdd ? 1 : 0));
  }

  static std::string describe(const State& state, const ValuePool& pool) {
    return fmt::format("{{{}}}", join(state, pool));
  }

 private:
  static State::const_iterator place(const State& state, Value value) {
    return std::lower_bound(state.begin(), state.end(), value,
                            [](Value left, Value right) { return left.bits() < right.bits(); });
  }
  static bool holds(const State& state, Value value) {
    const auto at = place(state, value);
    return at != state.end() && *at == value;
  }
  static State with(const State& state, Value value) {
    State next = state;
    next.insert(next.begin() + (place(state, value) - state.begin()), value);
    return next;
  }
  static State without(const State& state, Value value) {
    State next = state;
    next.erase(next.begin() + (place(state, value) - state.begin()));
    return next;
  }
};

}  // namespace linchpin::types
