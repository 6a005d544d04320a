/* liburcu for what explores: its inline functions are C that C++ does not take. Nodes and objects are memory of the
   caller's. */
#ifndef LINCHPIN_APP_STRESS_URCU_SHIM_H
#define LINCHPIN_APP_STRESS_URCU_SHIM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LINCHPIN_ALIGNED(bytes) __attribute__((aligned(bytes)))

struct linchpin_urcu_object {
  LINCHPIN_ALIGNED(64) char bytes[128];
};
struct linchpin_urcu_node {
  LINCHPIN_ALIGNED(16) char link[16];
  int64_t value;
};

void linchpin_urcu_lfqueue_init(struct linchpin_urcu_object* queue);
void linchpin_urcu_lfqueue_destroy(struct linchpin_urcu_object* queue);
void linchpin_urcu_lfqueue_enqueue(struct linchpin_urcu_object* queue, struct linchpin_urcu_node* node, int64_t value);
bool linchpin_urcu_lfqueue_dequeue(struct linchpin_urcu_object* queue, int64_t* value);

void linchpin_urcu_wfcqueue_init(struct linchpin_urcu_object* queue);
void linchpin_urcu_wfcqueue_destroy(struct linchpin_urcu_object* queue);
void linchpin_urcu_wfcqueue_enqueue(struct linchpin_urcu_object* queue, struct linchpin_urcu_node* node, int64_t value);
bool linchpin_urcu_wfcqueue_dequeue(struct linchpin_urcu_object* queue, int64_t* value);

void linchpin_urcu_lfstack_init(struct linchpin_urcu_object* stack);
void linchpin_urcu_lfstack_destroy(struct linchpin_urcu_object* stack);
void linchpin_urcu_lfstack_push(struct linchpin_urcu_object* stack, struct linchpin_urcu_node* node, int64_t value);
bool linchpin_urcu_lfstack_pop(struct linchpin_urcu_object* stack, int64_t* value);

#ifdef __cplusplus
}
#endif

#endif
