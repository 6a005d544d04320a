// The queues of oneTBB.
#include <tbb/concurrent_priority_queue.h>
#include <tbb/concurrent_queue.h>

#include "app/stress/implementation.hpp"

namespace linchpin::app {

namespace {

/// `push` would wait for room.
class BoundedQueue {
 public:
  BoundedQueue() { queue_.set_capacity(8); }
  bool try_push(std::int64_t value) { return queue_.try_push(value); }
  bool try_pop(std::int64_t& value) { return queue_.try_pop(value); }

 private:
  tbb::concurrent_bounded_queue<std::int64_t> queue_;
};

}  // namespace

StressResult stress_tbb_queue(const StressOptions& options) {
  return stress(
      as::queue, [] { return std::make_unique<tbb::concurrent_queue<std::int64_t>>(); }, options);
}
StressResult stress_tbb_bounded_queue(const StressOptions& options) {
  return stress(
      as::queue.with("capacity=8"), [] { return std::make_unique<BoundedQueue>(); }, options);
}
StressResult stress_tbb_priority_queue(const StressOptions& options) {
  using Heap = tbb::concurrent_priority_queue<std::int64_t, std::greater<>>;  // the smallest first
  return stress(
      as::priority_queue, [] { return std::make_unique<Heap>(); }, options);
}

}  // namespace linchpin::app
