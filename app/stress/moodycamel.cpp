// moodycamel::ConcurrentQueue.
#include <concurrentqueue/concurrentqueue.h>

#include "app/stress/implementation.hpp"

namespace linchpin::app {

StressResult stress_moodycamel_queue(const StressOptions& options) {
  return stress(
      as::queue, [] { return std::make_unique<moodycamel::ConcurrentQueue<std::int64_t>>(); }, options);
}

}  // namespace linchpin::app
