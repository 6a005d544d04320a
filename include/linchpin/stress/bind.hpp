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
// What takes something out returns an optional (or something like it: a pointer), or takes a reference and returns a
// boolean. What adds may return a boolean; false means that it was refused, which is not recorded unless the type has a
// capacity. Values have the container's value_type (keys its key_type), or are std::int64_t. `size` and `empty` are
// bound but only called if the mix says so: many containers promise little about them.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "linchpin/stress/plan.hpp"

namespace linchpin::stress_plan {

#define LINCHPIN_STRESS_CALL(Name, name)                                     \
  struct Call##Name {                                                        \
    template <class Container, class... Arguments>                           \
    auto operator()(Container& container, Arguments&&... arguments) const    \
        -> decltype(container.name(std::forward<Arguments>(arguments)...)) { \
      return container.name(std::forward<Arguments>(arguments)...);          \
    }                                                                        \
  };
LINCHPIN_STRESS_CALL(Add, add)
LINCHPIN_STRESS_CALL(Contains, contains)
LINCHPIN_STRESS_CALL(Count, count)
LINCHPIN_STRESS_CALL(Decrement, decrement)
LINCHPIN_STRESS_CALL(Dequeue, dequeue)
LINCHPIN_STRESS_CALL(Empty, empty)
LINCHPIN_STRESS_CALL(Enqueue, enqueue)
LINCHPIN_STRESS_CALL(Erase, erase)
LINCHPIN_STRESS_CALL(FetchAdd, fetch_add)
LINCHPIN_STRESS_CALL(FetchSub, fetch_sub)
LINCHPIN_STRESS_CALL(Find, find)
LINCHPIN_STRESS_CALL(Get, get)
LINCHPIN_STRESS_CALL(Increment, increment)
LINCHPIN_STRESS_CALL(Insert, insert)
LINCHPIN_STRESS_CALL(InsertOrAssign, insert_or_assign)
LINCHPIN_STRESS_CALL(IsEmpty, is_empty)
LINCHPIN_STRESS_CALL(Load, load)
LINCHPIN_STRESS_CALL(Lock, lock)
LINCHPIN_STRESS_CALL(Offer, offer)
LINCHPIN_STRESS_CALL(Poll, poll)
LINCHPIN_STRESS_CALL(Pop, pop)
LINCHPIN_STRESS_CALL(PopBack, pop_back)
LINCHPIN_STRESS_CALL(PopFront, pop_front)
LINCHPIN_STRESS_CALL(Push, push)
LINCHPIN_STRESS_CALL(PushBack, push_back)
LINCHPIN_STRESS_CALL(PushFront, push_front)
LINCHPIN_STRESS_CALL(Put, put)
LINCHPIN_STRESS_CALL(Read, read)
LINCHPIN_STRESS_CALL(Remove, remove)
LINCHPIN_STRESS_CALL(Set, set)
LINCHPIN_STRESS_CALL(Size, size)
LINCHPIN_STRESS_CALL(Store, store)
LINCHPIN_STRESS_CALL(TryDequeue, try_dequeue)
LINCHPIN_STRESS_CALL(TryEnqueue, try_enqueue)
LINCHPIN_STRESS_CALL(TryLock, try_lock)
LINCHPIN_STRESS_CALL(TryPop, try_pop)
LINCHPIN_STRESS_CALL(TryPopBack, try_pop_back)
LINCHPIN_STRESS_CALL(TryPopFront, try_pop_front)
LINCHPIN_STRESS_CALL(TryPush, try_push)
LINCHPIN_STRESS_CALL(Unlock, unlock)
LINCHPIN_STRESS_CALL(Value, value)
LINCHPIN_STRESS_CALL(Write, write)
#undef LINCHPIN_STRESS_CALL

template <class Call, class... Arguments>
concept Returns = std::invocable<Call, Arguments...>;
template <class Call, class... Arguments>
concept ReturnsOptional = std::invocable<Call, Arguments...> &&
    requires(std::invoke_result_t<Call, Arguments...> result) {
  static_cast<bool>(result);
  *result;
};
template <class Call, class... Arguments>
concept ReturnsBoolean = std::invocable<Call, Arguments...> && std::same_as < std::invoke_result_t<Call, Arguments...>,
bool > ;

