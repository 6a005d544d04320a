#include "app/stress/urcu_shim.h"

/* Its atomic operations as the compiler's instead of assembly, which nobody could see: that is the library's own port
   for processors that have none of their own. These are the guards of the headers that would choose x86. */
#define _URCU_ARCH_H
#define _URCU_UATOMIC_H
#include <urcu/arch/gcc.h>
#include <urcu/uatomic/gcc.h>
/* Its functions inline instead of compiled. */
#define _LGPL_SOURCE
#include <urcu/call-rcu.h>
#include <urcu/lfstack.h>
#include <urcu/rculfqueue.h>
#include <urcu/wfcqueue.h>

static int64_t value_of(const void* node) { return ((const struct linchpin_urcu_node*)node)->value; }

/* --- cds_lfq -------------------------------------------------------------------------------------------------------

   What comes compiled, RCU itself, is left out: no grace period ends before the queue does. Its readers then need not
   say that they read, and what they might read is freed with the queue. */
struct lock_free_queue {
  struct cds_lfq_queue_rcu queue;
  struct cds_lfq_node_rcu* first; /* ever; whatever was in the queue since follows it */
};
_Static_assert(sizeof(struct lock_free_queue) <= sizeof(struct linchpin_urcu_object), "a queue fits");
_Static_assert(sizeof(struct cds_lfq_node_rcu) <= 16, "a queue's node fits");

static void call_at_the_end(struct rcu_head* head, void (*function)(struct rcu_head*)) {
  (void)head;
  (void)function;
}

void linchpin_urcu_lfqueue_init(struct linchpin_urcu_object* object) {
  struct lock_free_queue* queue = (struct lock_free_queue*)object;
  cds_lfq_init_rcu(&queue->queue, call_at_the_end);
  queue->first = queue->queue.head;
}
void linchpin_urcu_lfqueue_destroy(struct linchpin_urcu_object* object) {
  struct cds_lfq_node_rcu* node = ((struct lock_free_queue*)object)->first;
  while (node != NULL) {
    struct cds_lfq_node_rcu* next = node->next;
    if (node->dummy) free_dummy(node);
    node = next;
  }
}
void linchpin_urcu_lfqueue_enqueue(struct linchpin_urcu_object* queue, struct linchpin_urcu_node* node, int64_t value) {
  node->value = value;
  cds_lfq_node_init_rcu((struct cds_lfq_node_rcu*)node);
  cds_lfq_enqueue_rcu((struct cds_lfq_queue_rcu*)queue, (struct cds_lfq_node_rcu*)node);
}
bool linchpin_urcu_lfqueue_dequeue(struct linchpin_urcu_object* queue, int64_t* value) {
  const struct cds_lfq_node_rcu* node = cds_lfq_dequeue_rcu((struct cds_lfq_queue_rcu*)queue);
  if (node == NULL) return false;
  *value = value_of(node);
  return true;
}

/* --- cds_wfcq ----------------------------------------------------------------------------------------------------- */

struct wait_free_queue {
  struct cds_wfcq_head head;
  struct cds_wfcq_tail tail;
};
_Static_assert(sizeof(struct wait_free_queue) <= sizeof(struct linchpin_urcu_object), "a queue fits");
_Static_assert(sizeof(struct cds_wfcq_node) <= 16, "a queue's node fits");

void linchpin_urcu_wfcqueue_init(struct linchpin_urcu_object* object) {
  struct wait_free_queue* queue = (struct wait_free_queue*)object;
  cds_wfcq_init(&queue->head, &queue->tail);
}
void linchpin_urcu_wfcqueue_destroy(struct linchpin_urcu_object* object) {
  struct wait_free_queue* queue = (struct wait_free_queue*)object;
  cds_wfcq_destroy(&queue->head, &queue->tail);
}
void linchpin_urcu_wfcqueue_enqueue(struct linchpin_urcu_object* object, struct linchpin_urcu_node* node,
                                    int64_t value) {
  struct wait_free_queue* queue = (struct wait_free_queue*)object;
  node->value = value;
  cds_wfcq_node_init((struct cds_wfcq_node*)node);
  cds_wfcq_enqueue(&queue->head, &queue->tail, (struct cds_wfcq_node*)node);
}
bool linchpin_urcu_wfcqueue_dequeue(struct linchpin_urcu_object* object, int64_t* value) {
  struct wait_free_queue* queue = (struct wait_free_queue*)object;
  const struct cds_wfcq_node* node = cds_wfcq_dequeue_blocking(&queue->head, &queue->tail);
  if (node == NULL) return false;
  *value = value_of(node);
  return true;
}

/* --- cds_lfs -------------------------------------------------------------------------------------------------------

   Its nodes are not used again, as under RCU within one reading. */
_Static_assert(sizeof(struct cds_lfs_stack) <= sizeof(struct linchpin_urcu_object), "a stack fits");
_Static_assert(sizeof(struct cds_lfs_node) <= 16, "a stack's node fits");

void linchpin_urcu_lfstack_init(struct linchpin_urcu_object* stack) { cds_lfs_init((struct cds_lfs_stack*)stack); }
void linchpin_urcu_lfstack_destroy(struct linchpin_urcu_object* stack) {
  cds_lfs_destroy((struct cds_lfs_stack*)stack);
}
void linchpin_urcu_lfstack_push(struct linchpin_urcu_object* stack, struct linchpin_urcu_node* node, int64_t value) {
  node->value = value;
  cds_lfs_node_init((struct cds_lfs_node*)node);
  cds_lfs_push((struct cds_lfs_stack*)stack, (struct cds_lfs_node*)node);
}
bool linchpin_urcu_lfstack_pop(struct linchpin_urcu_object* stack, int64_t* value) {
  const struct cds_lfs_node* node = __cds_lfs_pop((struct cds_lfs_stack*)stack);
  if (node == NULL) return false;
  *value = value_of(node);
  return true;
}
