// The queues and deques of java.util.concurrent that keep their elements in order of arrival.
//
// One set of methods, of which the queues have the first part: ArrayBlockingQueue, LinkedBlockingQueue,
// ConcurrentLinkedQueue, LinkedTransferQueue; and ConcurrentLinkedDeque, LinkedBlockingDeque.
// Source: the classes' documentation (JDK 17). Semantics: README.md beside this file.
#pragma once

#include <array>
#include <vector>

#include "core/data_type.hpp"
#include "types/answers.hpp"
#include "types/filled.hpp"
#include "types/juc/java.hpp"
#include "types/juc/queue_methods.hpp"

namespace linchpin::types::juc {

struct SequenceMethods : QueueMethods {
  enum : std::uint16_t {
    kAddFirst = kQueueMethodCount,
    kAddLast,
    kOfferFirst,
    kOfferLast,
    kPutFirst,
    kPutLast,
    kPollFirst,
    kPollLast,
    kRemoveFirst,
    kRemoveLast,
    kTakeFirst,
    kTakeLast,
    kPeekFirst,
    kPeekLast,
    kGetFirst,
    kGetLast,
    kRemoveFirstOccurrence,
    kRemoveLastOccurrence,
    kDequeMethodCount
  };
  static constexpr std::array further_methods{Method{"addFirst", 1, "push"},
                                              Method{"addLast", 1},
                                              Method{"offerFirst", 1},
                                              Method{"offerLast", 1},
                                              Method{"putFirst", 1},
                                              Method{"putLast", 1},
                                              Method{"pollFirst", 0},
                                              Method{"pollLast", 0},
                                              Method{"removeFirst", 0, "pop"},
                                              Method{"removeLast", 0},
                                              Method{"takeFirst", 0},
                                              Method{"takeLast", 0},
                                              Method{"peekFirst", 0},
                                              Method{"peekLast", 0},
                                              Method{"getFirst", 0},
                                              Method{"getLast", 0},
                                              Method{"removeFirstOccurrence", 1},
                                              Method{"removeLastOccurrence", 1}};
  static constexpr std::array<Method, kDequeMethodCount> deque_methods =
      []<std::size_t... i, std::size_t... j>(std::index_sequence<i...>, std::index_sequence<j...>) {
    return std::array<Method, kDequeMethodCount>{queue_methods[i]..., further_methods[j]...};
  }
  (std::make_index_sequence<queue_methods.size()>(), std::make_index_sequence<further_methods.size()>());

  /// Whether it puts its argument in.
  static constexpr bool adds_one(std::uint16_t method) {
    return method <= kPut || (method >= kAddFirst && method <= kPutLast);
  }
};

template <bool kIsDeque>
struct Sequence : SequenceMethods {
  using State = std::vector<Value>;  // head first
  static constexpr const auto& methods = []() -> const auto& {
    if constexpr (kIsDeque) {
      return deque_methods;
    } else {
      return queue_methods;
    }
  }
  ();
  static constexpr std::string_view options =
      "capacity=N (default 2147483647); initial=[1,2]: what it holds at first, the head first";
  static constexpr std::string_view start_option = "initial";
  static std::string start_value(std::string_view state) { return initial_content(state); }
  static constexpr std::uint16_t inserts = kAdd;  ///< what puts in the values that it holds at first

  std::int64_t capacity = kMaxInteger;
  bool always_room = false;  ///< says that the remaining capacity is the largest integer, whatever is inside

  static Result<std::shared_ptr<const Specification>> make(const TypeName& type) {
    core::TypeOptions given(type);
    Sequence specification;
    specification.capacity = given.integer("capacity", 1).value_or(kMaxInteger);
    specification.always_room =
        class_name(type).starts_with("LinkedTransferQueue") && specification.capacity == kMaxInteger;
    const std::vector<Value> held = given.values("initial");
    if (auto finished = given.finish(options); !finished) return finished.error();
    return specify_filled(class_name(type), specification, held);
  }

  static State initial() { return {}; }

