// Boost.Lockfree.
#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/stack.hpp>

#include "app/stress/implementation.hpp"

namespace linchpin::app {

StressResult stress_boost_queue(const StressOptions& options) {
  return stress(
      as::queue, [] { return std::make_unique<boost::lockfree::queue<std::int64_t>>(1024); }, options);
}
StressResult stress_boost_stack(const StressOptions& options) {
  return stress(
      as::stack, [] { return std::make_unique<boost::lockfree::stack<std::int64_t>>(1024); }, options);
}

}  // namespace linchpin::app