template <class Container>
struct ValueOf {
  using Type = std::int64_t;
};
template <class Container>
requires requires { typename Container::value_type; }
struct ValueOf<Container> {
  using Type = typename Container::value_type;
};
template <class Container>
struct KeyOf : ValueOf<Container> {};
template <class Container>
requires requires { typename Container::key_type; }
struct KeyOf<Container> {
  using Type = typename Container::key_type;
};
template <class Container>
struct MappedOf {
  using Type = std::int64_t;
};
template <class Container>
requires requires { typename Container::mapped_type; }
struct MappedOf<Container> {
  using Type = typename Container::mapped_type;
};

/// A number as the container wants it.
template <class T>
T made(std::int64_t number) {
  if constexpr (std::constructible_from<T, std::string>) {
    return T(std::to_string(number));
  } else {
    return static_cast<T>(number);
  }
}

/// Binds the methods of one container to a plan, method by method of its type.
template <class Container>
class Binder {
 public:
  explicit Binder(Plan& plan) : plan_(plan), bounded_(plan.type.find("capacity=") != std::string::npos) {}

  using Value = typename ValueOf<Container>::Type;
  using Key = typename KeyOf<Container>::Type;
  using Mapped = typename MappedOf<Container>::Type;

  /// Adds a fresh value with the first of the calls that takes one.
  template <class Call, class... Others>
  auto adds(std::string_view method, bool priority = false) {
    if constexpr (Returns<Call, Container&, Value>) {
      action(method, 1, true, [bounded = bounded_, priority](Container& container, Turn& turn) {
        const auto value = made<Value>((priority ? turn.fresh_priority() : turn.fresh()).number);
        turn.log().call(turn.method(), value);
        if constexpr (ReturnsBoolean<Call, Container&, Value>) {
          if (Call()(container, value)) {
            turn.log().returned();
          } else if (bounded) {
            turn.log().returned(false);
          } else {
            turn.refuse();
          }
        } else {
          Call()(container, value);
          turn.log().returned();
        }
      });
      return std::true_type();
    } else {
      return next<Others...>([&]<class... Rest>() { return this->template adds<Rest...>(method, priority); });
    }
  }

  /// Takes something out with the first of the calls that returns an optional, or fills a value and returns a boolean.
  template <class Call, class... Others>
  auto takes(std::string_view method) {
    if constexpr (ReturnsOptional<Call, Container&>) {
      action(method, 1, false, [](Container& container, Turn& turn) {
        turn.log().record(turn.method(), [&] { return Call()(container); });
      });
      return std::true_type();
    } else if constexpr (ReturnsBoolean<Call, Container&, Value&>) {
      action(method, 1, false, [](Container& container, Turn& turn) {
        turn.log().record(turn.method(), [&] {
          std::optional<Value> taken(std::in_place);
          if (!Call()(container, *taken)) taken.reset();
          return taken;
        });
      });
      return std::true_type();
    } else {
      return next<Others...>([&]<class... Rest>() { return this->template takes<Rest...>(method); });
    }
  }

  /// Reads something of the whole container.
  template <class Call, class... Others>
  auto reads(std::string_view method, double weight = 1) {
    if constexpr (Returns<Call, const Container&> || Returns<Call, Container&>) {
      action(method, weight, false, [](Container& container, Turn& turn) {
        turn.log().record(turn.method(), [&] { return Call()(container); });
      });
      return std::true_type();
    } else {
      return next<Others...>([&]<class... Rest>() { return this->template reads<Rest...>(method, weight); });
    }
  }

  /// A method of a key; its result is whether it did something, or nothing.
  template <class Call, class... Others>
  auto of_key(std::string_view method, bool add = false) {
    if constexpr (Returns<Call, Container&, Key>) {
      action(method, 1, add, [](Container& container, Turn& turn) {
        const auto key = made<Key>(turn.key().number);
        turn.log().call(turn.method(), key);
        finish(turn, [&]() -> decltype(auto) { return Call()(container, key); });
      });
      return std::true_type();
    } else {
      return next<Others...>([&]<class... Rest>() { return this->template of_key<Rest...>(method, add); });
    }
  }

