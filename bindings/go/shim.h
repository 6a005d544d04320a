// What the package asks of C in one call, and how the library's callbacks reach Go.
//
// Nothing of Go's memory is kept by C: operations and states are numbers, and pointers to the library are those numbers.
// A state is its number in the Go side's table (states.go). Its hash and how often the library holds it stand here, so
// that only a step, and comparing states that have no hash, go to Go and back.
#ifndef LINCHPIN_GO_SHIM_H
#define LINCHPIN_GO_SHIM_H

#include <linchpin.h>

// Operations that never return have this tick there.
#define LINCHPIN_GO_PENDING INT64_MAX

// Texts end in a zero byte; the i-th begins at offsets[i], and the last offset is where all end.
typedef struct linchpin_go_texts {
  const char *bytes;
  const uint64_t *offsets;
} linchpin_go_texts;

typedef struct linchpin_go_operation {
  int64_t call, returned;
  uint32_t process;
  uint32_t object;    // the number of a text, plus one; 0: none
  uint32_t method;    // the number of a text
  uint32_t arguments; // how many
  uint32_t result;    // 1: it has one, at LINCHPIN_GO_PENDING a promised one; 0: it never returned
} linchpin_go_operation;

// Values are words: a tag, and what the tag says. An operation's are its arguments and, if it has one, its result.
enum linchpin_go_tag {
  LINCHPIN_GO_NONE,
  LINCHPIN_GO_NIL,
  LINCHPIN_GO_UNKNOWN,
  LINCHPIN_GO_FALSE,
  LINCHPIN_GO_TRUE,
  LINCHPIN_GO_INTEGER, // the integer
  LINCHPIN_GO_STRING,  // the number of a text
  LINCHPIN_GO_LIST     // how many values, and those
};

// What operations carry besides: which one, and the number of a name; the values stand one behind the other.
typedef struct linchpin_go_field {
  uint32_t operation;
  uint32_t name;
} linchpin_go_field;

typedef struct linchpin_go_note {
  int64_t begin, end; // before begin: a moment
  uint32_t text, process, colour; // numbers of texts; of the last two plus one, 0: none
} linchpin_go_note;

// With a pool of texts of their own.
typedef struct linchpin_go_extras {
  linchpin_go_texts texts;
  const linchpin_go_field *fields;
  size_t field_count;
  const int64_t *values;
  const linchpin_go_note *notes;
  size_t note_count;
} linchpin_go_extras;

// A history of a built-in type. `types`: pairs of texts, an object and its type.
linchpin_history *linchpin_go_history(const char *type, linchpin_go_texts texts, const linchpin_go_operation *operations,
                                      size_t count, const int64_t *values, const uint32_t *types, size_t typed,
                                      const linchpin_go_extras *extras, linchpin_error **error);

typedef struct linchpin_go_step {
  int64_t call, returned;
  uint32_t process;
  uint32_t input;  // the number of a text, plus one
  uint32_t output; // likewise; 0: nothing is returned
} linchpin_go_step;

// A history of a model.
linchpin_history *linchpin_go_model_history(linchpin_go_texts texts, const linchpin_go_step *operations, size_t count,
                                            const linchpin_go_extras *extras, linchpin_error **error);

// The states of one check that the library holds.
typedef struct linchpin_go_states {
  uintptr_t handle; // of the Go side
  uint64_t *hashes; // by state
  uint32_t *holders;
  size_t capacity;
  uint64_t *dropped; // states that the library no longer holds, which the Go side has not forgotten yet
  size_t dropped_count;
  uint64_t *found, *found_hashes; // what a callback of the Go side leaves
  size_t found_capacity;
  uint64_t *keys; // by input
  uint8_t *pures; // by input: a linchpin_go_purity
  size_t pure_count;
} linchpin_go_states;

// Of an input, over all that it returned.
enum linchpin_go_purity { LINCHPIN_GO_NEVER_RETURNED, LINCHPIN_GO_IS_PURE, LINCHPIN_GO_NOT_PURE, LINCHPIN_GO_IT_DEPENDS };

// Copies what it is given.
linchpin_go_states *linchpin_go_states_new(uintptr_t handle, const uint64_t *keys, size_t key_count, const uint8_t *pures,
                                           size_t pure_count);
void linchpin_go_states_free(linchpin_go_states *states);
int linchpin_go_room(linchpin_go_states *states, size_t count); // for what is found; 0: no memory

// Which of the optional callbacks the Go side has.
// INTERNED: states have hashes, and equal ones are one. GUESSED: they have hashes, and those that are one are equal.
enum { LINCHPIN_GO_INTERNED = 1, LINCHPIN_GO_KEYS = 2, LINCHPIN_GO_PURE = 4, LINCHPIN_GO_GUESSED = 8 };

linchpin_verdict *linchpin_go_check_model(linchpin_go_states *states, const linchpin_history *history, const char *name,
                                          int has, const linchpin_options *options, linchpin_error **error);

#endif
