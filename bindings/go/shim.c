#include "shim.h"

#include <stdlib.h>
#include <string.h>

#include "_cgo_export.h"

static const char *text_of(linchpin_go_texts texts, uint64_t number) { return texts.bytes + texts.offsets[number]; }

static linchpin_value read_value(linchpin_builder *builder, linchpin_go_texts texts, const int64_t **words) {
  switch (*(*words)++) {
    case LINCHPIN_GO_NONE: return linchpin_none();
    case LINCHPIN_GO_NIL: return linchpin_nil();
    case LINCHPIN_GO_FALSE: return linchpin_boolean(0);
    case LINCHPIN_GO_TRUE: return linchpin_boolean(1);
    case LINCHPIN_GO_INTEGER: return linchpin_integer(builder, *(*words)++);
    case LINCHPIN_GO_STRING: {
      const uint64_t number = (uint64_t) * (*words)++;
      return linchpin_string(builder, text_of(texts, number),
                             (size_t)(texts.offsets[number + 1] - texts.offsets[number] - 1));
    }
    case LINCHPIN_GO_LIST: {
      const size_t count = (size_t) * (*words)++;
      linchpin_value *elements = calloc(count + 1, sizeof *elements);
      if (elements == NULL) abort(); // as Go does when memory runs out
      for (size_t i = 0; i < count; ++i) elements[i] = read_value(builder, texts, words);
      const linchpin_value list = linchpin_list(builder, elements, count);
      free(elements);
      return list;
    }
    default: return linchpin_unknown();
  }
}

static void add_extras(linchpin_builder *builder, const linchpin_go_extras *extras) {
  const int64_t *values = extras->values;
  for (size_t i = 0; i < extras->field_count; ++i) {
    const linchpin_go_field *field = &extras->fields[i];
    const linchpin_value value = read_value(builder, extras->texts, &values);
    linchpin_field(builder, field->operation, text_of(extras->texts, field->name), value);
  }
  for (size_t i = 0; i < extras->note_count; ++i) {
    const linchpin_go_note *note = &extras->notes[i];
    linchpin_annotate(builder, note->begin, note->end, text_of(extras->texts, note->text),
                      note->process == 0 ? NULL : text_of(extras->texts, note->process - 1),
                      note->colour == 0 ? NULL : text_of(extras->texts, note->colour - 1));
  }
}

linchpin_history *linchpin_go_history(const char *type, linchpin_go_texts texts, const linchpin_go_operation *operations,
                                      size_t count, const int64_t *values, const uint32_t *types, size_t typed,
                                      const linchpin_go_extras *extras, linchpin_error **error) {
  linchpin_builder *builder = linchpin_builder_new(type);
  if (builder == NULL) return NULL;
  for (size_t i = 0; i < typed; ++i) {
    linchpin_object_type(builder, text_of(texts, types[2 * i]), text_of(texts, types[2 * i + 1]));
  }
  size_t room = 4;
  linchpin_value *arguments = malloc(room * sizeof *arguments);
  if (arguments == NULL) abort();
  for (size_t i = 0; i < count; ++i) {
    const linchpin_go_operation *operation = &operations[i];
    if (operation->arguments > room) {
      room = operation->arguments;
      arguments = realloc(arguments, room * sizeof *arguments);
      if (arguments == NULL) abort();
    }
    for (uint32_t j = 0; j < operation->arguments; ++j) arguments[j] = read_value(builder, texts, &values);
    const size_t number = linchpin_call(builder, operation->process,
                                        operation->object == 0 ? NULL : text_of(texts, operation->object - 1),
                                        text_of(texts, operation->method), arguments, operation->arguments, operation->call);
    if (!operation->result) continue;
    linchpin_return(builder, number, read_value(builder, texts, &values), operation->returned);
  }
  free(arguments);
  add_extras(builder, extras);
  return linchpin_builder_finish(builder, error);
}

static const void *pointer_of(uint64_t number) { return (const void *)(uintptr_t)number; }
static uint64_t number_of(const void *pointer) { return (uint64_t)(uintptr_t)pointer; }

linchpin_history *linchpin_go_model_history(linchpin_go_texts texts, const linchpin_go_step *operations, size_t count,
                                            const linchpin_go_extras *extras, linchpin_error **error) {
  linchpin_builder *builder = linchpin_builder_new(NULL);
  if (builder == NULL) return NULL;
  for (size_t i = 0; i < count; ++i) {
    const linchpin_go_step *operation = &operations[i];
    const size_t number = linchpin_call_opaque(builder, operation->process, pointer_of(operation->input),
                                               text_of(texts, operation->input - 1), operation->call);
    if (operation->returned == LINCHPIN_GO_PENDING) continue;
    linchpin_return_opaque(builder, number, pointer_of(operation->output),
                           operation->output == 0 ? NULL : text_of(texts, operation->output - 1), operation->returned);
  }
  add_extras(builder, extras);
  return linchpin_builder_finish(builder, error);
}

static int copy(void **to, const void *from, size_t bytes) {
  if (bytes == 0) return 1;
  *to = malloc(bytes);
  if (*to == NULL) return 0;
  memcpy(*to, from, bytes);
  return 1;
}

