// The queues and the stack of liburcu.
#include <urcu.h>

#include <urcu/lfstack.h>
#include <urcu/rculfqueue.h>
#include <urcu/wfcqueue.h>

#include "app/stress/implementation.hpp"

namespace linchpin::app {

namespace {

/// Before each operation: the calling thread is one that RCU knows.
void register_with_rcu() {
  struct Thread {
    Thread() { rcu_register_thread(); }
    ~Thread() { rcu_unregister_thread(); }
    Thread(const Thread&) = delete;
    Thread& operator=(const Thread&) = delete;
    void touch() const {}
  };
  static thread_local const Thread thread;
  thread.touch();
}

template <class Link>
struct Node {
  Link link;  // the first member: a pointer to one is a pointer to the other
  std::int64_t value;
};
template <class Link>
std::optional<std::int64_t> value_of(const Link* link) {
  return link == nullptr ? std::nullopt : std::optional(reinterpret_cast<const Node<Link>*>(link)->value);
}

class LockFreeQueue {
 public:
  LockFreeQueue() { cds_lfq_init_rcu(&queue_, call_rcu); }
  ~LockFreeQueue() {
    while (dequeue()) {
    }
    cds_lfq_destroy_rcu(&queue_);
  }
  LockFreeQueue(const LockFreeQueue&) = delete;
  LockFreeQueue& operator=(const LockFreeQueue&) = delete;
  void enqueue(std::int64_t value) {
    register_with_rcu();
    auto& node = nodes_.make();
    node.value = value;
    cds_lfq_node_init_rcu(&node.link);
    rcu_read_lock();
    cds_lfq_enqueue_rcu(&queue_, &node.link);
    rcu_read_unlock();
  }
  std::optional<std::int64_t> dequeue() {
    register_with_rcu();
    rcu_read_lock();
    const auto* const link = cds_lfq_dequeue_rcu(&queue_);
    rcu_read_unlock();
    return value_of(link);
  }

 private:
  cds_lfq_queue_rcu queue_;
  Nodes<Node<cds_lfq_node_rcu>> nodes_;
};

class WaitFreeEnqueueQueue {
 public:
  WaitFreeEnqueueQueue() { cds_wfcq_init(&head_, &tail_); }
  ~WaitFreeEnqueueQueue() { cds_wfcq_destroy(&head_, &tail_); }
  WaitFreeEnqueueQueue(const WaitFreeEnqueueQueue&) = delete;
  WaitFreeEnqueueQueue& operator=(const WaitFreeEnqueueQueue&) = delete;
  void enqueue(std::int64_t value) {
    auto& node = nodes_.make();
    node.value = value;
    cds_wfcq_node_init(&node.link);
    cds_wfcq_enqueue({.h = &head_}, &tail_, &node.link);
  }
  std::optional<std::int64_t> dequeue() { return value_of(cds_wfcq_dequeue_blocking(&head_, &tail_)); }

 private:
  cds_wfcq_head head_;
  cds_wfcq_tail tail_;
  Nodes<Node<cds_wfcq_node>> nodes_;
};

class LockFreeStack {
 public:
  LockFreeStack() { cds_lfs_init(&stack_); }
  ~LockFreeStack() { cds_lfs_destroy(&stack_); }
  LockFreeStack(const LockFreeStack&) = delete;
  LockFreeStack& operator=(const LockFreeStack&) = delete;
  void push(std::int64_t value) {
    register_with_rcu();
    auto& node = nodes_.make();
    node.value = value;
    cds_lfs_node_init(&node.link);
    cds_lfs_push({.s = &stack_}, &node.link);
  }
  std::optional<std::int64_t> pop() {
    register_with_rcu();
    rcu_read_lock();
    const auto* const link = __cds_lfs_pop({.s = &stack_});
    rcu_read_unlock();
    return value_of(link);
  }

 private:
  cds_lfs_stack stack_;
  Nodes<Node<cds_lfs_node>> nodes_;
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
