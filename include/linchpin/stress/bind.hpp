// How the methods of a container are found: by the names that containers use, the first that fits.
//
//   queue           enqueue try_enqueue push try_push put offer | try_dequeue dequeue try_pop pop poll | size empty
//   stack           push try_push | try_pop pop | size empty
//   deque           push_front push_back | try_pop_front pop_front, ..._back | size empty
//   priority_queue  push insert enqueue | try_pop pop try_dequeue dequeue poll | size empty
//   set             insert add | erase remove | contains count | size empty
//   map             insert_or_assign put | insert | get find | erase remove | contains count | size empty
//   atomic_register store write set | load read get          (initially 0 unless told otherwise)
//   counter         fetch_add increment add | fetch_sub decrement | load read get value
//   mutex           lock try_lock unlock
//
// A method that takes something out returns an optional (or something like it: a pointer), or takes a reference and
// returns a boolean. A method that adds may return a boolean; false means that the value was refused, which is not
// recorded unless the type has a capacity. Values have the container's value_type (keys its key_type), or are
// std::int64_t. `size` and `empty` are bound, but called only if the mix names them: many containers promise little
// about them.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "linchpin/stress/binder.hpp"
#include "linchpin/stress/calls.hpp"
#include "linchpin/stress/plan.hpp"

namespace linchpin::stress_plan {

/// A type that `stress` can bind: its name with options, and its methods.
template <class Type>
concept Bindable = requires(const Type& type) {
  { type.text() } -> std::convertible_to<std::string>;
};

/// What the types have in common. `Derived::bind` binds a container's methods.
template <class Derived>
struct TypeBase {
  std::string_view options = {};  ///< outlives the call of `stress`

