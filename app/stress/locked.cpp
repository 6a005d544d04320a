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

StressResult stress_locked_queue(const StressOptions& options) {
  return stress(
      as::queue, [] { return LockedQueue(); }, options);
}
StressResult stress_locked_stack(const StressOptions& options) {
  return stress(
      as::stack, [] { return LockedStack(); }, options);
}
StressResult stress_locked_deque(const StressOptions& options) {
  return stress(
      as::deque, [] { return LockedDeque(); }, options);
}
StressResult stress_locked_priority_queue(const StressOptions& options) {
  return stress(
      as::priority_queue, [] { return controls::LockedHeap(); }, options);
}
StressResult stress_locked_set(const StressOptions& options) {
  return stress(
      as::set, [] { return controls::LockedSet(); }, options);
}
StressResult stress_locked_map(const StressOptions& options) {
  return stress(
      as::map, [] { return controls::LockedMap(); }, options);
}
StressResult stress_atomic_counter(const StressOptions& options) {
  return stress(
      as::counter, [] { return std::atomic<std::int64_t>(0); }, options);
}
StressResult stress_atomic_register(const StressOptions& options) {
  return stress(
      as::atomic_register, [] { return std::atomic<std::int64_t>(0); }, options);
}
StressResult stress_mutex(const StressOptions& options) {
  return stress(
      as::mutex, [] { return std::make_unique<std::mutex>(); }, options);
}

}  // namespace linchpin::app
