// java.util.concurrent.PriorityBlockingQueue: a binary heap whose array order shows in toString and toArray.
//
// The array is kept exactly as the JDK (17) keeps it: sifting up on insertion, sifting down on removal, the last
// element moved into a hole, and a whole rebuild after removeAll and retainAll. Smallest first.
// Source: the class's documentation and the textbook heap that it names. Semantics: README.md beside this file.
#pragma once

#include <vector>

#include "core/data_type.hpp"
#include "types/answers.hpp"
#include "types/filled.hpp"
#include "types/juc/java.hpp"
#include "types/juc/queue_methods.hpp"

namespace linchpin::types::juc {

struct Heap : QueueMethods {
  using State = std::vector<Value>;  // children of i at 2i+1 and 2i+2
  static constexpr const auto& methods = queue_methods;
  static constexpr std::string_view options = "initial=[1,2]: what it holds at first, as added one by one";
  static constexpr std::string_view start_option = "initial";
  static std::string start_value(std::string_view state) { return initial_content(state); }
  static constexpr std::uint16_t inserts = kAdd;  ///< what puts in the values that it holds at first

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type) {
    core::TypeOptions given(type);
    const std::vector<Value> held = given.values("initial");
    if (auto finished = given.finish(options); !finished) return finished.error();
    return specify_filled(class_name(type), Heap{}, held);
  }

  static State initial() { return {}; }

  static bool step(State& state, const Operation& operation) {
    const ValuePool& pool = *operation.pool;
    switch (operation.method) {
      case kAdd:
      case kOffer: insert(state, operation.argument(0), pool); return operation.returns(true);
      case kPut: insert(state, operation.argument(0), pool); return returns_nothing(operation);
      case kPoll:
        if (state.empty()) return operation.returns(Value::nil());
        return take(state, operation);
      case kTake: return !state.empty() && take(state, operation);  // waits while the queue is empty
      case kRemove: {
        if (operation.arguments.empty()) {
          return state.empty() ? throws(operation, kNoSuchElement) : take(state, operation);
        }
        const auto at = std::find(state.begin(), state.end(), operation.argument(0));
        const bool found = at != state.end();
        if (found) remove_at(state, static_cast<std::size_t>(at - state.begin()), pool);
        return operation.returns(found);
      }
      case kClear: state.clear(); return returns_nothing(operation);
      case kAddAll:
        for (const Value element : collection(operation)) insert(state, element, pool);
        return operation.returns(!collection(operation).empty());
      case kRemoveAll:
      case kRetainAll: {
        const bool changed = filter(state, collection(operation), operation.method == kRetainAll);
        if (changed) rebuild(state, pool);
        return operation.returns(changed);
      }
      case kPeek: return operation.returns(state.empty() ? Value::nil() : state.front());
      case kElement: return state.empty() ? throws(operation, kNoSuchElement) : operation.returns(state.front());
      case kContains: return operation.returns(contains(state, operation.argument(0)));
      case kSize: return returns_number(operation, static_cast<std::int64_t>(state.size()));
      case kIsEmpty: return operation.returns(state.empty());
      case kRemainingCapacity: return returns_number(operation, kMaxInteger);
      case kContainsAll: return operation.returns(contains_all(state, collection(operation)));
      default: return returns_text(operation, bracketed(state, pool));  // toArray, toString
    }
  }

  static bool pure(const Operation& operation) {
    switch (operation.method) {
      case kAdd:
      case kOffer:
      case kPut:
      case kTake:
      case kClear: return false;
      case kPoll: return operation.result.is_nil();
      case kRemove: return operation.arguments.empty() ? threw(operation, kNoSuchElement) : says_false(operation);
      case kAddAll:
      case kRemoveAll: return says_false(operation) || collection(operation).empty();
      case kRetainAll: return says_false(operation);
      default: return true;
    }
  }

  static std::string invalid(const Operation& operation) {
    if (operation.method >= kAddAll && !operation.argument(0).is_list()) return "the argument must be a list";
    if (operation.method == kAddAll) return refuse_putting(operation, collection(operation));
    return refuse_putting(operation, operation.arguments.first(operation.method <= kPut ? 1 : 0));
  }

  static std::string describe(const State& state, const ValuePool& pool) { return described(state, pool); }

 private:
  static void insert(State& state, Value element, const ValuePool& pool) {
    state.push_back(element);
    sift_up(state, state.size() - 1, element, pool);
  }

  static bool take(State& state, const Operation& operation) {
    const Value first = state.front();
    remove_at(state, 0, *operation.pool);
    return operation.returns(first);
  }

  /// The last element fills the hole, and moves down or, if it did not, up.
  static void remove_at(State& state, std::size_t hole, const ValuePool& pool) {
    const Value moved = state.back();
    state.pop_back();
    if (hole == state.size()) return;
    sift_down(state, hole, moved, pool);
    if (state[hole] == moved) sift_up(state, hole, moved, pool);
  }

  static void rebuild(State& state, const ValuePool& pool) {
    for (std::size_t i = state.size() / 2; i-- > 0;) sift_down(state, i, state[i], pool);
  }

  static void sift_up(State& state, std::size_t hole, Value element, const ValuePool& pool) {
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / 2;
      if (pool.compare(element, state[parent]) >= 0) break;
      state[hole] = state[parent];
      hole = parent;
    }
    state[hole] = element;
  }

  static void sift_down(State& state, std::size_t hole, Value element, const ValuePool& pool) {
    while (hole < state.size() / 2) {
      std::size_t child = 2 * hole + 1;
      // The left child where both are equal.
      if (child + 1 < state.size() && pool.compare(state[child], state[child + 1]) > 0) ++child;
      if (pool.compare(element, state[child]) <= 0) break;
      state[hole] = state[child];
      hole = child;
    }
    state[hole] = element;
  }
};

}  // namespace linchpin::types::juc
