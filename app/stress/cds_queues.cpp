// The queues and stacks of libcds.
#include "app/stress/cds.hpp"

#include <cds/container/basket_queue.h>
#include <cds/container/moir_queue.h>
#include <cds/container/mspriority_queue.h>
#include <cds/container/msqueue.h>
#include <cds/container/optimistic_queue.h>
#include <cds/container/rwqueue.h>
#include <cds/container/segmented_queue.h>
#include <cds/container/treiber_stack.h>
#include <cds/container/vyukov_mpmc_cycle_queue.h>

#include "app/stress/implementation.hpp"

namespace linchpin::app {

namespace {

/// `Container` made with `arguments`, and each thread attached before it calls.
template <class Container, std::size_t... arguments>
class Attached {
 public:
  bool push(std::int64_t value) {
    attach_to_cds();
    return container_->push(value);
  }
  bool pop(std::int64_t& value) {
    attach_to_cds();
    return container_->pop(value);
  }

 private:
  [[no_unique_address]] Collection<Container> collection_;
  std::unique_ptr<Container> container_ = std::make_unique<Container>(arguments...);
};

using Collector = cds::gc::HP;
using Stack = cds::container::TreiberStack<Collector, std::int64_t>;
using EliminationStack =
    cds::container::TreiberStack<Collector, std::int64_t,
                                 cds::container::treiber_stack::make_traits<cds::opt::enable_elimination<true>>::type>;
using Queue = cds::container::MSQueue<Collector, std::int64_t>;
using MoirQueue = cds::container::MoirQueue<Collector, std::int64_t>;
using BasketQueue = cds::container::BasketQueue<Collector, std::int64_t>;
using OptimisticQueue = cds::container::OptimisticQueue<Collector, std::int64_t>;
using TwoLockQueue = cds::container::RWQueue<std::int64_t>;
using SegmentedQueue = cds::container::SegmentedQueue<Collector, std::int64_t>;
using CycleQueue = cds::container::VyukovMPMCCycleQueue<std::int64_t>;

/// Its best is the greatest.
struct SmallestFirst : cds::container::mspriority_queue::traits {
  using less = std::greater<std::int64_t>;  // NOLINT(readability-identifier-naming)
};
using Heap = cds::container::MSPriorityQueue<std::int64_t, SmallestFirst>;

}  // namespace

Result<Plan> plan_cds_treiber_stack() {
  return plan_of(as::stack, [] { return std::make_unique<Attached<Stack>>(); });
}
Result<Plan> plan_cds_elimination_stack() {
  return plan_of(as::stack, [] { return std::make_unique<Attached<EliminationStack, 4>>(); });
}
Result<Plan> plan_cds_ms_queue() {
  return plan_of(as::queue, [] { return std::make_unique<Attached<Queue>>(); });
}
Result<Plan> plan_cds_moir_queue() {
  return plan_of(as::queue, [] { return std::make_unique<Attached<MoirQueue>>(); });
}
Result<Plan> plan_cds_basket_queue() {
  return plan_of(as::queue, [] { return std::make_unique<Attached<BasketQueue>>(); });
}
Result<Plan> plan_cds_optimistic_queue() {
  return plan_of(as::queue, [] { return std::make_unique<Attached<OptimisticQueue>>(); });
}
Result<Plan> plan_cds_rw_queue() {
  return plan_of(as::queue, [] { return std::make_unique<Attached<TwoLockQueue>>(); });
}
Result<Plan> plan_cds_segmented_queue() {
  return plan_of(as::queue, [] { return std::make_unique<Attached<SegmentedQueue, 8>>(); });
}
Result<Plan> plan_cds_vyukov_queue() {
  return plan_of(as::queue, [] { return std::make_unique<Attached<CycleQueue, kExplored ? 16 : 1024>>(); });
}
Result<Plan> plan_cds_ms_priority_queue() {
  return plan_of(as::priority_queue, [] { return std::make_unique<Attached<Heap, kExplored ? 16 : 4096>>(); });
}

}  // namespace linchpin::app