  [[nodiscard]] constexpr Derived with(std::string_view some) const {
    Derived copy;
    copy.options = some;
    return copy;
  }
  [[nodiscard]] std::string text() const {
    std::string text(Derived::kName);
    if (!options.empty()) text.append(" ").append(options);
    return text;
  }
};

struct Queue : TypeBase<Queue> {
  static constexpr std::string_view kName = "queue";
  template <class Container, class AnyPlan>
  void bind(AnyPlan& plan) const {
    Binder<Container, AnyPlan> binder(plan);
    const auto enqueue =
        binder.template adds<CallEnqueue, CallTryEnqueue, CallPush, CallTryPush, CallPut, CallOffer>("enqueue");
    static_assert(decltype(enqueue)::value, "the queue has no method like enqueue(value): give linchpin::Operations");
    const auto dequeue = binder.template takes<CallTryDequeue, CallDequeue, CallTryPop, CallPop, CallPoll>("dequeue");
    static_assert(decltype(dequeue)::value, "the queue has no method like try_dequeue(): give linchpin::Operations");
    binder.sizes();
  }
};

struct Stack : TypeBase<Stack> {
  static constexpr std::string_view kName = "stack";
  template <class Container, class AnyPlan>
  void bind(AnyPlan& plan) const {
    Binder<Container, AnyPlan> binder(plan);
    const auto push = binder.template adds<CallPush, CallTryPush>("push");
    static_assert(decltype(push)::value, "the stack has no method like push(value): give linchpin::Operations");
    const auto pop = binder.template takes<CallTryPop, CallPop>("pop");
    static_assert(decltype(pop)::value, "the stack has no method like try_pop(): give linchpin::Operations");
    binder.sizes();
  }
};

struct Deque : TypeBase<Deque> {
  static constexpr std::string_view kName = "deque";
  template <class Container, class AnyPlan>
  void bind(AnyPlan& plan) const {
    Binder<Container, AnyPlan> binder(plan);
    const auto push_front = binder.template adds<CallPushFront>("push_front");
    const auto push_back = binder.template adds<CallPushBack>("push_back");
    static_assert(decltype(push_front)::value || decltype(push_back)::value,
                  "the deque has neither push_front(value) nor push_back(value): give linchpin::Operations");
    const auto pop_front = binder.template takes<CallTryPopFront, CallPopFront>("pop_front");
    const auto pop_back = binder.template takes<CallTryPopBack, CallPopBack>("pop_back");
    static_assert(decltype(pop_front)::value || decltype(pop_back)::value,
                  "the deque has no method like pop_front(), pop_back(): give linchpin::Operations");
    binder.sizes();
  }
};

struct PriorityQueue : TypeBase<PriorityQueue> {
  static constexpr std::string_view kName = "priority-queue";
  template <class Container, class AnyPlan>
  void bind(AnyPlan& plan) const {
    Binder<Container, AnyPlan> binder(plan);
    const auto insert = binder.template adds<CallPush, CallInsert, CallEnqueue>("insert", true);
    static_assert(decltype(insert)::value, "the queue has no method like push(value): give linchpin::Operations");
    const auto poll = binder.template takes<CallTryPop, CallPop, CallTryDequeue, CallDequeue, CallPoll>("poll");
    static_assert(decltype(poll)::value, "the queue has no method like try_pop(): give linchpin::Operations");
    binder.sizes();
  }
};

struct Set : TypeBase<Set> {
  static constexpr std::string_view kName = "set";
  template <class Container, class AnyPlan>
  void bind(AnyPlan& plan) const {
    Binder<Container, AnyPlan> binder(plan);
    const auto add = binder.template of_key<CallInsert, CallAdd>("add", true);
    static_assert(decltype(add)::value, "the set has no method like insert(key): give linchpin::Operations");
    binder.template of_key<CallErase, CallRemove>("remove");
    binder.template of_key<CallContains, CallCount>("contains");
    binder.sizes();
  }
};

struct Map : TypeBase<Map> {
  static constexpr std::string_view kName = "map";
  template <class Container, class AnyPlan>
  void bind(AnyPlan& plan) const {
    Binder<Container, AnyPlan> binder(plan);
    const auto put = binder.template of_key_and_value<CallInsertOrAssign, CallPut>("put", false);
    const auto insert = binder.template of_key_and_value<CallInsert>("put_if_absent", true);
    static_assert(decltype(put)::value || decltype(insert)::value,
                  "the map has no method like put(key, value) or insert(key, value): give linchpin::Operations");
    const auto get = binder.template looks_up<CallGet, CallFind>("get");
    static_assert(decltype(get)::value, "the map has no method like get(key): give linchpin::Operations");
    binder.template of_key<CallErase, CallRemove>("remove");
    binder.template of_key<CallContains, CallCount>("contains");
    binder.sizes();
  }
};

struct AtomicRegister : TypeBase<AtomicRegister> {
  static constexpr std::string_view kName = "register";
  constexpr AtomicRegister() { options = "initial=0"; }
  template <class Container, class AnyPlan>
  void bind(AnyPlan& plan) const {
    Binder<Container, AnyPlan> binder(plan);
    const auto write = binder.template adds<CallStore, CallWrite, CallSet>("write");
    static_assert(decltype(write)::value, "the register has no method like store(value): give linchpin::Operations");
    const auto read = binder.template reads<CallLoad, CallRead, CallGet>("read");
    static_assert(decltype(read)::value, "the register has no method like load(): give linchpin::Operations");
  }
};

struct Counter : TypeBase<Counter> {
  static constexpr std::string_view kName = "counter";
  template <class Container, class AnyPlan>
  void bind(AnyPlan& plan) const {
    Binder<Container, AnyPlan> binder(plan);
    const auto fetch_add = binder.template changes<CallFetchAdd>("fetch_and_add", true);
    const auto increment = binder.template changes<CallIncrement>("increment", false);
    const auto add = binder.template changes<CallAdd>("add", false);
    static_assert(decltype(fetch_add)::value || decltype(increment)::value || decltype(add)::value,
                  "the counter has no method like fetch_add(1) or increment(): give linchpin::Operations");
    binder.template changes<CallFetchSub>("fetch_and_subtract", true);
    binder.template changes<CallDecrement>("decrement", false);
    binder.template reads<CallLoad, CallRead, CallGet, CallValue>("read");
  }
};

struct Mutex : TypeBase<Mutex> {
  static constexpr std::string_view kName = "mutex";
  template <class Container, class AnyPlan>
  void bind(AnyPlan& plan) const {
    Binder<Container, AnyPlan> binder(plan);
    const auto lock = binder.template locks<CallLock, CallUnlock>("acquire", "release");
    const auto try_lock = binder.template locks<CallTryLock, CallUnlock>("try_acquire", "release");
    static_assert(decltype(lock)::value || decltype(try_lock)::value,
                  "the mutex has no methods like lock(), unlock(): give linchpin::Operations");
  }
};

/// The plan of a container: what `make` makes, with the methods of the type. `AnyPlan` is a stress run's or an
/// exploration's.
template <class AnyPlan, class Type, class Make>
AnyPlan plan_of(const Type& type, Make make) {
  using Container = Pointed<std::invoke_result_t<Make>>;
  AnyPlan plan{.type = type.text(), .make = eraser(std::move(make))};
  type.template bind<Container>(plan);
  return plan;
}
/// The same for any type that `linchpin types` lists, with the operations given.
template <class AnyPlan, class Make, class Container>
AnyPlan plan_of(std::string_view type, Make make, const Operations<Container, typename AnyPlan::TurnType>& operations) {
  return {.type = std::string(type), .make = eraser(std::move(make)), .actions = operations.actions()};
}

}  // namespace linchpin::stress_plan

/// What a container can be stressed as: `linchpin::as::queue` and its like. In a namespace of their own, for std has a
/// queue, a set and a map, too.
namespace linchpin::as {

inline constexpr stress_plan::Queue queue;
inline constexpr stress_plan::Stack stack;
inline constexpr stress_plan::Deque deque;
inline constexpr stress_plan::PriorityQueue priority_queue;
inline constexpr stress_plan::Set set;
inline constexpr stress_plan::Map map;
inline constexpr stress_plan::AtomicRegister atomic_register;
inline constexpr stress_plan::Counter counter;
inline constexpr stress_plan::Mutex mutex;

}  // namespace linchpin::as