linchpin_go_states *linchpin_go_states_new(uintptr_t handle, const uint64_t *keys, size_t key_count, const uint8_t *pures,
                                           size_t pure_count) {
  linchpin_go_states *states = calloc(1, sizeof *states);
  if (states == NULL) return NULL;
  states->handle = handle;
  states->pure_count = pure_count;
  if (copy((void **)&states->keys, keys, key_count * sizeof *keys) && copy((void **)&states->pures, pures, pure_count)) {
    return states;
  }
  linchpin_go_states_free(states);
  return NULL;
}

void linchpin_go_states_free(linchpin_go_states *states) {
  if (states == NULL) return;
  free(states->hashes);
  free(states->holders);
  free(states->dropped);
  free(states->found);
  free(states->found_hashes);
  free(states->keys);
  free(states->pures);
  free(states);
}

static int grow(uint64_t **array, size_t capacity) {
  uint64_t *grown = realloc(*array, capacity * sizeof **array);
  if (grown == NULL) return 0;
  *array = grown;
  return 1;
}

int linchpin_go_room(linchpin_go_states *states, size_t count) {
  if (count <= states->found_capacity) return 1;
  if (count < 16) count = 16;
  if (!grow(&states->found, count) || !grow(&states->found_hashes, count)) return 0;
  states->found_capacity = count;
  return 1;
}

// Room for a state of this number.
static int hold(linchpin_go_states *states, uint64_t state) {
  if (state < states->capacity) return 1;
  size_t capacity = states->capacity < 64 ? 64 : 2 * states->capacity;
  while (capacity <= state) capacity *= 2;
  uint32_t *holders = realloc(states->holders, capacity * sizeof *holders);
  if (holders == NULL) return 0;
  states->holders = holders;
  if (!grow(&states->hashes, capacity) || !grow(&states->dropped, capacity)) return 0;
  memset(holders + states->capacity, 0, (capacity - states->capacity) * sizeof *holders);
  states->capacity = capacity;
  return 1;
}

// Gives the library what the Go side has found, and its answer.
static int hand_on(linchpin_go_states *states, int64_t count, linchpin_successors *out) {
  if (count < 0) return (int)-count; // 1: a failure; LINCHPIN_GAVE_UP
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t state = states->found[i];
    if (!hold(states, state)) {
      linchpin_fail(out, "out of memory");
      return 1;
    }
    states->hashes[state] = states->found_hashes[i];
    ++states->holders[state];
    linchpin_successor(out, (void *)(uintptr_t)(state + 1));
  }
  return 0;
}

static int initial(void *user, linchpin_successors *out) {
  linchpin_go_states *states = user;
  return hand_on(states, linchpinGoInitial(states, out), out);
}

static int step(void *user, const void *state, const linchpin_step *operation, linchpin_successors *out) {
  linchpin_go_states *states = user;
  const int64_t count = linchpinGoStep(states, number_of(state) - 1, number_of(operation->call),
                                       number_of(operation->result), operation->returned, out);
  return hand_on(states, count, out);
}

static int same(void *user, const void *left, const void *right) {
  (void)user;
  return left == right;
}
static int equal(void *user, const void *left, const void *right) {
  return linchpinGoEqual(user, number_of(left) - 1, number_of(right) - 1);
}

static uint64_t hash(void *user, const void *state) {
  return ((const linchpin_go_states *)user)->hashes[number_of(state) - 1];
}

static void release(void *user, void *state) {
  linchpin_go_states *states = user;
  const uint64_t number = number_of(state) - 1;
  if (--states->holders[number] == 0) states->dropped[states->dropped_count++] = number;
}

static void describe(void *user, const void *state, linchpin_text *out) {
  linchpinGoDescribe(user, number_of(state) - 1, out);
}

static uint64_t key(void *user, const linchpin_step *operation) {
  return ((const linchpin_go_states *)user)->keys[number_of(operation->call) - 1];
}

static int pure(void *user, const linchpin_step *operation) {
  const linchpin_go_states *states = user;
  const uint64_t input = number_of(operation->call) - 1;
  if (operation->returned && input < states->pure_count) {
    const int purity = states->pures[input];
    if (purity == LINCHPIN_GO_IS_PURE || purity == LINCHPIN_GO_NOT_PURE) return purity == LINCHPIN_GO_IS_PURE;
  }
  return linchpinGoPure(user, number_of(operation->call), number_of(operation->result), operation->returned);
}

linchpin_verdict *linchpin_go_check_model(linchpin_go_states *states, const linchpin_history *history, const char *name,
                                          int has, const linchpin_options *options, linchpin_error **error) {
  linchpin_model model;
  memset(&model, 0, sizeof model);
  model.size = sizeof model;
  model.name = name;
  model.user = states;
  model.initial = initial;
  model.step = step;
  model.equal = has & LINCHPIN_GO_INTERNED ? same : equal;
  model.hash = has & (LINCHPIN_GO_INTERNED | LINCHPIN_GO_GUESSED) ? hash : NULL;
  model.release = release;
  model.describe = describe;
  model.key = has & LINCHPIN_GO_KEYS ? key : NULL;
  model.pure = has & LINCHPIN_GO_PURE ? pure : NULL;
  model.shared = 1; // `holders` counts
  return linchpin_check_model(history, &model, options, error);
}