  bool step(State& state, const Operation& operation) const {
    const bool full = static_cast<std::int64_t>(state.size()) >= capacity;
    switch (operation.method) {
      case kAdd:
        if (full) return throws(operation, kIllegalState);
        state.push_back(operation.argument(0));
        return operation.returns(true);
      case kOffer:
      case kOfferLast:
        if (!full) state.push_back(operation.argument(0));
        return operation.returns(!full);
      case kOfferFirst:
        if (!full) state.insert(state.begin(), operation.argument(0));
        return operation.returns(!full);
      case kPut:
      case kPutLast:  // they wait while it is full
        if (full) return false;
        state.push_back(operation.argument(0));
        return returns_nothing(operation);
      case kPutFirst:
        if (full) return false;
        state.insert(state.begin(), operation.argument(0));
        return returns_nothing(operation);
      case kAddFirst:
        if (full) return throws(operation, kIllegalState);
        state.insert(state.begin(), operation.argument(0));
        return returns_nothing(operation);
      case kAddLast:
        if (full) return throws(operation, kIllegalState);
        state.push_back(operation.argument(0));
        return returns_nothing(operation);
      case kPoll:
      case kPollFirst:
        if (state.empty()) return operation.returns(Value::nil());
        return take_first(state, operation);
      case kPollLast:
        if (state.empty()) return operation.returns(Value::nil());
        return take_last(state, operation);
      case kTake:
      case kTakeFirst: return !state.empty() && take_first(state, operation);  // they wait while it is empty
      case kTakeLast: return !state.empty() && take_last(state, operation);
      case kRemove:
        if (operation.arguments.size() == 1) return operation.returns(remove_first(state, operation.argument(0)));
        [[fallthrough]];
      case kRemoveFirst:
        if (state.empty()) return throws(operation, kNoSuchElement);
        return take_first(state, operation);
      case kRemoveLast:
        if (state.empty()) return throws(operation, kNoSuchElement);
        return take_last(state, operation);
      case kRemoveFirstOccurrence: return operation.returns(remove_first(state, operation.argument(0)));
      case kRemoveLastOccurrence: {
        const auto at = std::find(state.rbegin(), state.rend(), operation.argument(0));
        const bool found = at != state.rend();
        if (found) state.erase(std::next(at).base());
        return operation.returns(found);
      }
      case kClear: state.clear(); return returns_nothing(operation);
      case kAddAll: return add_all(state, operation);
      case kRemoveAll: return operation.returns(filter(state, collection(operation), false));
      case kRetainAll: return operation.returns(filter(state, collection(operation), true));
      default: return observes(state, operation);
    }
  }

  static bool pure(const Operation& operation) {
    switch (operation.method) {
      case kAdd:
      case kAddFirst:
      case kAddLast: return threw(operation, kIllegalState);
      case kOffer:
      case kOfferFirst:
      case kOfferLast:
      case kRemoveFirstOccurrence:
      case kRemoveLastOccurrence:
      case kRetainAll: return says_false(operation);
      case kPoll:
      case kPollFirst:
      case kPollLast: return operation.result.is_nil();
      case kRemove: return operation.arguments.empty() ? threw(operation, kNoSuchElement) : says_false(operation);
      case kRemoveFirst:
      case kRemoveLast: return threw(operation, kNoSuchElement);
      case kAddAll:
      case kRemoveAll: return says_false(operation) || collection(operation).empty();
      case kPut:
      case kPutFirst:
      case kPutLast:
      case kTake:
      case kTakeFirst:
      case kTakeLast:
      case kClear: return false;
      default: return true;
    }
  }

  static std::string invalid(const Operation& operation) {
    if (operation.method >= kAddAll && operation.method <= kContainsAll && !operation.argument(0).is_list()) {
      return "the argument must be a list";
    }
    if (operation.method == kAddAll) return refuse_putting(operation, collection(operation));
    return refuse_putting(operation, operation.arguments.first(adds_one(operation.method) ? 1 : 0));
  }

  static std::string describe(const State& state, const ValuePool& pool) { return described(state, pool); }

 private:
  bool observes(const State& state, const Operation& operation) const {
    const auto size = static_cast<std::int64_t>(state.size());
    switch (operation.method) {
      case kPeek:
      case kPeekFirst: return operation.returns(state.empty() ? Value::nil() : state.front());
      case kPeekLast: return operation.returns(state.empty() ? Value::nil() : state.back());
      case kElement:
      case kGetFirst: return state.empty() ? throws(operation, kNoSuchElement) : operation.returns(state.front());
      case kGetLast: return state.empty() ? throws(operation, kNoSuchElement) : operation.returns(state.back());
      case kContains: return operation.returns(contains(state, operation.argument(0)));
      case kSize: return returns_number(operation, size);
      case kIsEmpty: return operation.returns(state.empty());
      case kRemainingCapacity: return returns_number(operation, always_room ? kMaxInteger : capacity - size);
      case kContainsAll: return operation.returns(contains_all(state, collection(operation)));
      default: return returns_text(operation, bracketed(state, *operation.pool));  // toArray, toString
    }
  }

  /// Adds one by one: when the capacity is reached, what was added stays and an exception is thrown.
  bool add_all(State& state, const Operation& operation) const {
    for (const Value element : collection(operation)) {
      if (static_cast<std::int64_t>(state.size()) >= capacity) return throws(operation, kIllegalState);
      state.push_back(element);
    }
    return operation.returns(!collection(operation).empty());
  }

  static bool take_first(State& state, const Operation& operation) {
    const bool fits = operation.returns(state.front());
    state.erase(state.begin());
    return fits;
  }
  static bool take_last(State& state, const Operation& operation) {
    const bool fits = operation.returns(state.back());
    state.pop_back();
    return fits;
  }
};

using FifoQueue = Sequence<false>;
using LinkedDeque = Sequence<true>;

}  // namespace linchpin::types::juc
