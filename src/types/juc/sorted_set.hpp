// java.util.concurrent.ConcurrentSkipListSet: an ascending set.
//
// A product over its elements as long as nothing sees its order. Semantics: README.md beside this file.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/data_type.hpp"
#include "types/juc/java.hpp"

namespace linchpin::types::juc {

struct SortedSet {
  using State = std::vector<Value>;  // ascending
  enum : std::uint16_t {
    kAdd,
    kRemove,
    kContains,
    kPollFirst,
    kPollLast,
    kFirst,
    kLast,
    kLower,
    kFloor,
    kCeiling,
    kHigher,
    kHeadSet,
    kTailSet,
    kSize,
    kIsEmpty,
    kToArray,
    kToString,
    kClear,
    kAddAll,
    kRemoveAll,
    kRetainAll,
    kContainsAll
  };
  static constexpr std::array methods{
      Method{"add", 1},       Method{"remove", 1},     Method{"contains", 1}, Method{"pollFirst", 0},
      Method{"pollLast", 0},  Method{"first", 0},      Method{"last", 0},     Method{"lower", 1},
      Method{"floor", 1},     Method{"ceiling", 1},    Method{"higher", 1},   Method{"headSet", 1},
      Method{"tailSet", 1},   Method{"size", 0},       Method{"isEmpty", 0},  Method{"toArray", 0, "iterator"},
      Method{"toString", 0},  Method{"clear", 0},      Method{"addAll", 1},   Method{"removeAll", 1},
      Method{"retainAll", 1}, Method{"containsAll", 1}};
  static constexpr std::string_view options = "";

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type) {
    core::TypeOptions given(type);
    if (auto finished = given.finish(options); !finished) return finished.error();
    return specify(class_name(type), SortedSet{});
  }

  static State initial() { return {}; }

  static bool step(State& state, const Operation& operation) {
    const ValuePool& pool = *operation.pool;
    switch (operation.method) {
      case kAdd: return operation.returns(insert(state, operation.argument(0), pool));
      case kRemove: return operation.returns(remove_first(state, operation.argument(0)));
      case kContains: return operation.returns(juc::contains(state, operation.argument(0)));
      case kPollFirst: {
        const Value first = state.empty() ? Value::nil() : state.front();
        if (!state.empty()) state.erase(state.begin());
        return operation.returns(first);
      }
      case kPollLast: {
        const Value last = state.empty() ? Value::nil() : state.back();
        if (!state.empty()) state.pop_back();
        return operation.returns(last);
      }
      case kClear: state.clear(); return returns_nothing(operation);
      case kAddAll: {
        bool changed = false;
        for (const Value element : collection(operation)) changed = insert(state, element, pool) || changed;
        return operation.returns(changed);
      }
      case kRemoveAll: return operation.returns(filter(state, collection(operation), false));
      case kRetainAll: return operation.returns(filter(state, collection(operation), true));
      default: return observes(state, operation);
    }
  }

  static bool pure(const Operation& operation) {
    switch (operation.method) {
      case kAdd:
      case kRemove:
      case kRetainAll: return says_false(operation);
      case kPollFirst:
      case kPollLast: return operation.result.is_nil();
      case kAddAll:
      case kRemoveAll: return says_false(operation) || collection(operation).empty();
      case kClear: return false;
      default: return true;
    }
  }

  static std::optional<Value> key(const Operation& operation) {
    return operation.method <= kContains ? std::optional(operation.argument(0)) : std::nullopt;
  }

  static std::string invalid(const Operation& operation) {
    if (operation.method >= kAddAll && !operation.argument(0).is_list()) return "the argument must be a list";
    if (operation.method == kAddAll) return refuse_putting(operation, collection(operation));
    return refuse_putting(operation, operation.arguments.first(operation.method == kAdd ? 1 : 0));
  }

  static std::string describe(const State& state, const ValuePool& pool) { return described(state, pool); }

 private:
  static bool observes(const State& state, const Operation& operation) {
    const ValuePool& pool = *operation.pool;
    // The elements below the argument, and those not above it.
    const auto below = [&] { return place(state, operation.argument(0), pool, false); };
    const auto up_to = [&] { return place(state, operation.argument(0), pool, true); };
    const auto at = [&](std::size_t i) { return i < state.size() ? state[i] : Value::nil(); };
    const auto text = [&](std::size_t begin, std::size_t end) {
      return bracketed(std::span(state).subspan(begin, end - begin), pool);
    };
    switch (operation.method) {
      case kFirst: return state.empty() ? throws(operation, kNoSuchElement) : operation.returns(state.front());
      case kLast: return state.empty() ? throws(operation, kNoSuchElement) : operation.returns(state.back());
      // Below index 0 the index wraps around and there is nothing.
      case kLower: return operation.returns(at(below() - 1));
      case kFloor: return operation.returns(at(up_to() - 1));
      case kCeiling: return operation.returns(at(below()));
      case kHigher: return operation.returns(at(up_to()));
      case kHeadSet: return returns_text(operation, text(0, below()));
      case kTailSet: return returns_text(operation, text(below(), state.size()));
      case kSize: return returns_number(operation, static_cast<std::int64_t>(state.size()));
      case kIsEmpty: return operation.returns(state.empty());
      case kContainsAll: return operation.returns(contains_all(state, collection(operation)));
      default: return returns_text(operation, text(0, state.size()));  // toArray, toString
    }
  }

  /// How many elements are below `element`, or not above it.
  static std::size_t place(const State& state, Value element, const ValuePool& pool, bool with_equal) {
    std::size_t count = 0;
    while (count < state.size()) {
      const auto order = pool.compare(state[count], element);
      if (order > 0 || (order == 0 && !with_equal)) break;
      ++count;
    }
    return count;
  }

  static bool insert(State& state, Value element, const ValuePool& pool) {
    const std::size_t at = place(state, element, pool, false);
    if (at < state.size() && state[at] == element) return false;
    state.insert(state.begin() + static_cast<std::ptrdiff_t>(at), element);
    return true;
  }
};

}  // namespace linchpin::types::juc
