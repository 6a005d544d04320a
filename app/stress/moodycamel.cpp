// moodycamel::ConcurrentQueue.
#include <concurrentqueue/concurrentqueue.h>

#include "app/stress/implementation.hpp"

namespace linchpin::app {

Result<Plan> plan_moodycamel_queue() {
  return plan_of(as::queue, [] { return std::make_unique<moodycamel::ConcurrentQueue<std::int64_t>>(); });
}

}  // namespace linchpin::app
