// Concurrency Kit.
#include "app/stress/ck_shim.h"
#include "app/stress/implementation.hpp"

namespace linchpin::app {

namespace {

/// Holds 1023 pointers; a value is one.
class Ring {
 public:
  Ring() { linchpin_ck_ring_init(&ring_); }
  bool try_enqueue(std::int64_t value) { return linchpin_ck_ring_enqueue(&ring_, &slots_, value); }
  bool try_dequeue(std::int64_t& value) { return linchpin_ck_ring_dequeue(&ring_, &slots_, &value); }

 private:
  linchpin_ck_object ring_;
  linchpin_ck_slots slots_;
};

/// Michael and Scott's queue, of double-width compare-and-swap.
class Fifo {
 public:
  Fifo() { linchpin_ck_fifo_init(&fifo_, &nodes_.make()); }
  void enqueue(std::int64_t value) { linchpin_ck_fifo_enqueue(&fifo_, &nodes_.make(), value); }
  bool dequeue(std::int64_t& value) { return linchpin_ck_fifo_dequeue(&fifo_, &value); }

 private:
  Nodes<linchpin_ck_node> nodes_;
  linchpin_ck_object fifo_;
};

class Stack {
 public:
  Stack() { linchpin_ck_stack_init(&stack_); }
  void push(std::int64_t value) { linchpin_ck_stack_push(&stack_, &nodes_.make(), value); }
  bool pop(std::int64_t& value) { return linchpin_ck_stack_pop(&stack_, &value); }

 private:
  Nodes<linchpin_ck_node> nodes_;
  linchpin_ck_object stack_;
};

}  // namespace

Result<Plan> plan_ck_ring() {
  return plan_of(as::queue, [] { return std::make_unique<Ring>(); });
}
Result<Plan> plan_ck_fifo() {
  return plan_of(as::queue, [] { return std::make_unique<Fifo>(); });
}
Result<Plan> plan_ck_stack() {
  return plan_of(as::stack, [] { return std::make_unique<Stack>(); });
}

}  // namespace linchpin::app
