/* Concurrency Kit for C++: its headers are C that C++ does not take. Nodes and objects are memory of the caller's. */
#ifndef LINCHPIN_APP_STRESS_CK_SHIM_H
#define LINCHPIN_APP_STRESS_CK_SHIM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LINCHPIN_ALIGNED(bytes) __attribute__((aligned(bytes)))

enum { linchpin_ck_ring_size = 1024 };
struct linchpin_ck_object {
  LINCHPIN_ALIGNED(128) char bytes[256];
};
struct linchpin_ck_node {
  LINCHPIN_ALIGNED(32) char link[32];
  int64_t value;
};
struct linchpin_ck_slots {
  void* value[linchpin_ck_ring_size];
};

void linchpin_ck_ring_init(struct linchpin_ck_object* ring);
bool linchpin_ck_ring_enqueue(struct linchpin_ck_object* ring, struct linchpin_ck_slots* slots, int64_t value);
bool linchpin_ck_ring_dequeue(struct linchpin_ck_object* ring, struct linchpin_ck_slots* slots, int64_t* value);

void linchpin_ck_fifo_init(struct linchpin_ck_object* fifo, struct linchpin_ck_node* stub);
void linchpin_ck_fifo_enqueue(struct linchpin_ck_object* fifo, struct linchpin_ck_node* node, int64_t value);
bool linchpin_ck_fifo_dequeue(struct linchpin_ck_object* fifo, int64_t* value);

void linchpin_ck_stack_init(struct linchpin_ck_object* stack);
void linchpin_ck_stack_push(struct linchpin_ck_object* stack, struct linchpin_ck_node* node, int64_t value);
bool linchpin_ck_stack_pop(struct linchpin_ck_object* stack, int64_t* value);

#ifdef __cplusplus
}
#endif

#endif
