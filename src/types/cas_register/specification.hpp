// A register with compare-and-set: write(v), read -> v, cas(old, new) -> bool, compare_exchange(old, new) -> previous.
//
// What a failed cas tells is an option: that the state was not `old`, or nothing. In the second reading a cas whose
// result is unknown may have failed in any state, so this specification is nondeterministic.
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

struct CasRegister {
  using State = Value;  // none: undefined
  enum : std::uint16_t { kWrite, kRead, kCas, kCompareExchange };
  static constexpr std::array methods{Method{"write", 1, "put set store w"}, Method{"read", 0, "get load r"},
                                      Method{"cas", 2, "compare_and_set compare_and_swap test_and_set replace"},
                                      Method{"compare_exchange", 2, "compare_and_exchange cmpxchg"}};
  static constexpr std::string_view options =
      "initial=nil, undefined or a value (default nil); failed-cas=constraint (the state was not old) or drop "
      "(nothing)";
  static constexpr std::string_view start_option = "initial";
  static std::string start_value(std::string_view state) { return std::string(state); }

  State initial_value = Value::nil();
  bool failure_tells = true;

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type);

  [[nodiscard]] State initial() const { return initial_value; }

  template <class Emit>
  void step(State state, const Operation& operation, Emit&& emit) const {
    if (operation.method == kWrite) {
      if (operation.acknowledged(0)) emit(operation.argument(0));
      return;
    }
    // A failure that tells nothing is possible in any state.
    const bool may_fail = operation.method == kCas && (says_false(operation) || operation.result_unknown());
    const bool fails_anywhere = may_fail && !failure_tells;
    if (fails_anywhere) emit(state);
    if (state.is_none()) return;  // undefined: nothing else but a write
    if (operation.method == kRead) {
      if (operation.returns(state)) emit(state);
      return;
    }
    const bool matches = state == operation.argument(0);
    if (operation.method == kCompareExchange) {
      if (operation.returns(state)) emit(matches ? operation.argument(1) : state);
      return;
    }
    if (matches && fits_attempt(operation, true)) emit(operation.argument(1));
    if (!matches && may_fail && !fails_anywhere) emit(state);
  }

  bool pure(const Operation& operation) const {
    switch (operation.method) {
      case kWrite: return false;
      case kRead: return true;
      case kCas: return says_false(operation) || operation.argument(0) == operation.argument(1);
      default:
        return operation.argument(0) == operation.argument(1) ||
               (!operation.result_unknown() && operation.result != operation.argument(0));
    }
  }

  static std::optional<Value> overwrites(const Operation& operation) {
    if (operation.method == kWrite && operation.acknowledged(0)) return Value::nil();
    return std::nullopt;
  }

  static std::string invalid(const Operation& operation) { return refuse_none(operation.arguments); }

  static std::string describe(State state, const ValuePool& pool) {
    return state.is_none() ? "undefined" : pool.to_text(state);
  }
};

}  // namespace linchpin::types