  /// A method of a key and a fresh value.
  template <class Call, class... Others>
  auto of_key_and_value(std::string_view method, bool tells_whether) {
    if constexpr (Returns<Call, Container&, Key, Mapped>) {
      action(method, 1, true, [tells_whether](Container& container, Turn& turn) {
        const auto key = made<Key>(turn.key().number);
        const auto value = made<Mapped>(turn.fresh().number);
        turn.log().call(turn.method(), key, value);
        if (tells_whether) {
          finish(turn, [&]() -> decltype(auto) { return Call()(container, key, value); });
        } else {
          Call()(container, key, value);
          turn.log().returned();
        }
      });
      return std::true_type();
    } else {
      return next<Others...>(
          [&]<class... Rest>() { return this->template of_key_and_value<Rest...>(method, tells_whether); });
    }
  }

  /// Looks a key up: returns an optional, or fills a value and returns a boolean.
  template <class Call, class... Others>
  auto looks_up(std::string_view method) {
    if constexpr (ReturnsBoolean<Call, Container&, Key, Mapped&>) {
      action(method, 1, false, [](Container& container, Turn& turn) {
        const auto key = made<Key>(turn.key().number);
        turn.log().record(
            turn.method(),
            [&] {
              std::optional<Mapped> found(std::in_place);
              if (!Call()(container, key, *found)) found.reset();
              return found;
            },
            key);
      });
      return std::true_type();
    } else if constexpr (ReturnsOptional<Call, Container&, Key>) {
      action(method, 1, false, [](Container& container, Turn& turn) {
        const auto key = made<Key>(turn.key().number);
        turn.log().record(
            turn.method(), [&] { return Call()(container, key); }, key);
      });
      return std::true_type();
    } else {
      return next<Others...>([&]<class... Rest>() { return this->template looks_up<Rest...>(method); });
    }
  }

  /// Changes a number by one; the result is recorded as the number before if `returns_old`.
  template <class Call>
  auto changes(std::string_view method, bool returns_old) {
    if constexpr (Returns<Call, Container&, int>) {
      action(method, 1, true, [returns_old](Container& container, Turn& turn) {
        change(turn, returns_old, [&]() -> decltype(auto) { return Call()(container, 1); });
      });
      return std::true_type();
    } else if constexpr (Returns<Call, Container&>) {
      action(method, 1, true, [returns_old](Container& container, Turn& turn) {
        change(turn, returns_old, [&]() -> decltype(auto) { return Call()(container); });
      });
      return std::true_type();
    } else {
      return std::false_type();
    }
  }

  template <class Lock, class Unlock>
  auto locks(std::string_view lock, std::string_view unlock) {
    if constexpr (Returns<Lock, Container&> && Returns<Unlock, Container&>) {
      plan_.actions.push_back(
          {.methods = {std::string(lock), std::string(unlock)}, .run = [](void* object, Turn& turn) {
             auto& container = *static_cast<Container*>(object);
             turn.log().call(turn.method(0));
             if constexpr (ReturnsBoolean<Lock, Container&>) {
               const bool held = Lock()(container);
               turn.log().returned(held);
               if (!held) return;
             } else {
               Lock()(container);
               turn.log().returned();
             }
             stress_point();
             turn.log().record(turn.method(1), [&] { Unlock()(container); });
           }});
      return std::true_type();
    } else {
      return std::false_type();
    }
  }

  void sizes() {
    reads<CallSize>("size", 0);
    reads<CallEmpty, CallIsEmpty>("is_empty", 0);
  }

 private:
  template <class... Others, class Go>
  static auto next(Go go) {
    if constexpr (sizeof...(Others) == 0) {
      return std::false_type();
    } else {
      return go.template operator()<Others...>();
    }
  }

  template <class Run>
  void action(std::string_view method, double weight, bool adds, Run run) {
    plan_.actions.push_back(
        {.methods = {std::string(method)}, .weight = weight, .adds = adds, .run = [run](void* object, Turn& turn) {
           run(*static_cast<Container*>(object), turn);
         }});
  }

  /// Whether it did something: a boolean, a number of elements, or the second half of a pair.
  template <class Function>
  static void finish(Turn& turn, Function function) {
    using Result = std::invoke_result_t<Function>;
    if constexpr (std::is_void_v<Result>) {
      function();
      turn.log().returned();
    } else if constexpr (requires(Result result) { static_cast<bool>(result.second); }) {
      const bool did = static_cast<bool>(function().second);
      turn.log().returned(did);
    } else {
      const bool did = static_cast<bool>(function());
      turn.log().returned(did);
    }
  }

