// Turns methods of a container into actions of a plan: what each is given, and how its result is recorded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "linchpin/stress/calls.hpp"
#include "linchpin/stress/plan.hpp"

namespace linchpin::stress_plan {

/// Binds the methods of one container to a plan, method by method of its type.
template <class Container, class AnyPlan>
class Binder {
 public:
  using Turn = typename AnyPlan::TurnType;
  explicit Binder(AnyPlan& plan) : plan_(plan), bounded_(plan.type.find("capacity=") != std::string::npos) {}

  using Value = typename ValueOf<Container>::Type;
  using Key = typename KeyOf<Container>::Type;
  using Mapped = typename MappedOf<Container>::Type;

  /// Adds a fresh value with the first of the calls that takes one.
  template <class Call, class... Others>
  auto adds(std::string_view method, bool priority = false) {
    if constexpr (Returns<Call, Container&, Value>) {
      action(method, 1, true, [bounded = bounded_, priority](Container& container, Turn& turn) {
        [[maybe_unused]] const bool may_be_full = bounded;
        const auto value = made<Value>((priority ? turn.fresh_priority() : turn.fresh()).number);
        turn.log().call(turn.method(), value);
        if constexpr (ReturnsBoolean<Call, Container&, Value>) {
          if (Call()(container, value)) {
            turn.log().returned();
          } else if (may_be_full) {
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
             turn.pause();
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

  AnyPlan& plan_;
  bool bounded_;
};

}  // namespace linchpin::stress_plan
