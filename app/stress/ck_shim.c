#include "app/stress/ck_shim.h"

#include <ck_pr.h>
#ifndef CK_F_PR_CAS_PTR_2
/* Its port to the compiler's atomic operations (CK_USE_CC_BUILTINS) has no double-width compare-and-swap, without which
   ck_fifo.h leaves the queue out. This is the one that its x86-64 port has in assembly, of the compiler's making. */
#define CK_F_PR_CAS_PTR_2
static inline bool ck_pr_cas_ptr_2(void* target, void* compare, void* set) {
  unsigned __int128 expected, desired;
  __builtin_memcpy(&expected, compare, sizeof expected);
  __builtin_memcpy(&desired, set, sizeof desired);
  return __atomic_compare_exchange_n((unsigned __int128*)target, &expected, desired, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}
#endif
#include <ck_fifo.h>
#include <ck_ring.h>
#include <ck_stack.h>

_Static_assert(sizeof(ck_ring_t) <= sizeof(struct linchpin_ck_object), "a ring fits");
_Static_assert(sizeof(ck_stack_t) <= sizeof(struct linchpin_ck_object), "a stack fits");
_Static_assert(sizeof(ck_ring_buffer_t) == sizeof(void*), "a slot fits");
_Static_assert(sizeof(ck_stack_entry_t) <= 32, "a stack's node fits");

void linchpin_ck_ring_init(struct linchpin_ck_object* ring) { ck_ring_init((ck_ring_t*)ring, linchpin_ck_ring_size); }
bool linchpin_ck_ring_enqueue(struct linchpin_ck_object* ring, struct linchpin_ck_slots* slots, int64_t value) {
  return ck_ring_enqueue_mpmc((ck_ring_t*)ring, (ck_ring_buffer_t*)slots, (void*)(intptr_t)value);
}
bool linchpin_ck_ring_dequeue(struct linchpin_ck_object* ring, struct linchpin_ck_slots* slots, int64_t* value) {
  void* found = NULL;
  if (!ck_ring_dequeue_mpmc((ck_ring_t*)ring, (ck_ring_buffer_t*)slots, &found)) return false;
  *value = (int64_t)(intptr_t)found;
  return true;
}

_Static_assert(sizeof(ck_fifo_mpmc_t) <= sizeof(struct linchpin_ck_object), "a queue fits");
_Static_assert(sizeof(ck_fifo_mpmc_entry_t) <= 32, "a queue's node fits");
void linchpin_ck_fifo_init(struct linchpin_ck_object* fifo, struct linchpin_ck_node* stub) {
  ck_fifo_mpmc_init((ck_fifo_mpmc_t*)fifo, (ck_fifo_mpmc_entry_t*)stub);
}
void linchpin_ck_fifo_enqueue(struct linchpin_ck_object* fifo, struct linchpin_ck_node* node, int64_t value) {
  ck_fifo_mpmc_enqueue((ck_fifo_mpmc_t*)fifo, (ck_fifo_mpmc_entry_t*)node, (void*)(intptr_t)value);
}
bool linchpin_ck_fifo_dequeue(struct linchpin_ck_object* fifo, int64_t* value) {
  void* found = NULL;
  ck_fifo_mpmc_entry_t* garbage = NULL; /* stays where it is: nodes are not used again */
  if (!ck_fifo_mpmc_dequeue((ck_fifo_mpmc_t*)fifo, &found, &garbage)) return false;
  *value = (int64_t)(intptr_t)found;
  return true;
}

void linchpin_ck_stack_init(struct linchpin_ck_object* stack) { ck_stack_init((ck_stack_t*)stack); }
void linchpin_ck_stack_push(struct linchpin_ck_object* stack, struct linchpin_ck_node* node, int64_t value) {
  node->value = value;
  ck_stack_push_upmc((ck_stack_t*)stack, (ck_stack_entry_t*)node);
}
bool linchpin_ck_stack_pop(struct linchpin_ck_object* stack, int64_t* value) {
  ck_stack_entry_t* link = ck_stack_pop_upmc((ck_stack_t*)stack);
  if (link == NULL) return false;
  *value = ((struct linchpin_ck_node*)link)->value;
  return true;
}
