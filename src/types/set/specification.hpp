// A set: add(v), remove(v), contains(v), each -> bool; read -> all elements in any order; size, is_empty, clear.
//
// A product over its elements: operations on one element are decided apart. Semantics: README.md beside this file.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/specification_interface.hpp"
#include "types/answers.hpp"
#include "types/arguments.hpp"
#include "types/executed.hpp"

namespace linchpin::types {

struct Set {
  using State = std::vector<Value>;  // ascending by bits
  enum : std::uint16_t { kAdd, kRemove, kContains, kRead, kSize, kIsEmpty, kClear };
  static constexpr std::array methods{Method{"add", 1, "insert put include"},
                                      Method{"remove", 1, "delete erase discard"},
                                      Method{"contains", 1, "member has lookup"},
                                      Method{"read", 0, "get get_all elements to_list"},
                                      Method{"size", 0, "length count"},
                                      Method{"is_empty", 0, "empty"},
                                      Method{"clear", 0, "reset"}};
  static constexpr std::string_view options = "initial=[1,2]: what it holds at first";
  static constexpr std::string_view start_option = "initial";
  static std::string start_value(std::string_view state) { return initial_content(state); }
  static constexpr std::uint16_t inserts = kAdd;  ///< what puts in the values that it holds at first

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type);

  static State initial() { return {}; }
  [[nodiscard]] std::unique_ptr<Replay> make_replay() const;

  /// `Elements`: the state, or what a run changes in place.
  template <class Elements>
  static bool step(Elements& state, const Operation& operation) {
    switch (operation.method) {
      case kAdd: return fits_outcome(operation, put_in(state, operation.argument(0)));
      case kRemove: return fits_outcome(operation, take_out(state, operation.argument(0)));
      case kContains: return operation.returns(has(state, operation.argument(0)));
      case kRead: return shows(state, operation);
      case kSize: return returns_number(operation, static_cast<std::int64_t>(state.size()));
      case kIsEmpty: return operation.returns(state.empty());
      default: state.clear(); return operation.acknowledged();
    }
  }

  static bool pure(const Operation& operation) {
    switch (operation.method) {
      case kAdd:
      case kRemove: return says_false(operation);
      case kClear: return false;
      default: return true;
    }
  }

  static std::optional<Value> key(const Operation& operation) {
    return operation.method <= kContains ? std::optional(operation.argument(0)) : std::nullopt;
  }
  static std::optional<Value> erasable(const Operation& operation) { return key(operation); }

  static bool sensitive(const Operation& operation) {
    switch (operation.method) {
      case kRead:
        return !operation.result_unknown() &&
               !(operation.result.is_list() && operation.pool->elements_of(operation.result).empty());
      case kSize: return returns_nonzero(operation);
      case kIsEmpty: return says_false(operation);
      default: return false;
    }
  }

  static std::string invalid(const Operation& operation) { return refuse_none(operation.arguments); }

  static std::string describe(const State& state, const ValuePool& pool) {
    return fmt::format("{{{}}}", join(state, pool));
  }

 private:
  /// Whether all elements are shown, each once.
  template <class Elements>
  static bool shows(const Elements& state, const Operation& operation) {
    if (operation.result_unknown()) return true;
    if (!operation.result.is_list()) return false;
    const auto shown = operation.pool->elements_of(operation.result);
    if (shown.size() != state.size()) return false;
    absl::flat_hash_set<std::uint64_t> met;
    return std::all_of(shown.begin(), shown.end(),
                       [&](Value element) { return has(state, element) && met.insert(element.bits()).second; });
  }
};

}  // namespace linchpin::types
