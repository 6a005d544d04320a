// A set: add(v), remove(v), contains(v), each -> bool; read -> all elements in any order; size, is_empty, clear.
//
// A product over its elements: operations on one element are decided apart. Semantics: README.md beside this file.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/data_type.hpp"
#include "linchpin/specification.hpp"
#include "types/answers.hpp"
#include "types/arguments.hpp"

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
  static constexpr std::string_view options = "";

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type) {
    core::TypeOptions given(type);
    if (auto finished = given.finish(options); !finished) return finished.error();
    return specify(full_name("set", type), Set{});
  }

  static State initial() { return {}; }

  static bool step(State& state, const Operation& operation) {
    switch (operation.method) {
      case kAdd: {
        const auto at = place(state, operation.argument(0));
        const bool absent = at == state.end() || *at != operation.argument(0);
        if (!fits_outcome(operation, absent)) return false;
        if (absent) state.insert(at, operation.argument(0));
        return true;
      }
      case kRemove: {
        const auto at = place(state, operation.argument(0));
        const bool present = at != state.end() && *at == operation.argument(0);
        if (!fits_outcome(operation, present)) return false;
        if (present) state.erase(at);
        return true;
      }
      case kContains: {
        const auto at = place(state, operation.argument(0));
        return operation.returns(at != state.end() && *at == operation.argument(0));
      }
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
  static State::iterator place(State& state, Value element) {
    return std::lower_bound(state.begin(), state.end(), element,
                            [](Value left, Value right) { return left.bits() < right.bits(); });
  }

  static bool shows(const State& state, const Operation& operation) {
    if (operation.result_unknown()) return true;
    if (!operation.result.is_list()) return false;
    const auto shown = operation.pool->elements_of(operation.result);
    if (shown.size() != state.size()) return false;
    State sorted(shown.begin(), shown.end());
    std::sort(sorted.begin(), sorted.end(), [](Value left, Value right) { return left.bits() < right.bits(); });
    return sorted == state;
  }
};

}  // namespace linchpin::types
