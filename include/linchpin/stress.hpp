// Stressing a concurrent container: from a class to a counterexample, without writing a model of anything.
//
//   #include "linchpin/stress.hpp"
//   #include "my_queue.hpp"
//
//   int main() {
//     auto result = linchpin::stress(linchpin::as::queue, [] { return std::make_unique<MyQueue<std::int64_t>>(); });
//     std::cout << result.to_string() << "\n";
//     return result.ok() ? 0 : 1;
//   }
//
// In each round a new container is made, threads begin together and call its methods at random, and all calls are
// recorded (linchpin/record.hpp) and decided (linchpin/check.hpp). The first violation ends the run. It comes with a
// core: a few operations that no order explains.
//
// Methods are bound by their usual names (linchpin/stress/bind.hpp lists them): push or enqueue, pop or try_pop or
// try_dequeue, insert, erase, contains, ... A container with other names, or of another type, takes an adapter:
//
//   linchpin::Operations<MyBox> operations;
//   operations.add("write", [](MyBox& box, linchpin::Fresh value) { box.set(value); })
//             .add("read", [](MyBox& box) { return box.get(); });
//   auto result = linchpin::stress("register initial=0", [] { return std::make_unique<MyBox>(0); }, operations);
//
// The machine determines how threads meet, unless the container's code says where it may be interrupted, with
// `linchpin::stress_point()` (linchpin/stress_point.hpp) between looking and acting. Then every second round runs the
// threads by turns from point to point, in schedules that are drawn from the seed. Outside a run a point costs a load
// and a branch. A clean run proves nothing; StressResult says how much it has seen.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "linchpin/check.hpp"
#include "linchpin/stress/plan.hpp"

#include "linchpin/stress/bind.hpp"

namespace linchpin {

/// Stresses what `make` makes, as an object of the type: linchpin::as::queue, stack, deque, priority_queue, set, map,
/// atomic_register, counter or mutex, with options as in `linchpin::as::queue.with("capacity=3")`. `make` returns the
/// container, or a pointer that owns it; it is called by one thread, once a round, and what it throws ends the run with
/// StressResult::error.
template <class Type, class Make>
requires stress_plan::Bindable<Type>
[[nodiscard]] StressResult stress(const Type& type, Make make, const StressOptions& options = {}) {
  return stress_plan::run(stress_plan::plan_of<stress_plan::Plan>(type, std::move(make)), options);
}

/// The same for any type that `linchpin types` lists, with the operations given.
template <class Make, class Container>
[[nodiscard]] StressResult stress(std::string_view type, Make make, const Operations<Container>& operations,
                                  const StressOptions& options = {}) {
  return stress_plan::run(stress_plan::plan_of<stress_plan::Plan>(type, std::move(make), operations), options);
}

}  // namespace linchpin
