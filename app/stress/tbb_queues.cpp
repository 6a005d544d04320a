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

Result<Plan> plan_tbb_queue() {
  return plan_of(as::queue, [] { return std::make_unique<tbb::concurrent_queue<std::int64_t>>(); });
}
Result<Plan> plan_tbb_bounded_queue() {
  return plan_of(as::queue.with("capacity=8"), [] { return std::make_unique<BoundedQueue>(); });
}
Result<Plan> plan_tbb_priority_queue() {
  using Heap = tbb::concurrent_priority_queue<std::int64_t, std::greater<>>;  // the smallest first
  return plan_of(as::priority_queue, [] { return std::make_unique<Heap>(); });
}

}  // namespace linchpin::app