  template <class Function>
  static void change(Turn& turn, bool returns_old, Function function) {
    turn.log().call(turn.method(), 1);
    if constexpr (std::is_void_v<std::invoke_result_t<Function>>) {
      function();
      turn.log().returned();
    } else {
      const auto before = static_cast<std::int64_t>(function());
      if (returns_old) {
        turn.log().returned(before);
      } else {
        turn.log().returned();
      }
    }
  }

  Plan& plan_;
  bool bounded_;
};

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
  template <class Container>
  void bind(Plan& plan) const {
    Binder<Container> binder(plan);
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
  template <class Container>
  void bind(Plan& plan) const {
    Binder<Container> binder(plan);
    const auto push = binder.template adds<CallPush, CallTryPush>("push");
    static_assert(decltype(push)::value, "the stack has no method like push(value): give linchpin::Operations");
    const auto pop = binder.template takes<CallTryPop, CallPop>("pop");
    static_assert(decltype(pop)::value, "the stack has no method like try_pop(): give linchpin::Operations");
    binder.sizes();
  }
};

struct Deque : TypeBase<Deque> {
  static constexpr std::string_view kName = "deque";
  template <class Container>
  void bind(Plan& plan) const {
    Binder<Container> binder(plan);
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
  template <class Container>
  void bind(Plan& plan) const {
    Binder<Container> binder(plan);
    const auto insert = binder.template adds<CallPush, CallInsert, CallEnqueue>("insert", true);
    static_assert(decltype(insert)::value, "the queue has no method like push(value): give linchpin::Operations");
    const auto poll = binder.template takes<CallTryPop, CallPop, CallTryDequeue, CallDequeue, CallPoll>("poll");
    static_assert(decltype(poll)::value, "the queue has no method like try_pop(): give linchpin::Operations");
    binder.sizes();
  }
};

struct Set : TypeBase<Set> {
  static constexpr std::string_view kName = "set";
  template <class Container>
  void bind(Plan& plan) const {
    Binder<Container> binder(plan);
    const auto add = binder.template of_key<CallInsert, CallAdd>("add", true);
    static_assert(decltype(add)::value, "the set has no method like insert(key): give linchpin::Operations");
    binder.template of_key<CallErase, CallRemove>("remove");
    binder.template of_key<CallContains, CallCount>("contains");
    binder.sizes();
  }
};

struct Map : TypeBase<Map> {
  static constexpr std::string_view kName = "map";
  template <class Container>
  void bind(Plan& plan) const {
    Binder<Container> binder(plan);
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
  template <class Container>
  void bind(Plan& plan) const {
    Binder<Container> binder(plan);
    const auto write = binder.template adds<CallStore, CallWrite, CallSet>("write");
    static_assert(decltype(write)::value, "the register has no method like store(value): give linchpin::Operations");
    const auto read = binder.template reads<CallLoad, CallRead, CallGet>("read");
    static_assert(decltype(read)::value, "the register has no method like load(): give linchpin::Operations");
  }
};

struct Counter : TypeBase<Counter> {
  static constexpr std::string_view kName = "counter";
  template <class Container>
  void bind(Plan& plan) const {
    Binder<Container> binder(plan);
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
  template <class Container>
  void bind(Plan& plan) const {
    Binder<Container> binder(plan);
    const auto lock = binder.template locks<CallLock, CallUnlock>("acquire", "release");
    const auto try_lock = binder.template locks<CallTryLock, CallUnlock>("try_acquire", "release");
    static_assert(decltype(lock)::value || decltype(try_lock)::value,
                  "the mutex has no methods like lock(), unlock(): give linchpin::Operations");
  }
};

}  // namespace linchpin::stress_plan

namespace linchpin {

// What a container can be stressed as.
inline constexpr stress_plan::Queue queue;
inline constexpr stress_plan::Stack stack;
inline constexpr stress_plan::Deque deque;
inline constexpr stress_plan::PriorityQueue priority_queue;
inline constexpr stress_plan::Set set;
inline constexpr stress_plan::Map map;
inline constexpr stress_plan::AtomicRegister atomic_register;
inline constexpr stress_plan::Counter counter;
inline constexpr stress_plan::Mutex mutex;

}  // namespace linchpin
