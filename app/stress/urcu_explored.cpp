// The queues and the stack of liburcu, as they are explored: stress runs call what comes compiled (urcu.cpp).
#include "app/stress/implementation.hpp"
#include "app/stress/urcu_shim.h"

namespace linchpin::app {

namespace {

class LockFreeQueue {
 public:
  LockFreeQueue() { linchpin_urcu_lfqueue_init(&queue_); }
  ~LockFreeQueue() { linchpin_urcu_lfqueue_destroy(&queue_); }
  LockFreeQueue(const LockFreeQueue&) = delete;
  LockFreeQueue& operator=(const LockFreeQueue&) = delete;
  void enqueue(std::int64_t value) { linchpin_urcu_lfqueue_enqueue(&queue_, &nodes_.make(), value); }
  bool try_dequeue(std::int64_t& value) { return linchpin_urcu_lfqueue_dequeue(&queue_, &value); }

 private:
  Nodes<linchpin_urcu_node> nodes_;
  linchpin_urcu_object queue_;
};

class WaitFreeEnqueueQueue {
 public:
  WaitFreeEnqueueQueue() { linchpin_urcu_wfcqueue_init(&queue_); }
  ~WaitFreeEnqueueQueue() { linchpin_urcu_wfcqueue_destroy(&queue_); }
  WaitFreeEnqueueQueue(const WaitFreeEnqueueQueue&) = delete;
  WaitFreeEnqueueQueue& operator=(const WaitFreeEnqueueQueue&) = delete;
  void enqueue(std::int64_t value) { linchpin_urcu_wfcqueue_enqueue(&queue_, &nodes_.make(), value); }
  bool try_dequeue(std::int64_t& value) { return linchpin_urcu_wfcqueue_dequeue(&queue_, &value); }

 private:
  Nodes<linchpin_urcu_node> nodes_;
  linchpin_urcu_object queue_;
};

class LockFreeStack {
 public:
  LockFreeStack() { linchpin_urcu_lfstack_init(&stack_); }
  ~LockFreeStack() { linchpin_urcu_lfstack_destroy(&stack_); }
  LockFreeStack(const LockFreeStack&) = delete;
  LockFreeStack& operator=(const LockFreeStack&) = delete;
  void push(std::int64_t value) { linchpin_urcu_lfstack_push(&stack_, &nodes_.make(), value); }
  bool pop(std::int64_t& value) { return linchpin_urcu_lfstack_pop(&stack_, &value); }

 private:
  Nodes<linchpin_urcu_node> nodes_;
  linchpin_urcu_object stack_;
};

}  // namespace

Result<Plan> plan_urcu_queue() {
  return plan_of(as::queue, [] { return std::make_unique<LockFreeQueue>(); });
}
Result<Plan> plan_urcu_wfcqueue() {
  return plan_of(as::queue, [] { return std::make_unique<WaitFreeEnqueueQueue>(); });
}
Result<Plan> plan_urcu_stack() {
  return plan_of(as::stack, [] { return std::make_unique<LockFreeStack>(); });
}

}  // namespace linchpin::app
