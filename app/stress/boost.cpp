// Boost.Lockfree.
#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/stack.hpp>

#include "app/stress/implementation.hpp"

namespace linchpin::app {

namespace {

constexpr std::size_t kSize = kExplored ? 16 : 1024;  // nodes that are there from the beginning

}  // namespace

Result<Plan> plan_boost_queue() {
  return plan_of(as::queue, [] { return std::make_unique<boost::lockfree::queue<std::int64_t>>(kSize); });
}
Result<Plan> plan_boost_stack() {
  return plan_of(as::stack, [] { return std::make_unique<boost::lockfree::stack<std::int64_t>>(kSize); });
}

}  // namespace linchpin::app
