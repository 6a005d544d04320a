// The names that methods of containers have, each as something that can be called and asked whether it fits.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

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

}  // namespace linchpin::stress_plan
