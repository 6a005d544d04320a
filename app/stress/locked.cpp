// Controls: containers of the standard library under a mutex, and what the standard library has of its own.
#include <atomic>
#include <mutex>

#include "app/stress/implementation.hpp"
#include "stress/locked.hpp"

namespace linchpin::app {

namespace {

using controls::LockedDeque;

struct LockedQueue : private LockedDeque {
  void enqueue(std::int64_t value) { push_back(value); }
  std::optional<std::int64_t> dequeue() { return pop_front(); }
  using LockedDeque::empty;
  using LockedDeque::size;
};

struct LockedStack : private LockedDeque {
  void push(std::int64_t value) { push_back(value); }
  std::optional<std::int64_t> pop() { return pop_back(); }
  using LockedDeque::empty;
  using LockedDeque::size;
};

}  // namespace

Result<Plan> plan_locked_queue() {
  return plan_of(as::queue, [] { return LockedQueue(); });
}
Result<Plan> plan_locked_stack() {
  return plan_of(as::stack, [] { return LockedStack(); });
}
Result<Plan> plan_locked_deque() {
  return plan_of(as::deque, [] { return LockedDeque(); });
}
Result<Plan> plan_locked_priority_queue() {
  return plan_of(as::priority_queue, [] { return controls::LockedHeap(); });
}
Result<Plan> plan_locked_set() {
  return plan_of(as::set, [] { return controls::LockedSet(); });
}
Result<Plan> plan_locked_map() {
  return plan_of(as::map, [] { return controls::LockedMap(); });
}
Result<Plan> plan_atomic_counter() {
  return plan_of(as::counter, [] { return std::atomic<std::int64_t>(0); });
}
Result<Plan> plan_atomic_register() {
  return plan_of(as::atomic_register, [] { return std::atomic<std::int64_t>(0); });
}
Result<Plan> plan_mutex() {
  return plan_of(as::mutex, [] { return std::make_unique<std::mutex>(); });
}

}  // namespace linchpin::app
