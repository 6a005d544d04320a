// atomic_queue. Its `push` and `pop` would wait.
#include <atomic_queue/atomic_queue.h>

#include "app/stress/implementation.hpp"

namespace linchpin::app {

namespace {

template <class Ring>
class TryOnly {
 public:
  bool try_push(std::int64_t value) { return ring_.try_push(value); }
  bool try_pop(std::int64_t& value) { return ring_.try_pop(value); }

 private:
  Ring ring_;
};

constexpr unsigned kSize = kExplored ? 16 : 1024;

}  // namespace

Result<Plan> plan_atomic_queue() {
  using Ring = atomic_queue::AtomicQueue<std::int64_t, kSize>;  // zero stands for an empty slot
  return plan_of(as::queue, [] { return std::make_unique<TryOnly<Ring>>(); });
}
Result<Plan> plan_atomic_queue2() {
  using Ring = atomic_queue::AtomicQueue2<std::int64_t, kSize>;
  return plan_of(as::queue, [] { return std::make_unique<TryOnly<Ring>>(); });
}

}  // namespace linchpin::app
