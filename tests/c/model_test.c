/* Models of the caller's own through the C interface. */
#include <linchpin.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int failures = 0;

#define EXPECT(condition)                                              \
  do {                                                                 \
    if (!(condition)) {                                                \
      printf("%s:%d: expected: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                      \
    }                                                                  \
  } while (0)

/* Operations: what is called, and what came back. */
typedef struct call {
  enum { kWrite, kRead, kEither } kind; /* either: writes one of two numbers */
  int number, other;
} call;
typedef struct answer {
  int number;
} answer;

static const call write_1 = {kWrite, 1, 0}, write_2 = {kWrite, 2, 0}, either_3_4 = {kEither, 3, 4}, reading = {kRead, 0, 0};
static const answer seen_0 = {0}, seen_1 = {1}, seen_2 = {2}, seen_4 = {4}, seen_5 = {5};

/* A register of integers; states are on the heap, and counted. */
typedef struct register_model {
  int alive, released;
  int beginnings;    /* how many states there are to begin in: 0, 5, 10, ... */
  int fails;         /* step fails */
  int gives_up;      /* step says that its time is over */
  int waits;         /* step waits until it is */
  int contradicts;   /* step gives other answers each time */
  int scatters;      /* equal states have different hashes */
  int hands_back;    /* a read gives the state that it was asked about */
  int doubles;       /* a write gives its state twice */
  int overwrites;    /* a write changes the state that it was asked about */
  int asked, checks; /* steps */
} register_model;

static void *made(register_model *own, int number) {
  int *state = malloc(sizeof *state);
  *state = number;
  ++own->alive;
  return state;
}

static int initial(void *user, linchpin_successors *out) {
  register_model *own = user;
  for (int i = 0; i < own->beginnings; ++i) linchpin_successor(out, made(own, 5 * i));
  return 0;
}

static int step(void *user, const void *state, const linchpin_step *operation, linchpin_successors *out) {
  register_model *own = user;
  const call *called = operation->call;
  ++own->asked;
  if (own->fails) {
    linchpin_successor(out, made(own, 7)); /* is given back */
    linchpin_fail(out, "the disk is on fire");
    return 1;
  }
  while (own->waits && !linchpin_expired(out)) ++own->checks;
  if (own->gives_up || own->waits) return LINCHPIN_GAVE_UP;
  switch (called->kind) {
    case kWrite: {
      int *const written = made(own, own->contradicts ? own->asked : called->number);
      if (own->overwrites) *(int *)state = called->number;
      linchpin_successor(out, written);
      if (own->doubles) linchpin_successor(out, written);
      break;
    }
    case kEither:
      linchpin_successor(out, made(own, called->number));
      linchpin_successor(out, made(own, called->other));
      break;
    case kRead:
      if (!operation->returned || ((const answer *)operation->result)->number == *(const int *)state) {
        linchpin_successor(out, own->hands_back ? (void *)state : made(own, *(const int *)state));
      }
  }
  return 0;
}

static int equal(void *user, const void *left, const void *right) {
  (void)user;
  return *(const int *)left == *(const int *)right;
}
static uint64_t hash(void *user, const void *state) {
  register_model *own = user;
  return own->scatters ? (uint64_t)(uintptr_t)state : (uint64_t) * (const int *)state;
}
static void release(void *user, void *state) {
  register_model *own = user;
  --own->alive;
  ++own->released;
  free(state);
}
static void describe(void *user, const void *state, linchpin_text *out) {
  char text[16];
  (void)user;
  snprintf(text, sizeof text, "%d", *(const int *)state);
  linchpin_write(out, text, strlen(text));
}
static int pure(void *user, const linchpin_step *operation) {
  (void)user;
  return ((const call *)operation->call)->kind == kRead;
}

static linchpin_model model_of(register_model *own) {
  linchpin_model model;
  memset(&model, 0, sizeof model);
  model.size = sizeof model;
  model.name = "my-register";
  model.user = own;
  model.initial = initial;
  model.step = step;
  model.equal = equal;
  model.hash = hash;
  model.release = release;
  model.describe = describe;
  model.pure = pure;
  return model;
}

static register_model plain(void) {
  register_model own;
  memset(&own, 0, sizeof own);
  own.beginnings = 1;
  return own;
}

/* Operations one after the other. */
static void sequential(linchpin_builder *builder, const call *called, const answer *result, const char *text, int tick) {
  const size_t operation = linchpin_call_opaque(builder, (uint32_t)(tick % 3), called, text, tick);
  EXPECT(operation != LINCHPIN_NONE);
  linchpin_return_opaque(builder, operation, result, NULL, tick + 1);
}
static linchpin_history *finish(linchpin_builder *builder) {
  linchpin_error *error = NULL;
  linchpin_history *history = linchpin_builder_finish(builder, &error);
  EXPECT(history != NULL && error == NULL);
  return history;
}
/* write 1, write 2, and a read that sees `seen`. */
static linchpin_history *two_writes(const answer *seen) {
  linchpin_builder *builder = linchpin_builder_new(NULL);
  sequential(builder, &write_1, NULL, "write 1", 10);
  sequential(builder, &write_2, NULL, "write 2", 20);
  sequential(builder, &reading, seen, "read", 30);
  linchpin_call_opaque(builder, 7, &reading, "read", 40); /* never returns */
  return finish(builder);
}

static linchpin_kind kind_of(const linchpin_history *history, register_model own) {
  const linchpin_model model = model_of(&own);
  linchpin_error *error = NULL;
  linchpin_verdict *verdict = linchpin_check_model(history, &model, NULL, &error);
  EXPECT(verdict != NULL && error == NULL);
  if (verdict == NULL) return LINCHPIN_UNKNOWN;
  const linchpin_kind kind = linchpin_verdict_kind(verdict);
  linchpin_verdict_free(verdict);
  EXPECT(own.alive == 0); /* all are given back, each once */
  EXPECT(own.released > 0);
  return kind;
}

static void decides(void) {
  linchpin_history *right = two_writes(&seen_2), *wrong = two_writes(&seen_1);
  EXPECT(kind_of(right, plain()) == LINCHPIN_LINEARIZABLE);
  EXPECT(kind_of(wrong, plain()) == LINCHPIN_VIOLATION);
  linchpin_history_free(right);
  linchpin_history_free(wrong);
}

static void tells(void) {
  register_model own = plain();
  const linchpin_model model = model_of(&own);
  linchpin_history *history = two_writes(&seen_1);
  linchpin_verdict *verdict = linchpin_check_model(history, &model, NULL, NULL);
  size_t count = 0;
  const uint32_t *core = linchpin_object_core(verdict, 0, &count);
  EXPECT(count > 0 && core[count - 1] == 2);
  EXPECT(linchpin_object_verified(verdict, 0) == 1);
  EXPECT(linchpin_object_blocked(verdict, 0) == 2);
  char *text = linchpin_verdict_text(verdict, history, NULL);
  EXPECT(text != NULL && strstr(text, "my-register") != NULL && strstr(text, "write 2") != NULL);
  linchpin_free(text);
  linchpin_error *error = NULL;
  EXPECT(linchpin_verdict_report(verdict, history, "/no/such/folder/report.html", "mine", &error) == -1);
  EXPECT(error != NULL && strcmp(linchpin_error_code(error), "io") == 0);
  linchpin_error_free(error);
  linchpin_verdict_free(verdict);
  linchpin_history_free(history);
}

static void several_successors_and_beginnings(void) {
  const answer *const answers[] = {&seen_0, &seen_4, &seen_5};
  for (int i = 0; i < 3; ++i) {
    linchpin_builder *builder = linchpin_builder_new(NULL);
    sequential(builder, &reading, &seen_5, "read", 10);
    sequential(builder, &either_3_4, NULL, "write 3 or 4", 20);
    sequential(builder, &reading, answers[i], "read", 30);
    linchpin_history *history = finish(builder);
    register_model own = plain();
    EXPECT(kind_of(history, own) == LINCHPIN_VIOLATION); /* it begins with 0 */
    own.beginnings = 2;                                  /* with 0 or 5 */
    EXPECT(kind_of(history, own) == (answers[i] == &seen_4 ? LINCHPIN_LINEARIZABLE : LINCHPIN_VIOLATION));
    linchpin_history_free(history);
  }
  /* What one read has seen, the next one sees as well. */
  linchpin_builder *builder = linchpin_builder_new(NULL);
  sequential(builder, &reading, &seen_5, "read", 10);
  sequential(builder, &reading, &seen_0, "read", 20);
  linchpin_history *history = finish(builder);
  register_model own = plain();
  own.beginnings = 2;
  EXPECT(kind_of(history, own) == LINCHPIN_VIOLATION);
  linchpin_history_free(history);
}

/* The error's message, where there is to be one. */
static void expect_error(const linchpin_history *history, register_model own, const char *message) {
  const linchpin_model model = model_of(&own);
  linchpin_error *error = NULL;
  linchpin_verdict *verdict = linchpin_check_model(history, &model, NULL, &error);
  EXPECT(verdict == NULL && error != NULL);
  if (error == NULL) return;
  EXPECT(strcmp(linchpin_error_code(error), "model") == 0);
  if (strstr(linchpin_error_message(error), message) == NULL) {
    printf("expected '%s' in '%s'\n", message, linchpin_error_message(error));
    ++failures;
  }
  linchpin_error_free(error);
  EXPECT(own.alive == 0);
}

static void misuse_is_an_error(void) {
  linchpin_history *history = two_writes(&seen_2);
  register_model own = plain();
  own.fails = 1;
  expect_error(history, own, "the model's step failed: the disk is on fire");
  expect_error(history, own, "write 1");
  own = plain();
  own.contradicts = 1;
  expect_error(history, own, "two answers to one question");
  own = plain();
  own.scatters = 1;
  expect_error(history, own, "equal and have different hashes");
  own = plain();
  own.hands_back = 1;
  expect_error(history, own, "the model's step gave a state that the library still holds");
  own = plain();
  own.doubles = 1;
  expect_error(history, own, "operation(\"write 1\"): the model's step gave a state that the library still holds");
  own = plain();
  own.overwrites = 1;
  expect_error(history, own, "the model's step has changed the state that it was given");
  own = plain();
  own.gives_up = 1;
  expect_error(history, own, "although its time was not over");
  own = plain();
  own.beginnings = 0;
  expect_error(history, own, "gave no state");
  linchpin_history_free(history);

  linchpin_builder *builder = linchpin_builder_new("queue");
  const linchpin_value one = linchpin_integer(builder, 1);
  linchpin_call(builder, 0, NULL, "enqueue", &one, 1, 10);
  history = finish(builder);
  expect_error(history, plain(), "is not an operation of a model");
  linchpin_history_free(history);

  history = two_writes(&seen_2);
  own = plain();
  linchpin_model without = model_of(&own);
  without.equal = NULL;
  linchpin_error *error = NULL;
  EXPECT(linchpin_check_model(history, &without, NULL, &error) == NULL);
  EXPECT(error != NULL && strstr(linchpin_error_message(error), "initial, step and equal") != NULL);
  linchpin_error_free(error);
  linchpin_history_free(history);
}

static void time_limits_hold_within_a_step(void) {
  linchpin_history *history = two_writes(&seen_2);
  register_model own = plain();
  own.waits = 1;
  const linchpin_model model = model_of(&own);
  linchpin_options options = linchpin_options_default();
  options.time_limit = 0.05;
  linchpin_verdict *verdict = linchpin_check_model(history, &model, &options, NULL);
  EXPECT(verdict != NULL && linchpin_verdict_kind(verdict) == LINCHPIN_UNKNOWN);
  EXPECT(strcmp(linchpin_verdict_reason(verdict), "time") == 0);
  EXPECT(own.checks > 0);
  linchpin_verdict_free(verdict);
  EXPECT(own.alive == 0);
  linchpin_history_free(history);
}

static void *request(void *stop) {
  linchpin_stop_request(stop);
  return NULL;
}

static void another_thread_ends_a_step(void) {
  linchpin_history *history = two_writes(&seen_2);
  register_model own = plain();
  own.waits = 1;
  const linchpin_model model = model_of(&own);
  linchpin_stop *stop = linchpin_stop_new();
  linchpin_options options = linchpin_options_default();
  options.stop = stop;
  pthread_t thread;
  EXPECT(pthread_create(&thread, NULL, request, stop) == 0);
  linchpin_verdict *verdict = linchpin_check_model(history, &model, &options, NULL);
  EXPECT(verdict != NULL && linchpin_verdict_kind(verdict) == LINCHPIN_UNKNOWN);
  EXPECT(verdict != NULL && strcmp(linchpin_verdict_reason(verdict), "cancelled") == 0);
  linchpin_verdict_free(verdict);
  EXPECT(own.alive == 0);
  pthread_join(thread, NULL);
  linchpin_stop_free(stop);
  linchpin_history_free(history);
}

/* Longer than a clock can hold. */
static void a_time_limit_may_be_any_length(void) {
  linchpin_history *history = two_writes(&seen_2);
  register_model own = plain();
  const linchpin_model model = model_of(&own);
  linchpin_options options = linchpin_options_default();
  options.time_limit = 1e300;
  linchpin_verdict *verdict = linchpin_check_model(history, &model, &options, NULL);
  EXPECT(verdict != NULL && linchpin_verdict_kind(verdict) != LINCHPIN_UNKNOWN);
  linchpin_verdict_free(verdict);
  linchpin_history_free(history);
}

/* A step that is slow, and does not ask whether its time is over. */
static int slow_step(void *user, const void *state, const linchpin_step *operation, linchpin_successors *out) {
  const clock_t begin = clock();
  while (clock() - begin < CLOCKS_PER_SEC / 200) {
  }
  return step(user, state, operation, out);
}

static void time_limits_hold_between_slow_steps(void) {
  static call writes[60];
  linchpin_builder *builder = linchpin_builder_new(NULL);
  for (int i = 0; i < 60; ++i) {
    writes[i].kind = kWrite;
    writes[i].number = i;
    const size_t operation = linchpin_call_opaque(builder, (uint32_t)i, &writes[i], NULL, 0);
    linchpin_return_opaque(builder, operation, NULL, NULL, 10);
  }
  linchpin_history *history = finish(builder);
  register_model own = plain();
  linchpin_model model = model_of(&own);
  model.step = slow_step;
  linchpin_options options = linchpin_options_default();
  options.time_limit = 0.05;
  linchpin_verdict *verdict = linchpin_check_model(history, &model, &options, NULL);
  EXPECT(verdict != NULL && linchpin_verdict_kind(verdict) == LINCHPIN_UNKNOWN);
  EXPECT(own.asked < 400); /* two seconds of steps */
  linchpin_verdict_free(verdict);
  EXPECT(own.alive == 0);
  linchpin_history_free(history);
}

/* Without a hash states are compared one by one; without a description they have none. */
static void little_is_enough(void) {
  register_model own = plain();
  linchpin_model model = model_of(&own);
  model.hash = NULL;
  model.pure = NULL;
  model.describe = NULL;
  model.name = NULL;
  linchpin_history *right = two_writes(&seen_2), *wrong = two_writes(&seen_5);
  linchpin_verdict *verdict = linchpin_check_model(right, &model, NULL, NULL);
  EXPECT(linchpin_verdict_kind(verdict) == LINCHPIN_LINEARIZABLE);
  size_t count = 0;
  EXPECT(linchpin_object_witness(verdict, 0, &count) != NULL && count == 3);
  linchpin_verdict_free(verdict);
  verdict = linchpin_check_model(wrong, &model, NULL, NULL);
  EXPECT(linchpin_verdict_kind(verdict) == LINCHPIN_VIOLATION);
  linchpin_verdict_free(verdict);
  EXPECT(own.alive == 0);
  linchpin_history_free(right);
  linchpin_history_free(wrong);
}

/* A log of digits, of which nobody knows a hash: all orders of what is appended differ. */
typedef struct log_model {
  int alive, adds; /* adds: it is a set */
  long stepped, compared;
} log_model;

static int initial_log(void* user, linchpin_successors* out) {
  ++((log_model*)user)->alive;
  linchpin_successor(out, calloc(1, sizeof(uint64_t)));
  return 0;
}
static int step_log(void* user, const void* state, const linchpin_step* operation, linchpin_successors* out) {
  log_model* own = user;
  const call* called = operation->call;
  const uint64_t log = *(const uint64_t*)state;
  ++own->stepped;
  if (called->kind == kRead && operation->returned && *(const uint64_t*)operation->result != log) return 0;
  uint64_t* next = malloc(sizeof *next);
  ++own->alive;
  *next = log;
  if (called->kind == kWrite) *next = own->adds ? log | 1u << called->number : 7 * log + (uint64_t)called->number;
  linchpin_successor(out, next);
  return 0;
}
static int equal_log(void* user, const void* left, const void* right) {
  ++((log_model*)user)->compared;
  return *(const uint64_t*)left == *(const uint64_t*)right;
}
static uint64_t hash_log(void* user, const void* state) {
  (void)user;
  return *(const uint64_t*)state;
}
static void release_log(void* user, void* state) {
  --((log_model*)user)->alive;
  free(state);
}

static linchpin_model log_model_of(log_model *own) {
  linchpin_model model;
  memset(&model, 0, sizeof model);
  model.size = sizeof model;
  model.user = own;
  model.initial = initial_log;
  model.step = step_log;
  model.equal = equal_log;
  model.release = release_log;
  return model;
}

static unsigned drawn(uint64_t* seed, unsigned below) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(*seed >> 33) % below;
}

static const call digits[12] = {{kWrite, 0, 0}, {kWrite, 1, 0}, {kWrite, 2, 0}, {kWrite, 3, 0},
                                {kWrite, 4, 0}, {kWrite, 5, 0}, {kWrite, 6, 0}, {kWrite, 7, 0},
                                {kWrite, 8, 0}, {kWrite, 9, 0}, {kWrite, 10, 0}, {kWrite, 11, 0}};

/* Waves of concurrent appends, some of which never return, with a read among them and one behind. */
static linchpin_history* waves(uint64_t seed, int width) {
  linchpin_builder* builder = linchpin_builder_new(NULL);
  uint64_t log = 0;
  for (int wave = 0; wave < 4; ++wave) {
    const int now = 1000 * wave;
    const unsigned repeats = 1 + drawn(&seed, 7); /* few: many orders have one log */
    for (int i = 0; i < width; ++i) {
      const unsigned digit = drawn(&seed, repeats);
      char text[16];
      snprintf(text, sizeof text, "append %u", digit);
      const int lost = drawn(&seed, 12) == 0;
      const size_t number = linchpin_call_opaque(builder, LINCHPIN_NO_PROCESS, &digits[digit], text, now + i);
      if (!lost) linchpin_return_opaque(builder, number, NULL, NULL, now + 100 + (int)drawn(&seed, 100));
      if (!lost || drawn(&seed, 2)) log = 7 * log + digit;
      if (i == width / 2) {
        const size_t read = linchpin_call_opaque(builder, LINCHPIN_NO_PROCESS, &reading, "read", now + 50);
        linchpin_return_opaque(builder, read, linchpin_keep(builder, &log, sizeof log), NULL, now + 150);
      }
    }
    const uint64_t seen = drawn(&seed, 12) == 0 ? log + 1 : log;
    const size_t read = linchpin_call_opaque(builder, LINCHPIN_NO_PROCESS, &reading, "read", now + 300);
    linchpin_return_opaque(builder, read, linchpin_keep(builder, &seen, sizeof seen), NULL, now + 301);
  }
  return finish(builder);
}

static void many_states_need_no_hash(void) {
  int seen[2] = {0, 0}, many = 0;
  for (uint64_t seed = 1; seed <= 24; ++seed) {
    linchpin_history* history = waves(seed, 3 + (int)(seed % 3));
    linchpin_kind kinds[2];
    for (int hashed = 0; hashed < 2; ++hashed) {
      log_model own = {0, 0, 0, 0};
      linchpin_model model = log_model_of(&own);
      model.pure = seed % 2 ? pure : NULL;
      model.hash = hashed ? hash_log : NULL;
      linchpin_error* error = NULL;
      linchpin_verdict* verdict = linchpin_check_model(history, &model, NULL, &error);
      EXPECT(verdict != NULL && error == NULL);
      kinds[hashed] = linchpin_verdict_kind(verdict);
      char* text = linchpin_verdict_text(verdict, history, NULL);
      EXPECT(text != NULL);
      linchpin_free(text);
      linchpin_verdict_free(verdict);
      EXPECT(own.alive == 0);
      many += !hashed && own.compared > 16384;

    }
    EXPECT(kinds[0] == kinds[1]);
    ++seen[kinds[0] == LINCHPIN_LINEARIZABLE];
    linchpin_history_free(history);
  }
  EXPECT(seen[0] >= 4 && seen[1] >= 4);
  EXPECT(many >= 4);
}

/* States that come of the same operations are compared, and few others: all 4096 would be ten million comparisons. */
static void states_of_other_operations_are_not_compared(void) {
  static const uint64_t never = 1u << 20;
  linchpin_builder *builder = linchpin_builder_new(NULL);
  for (int i = 0; i < 12; ++i) {
    const size_t number = linchpin_call_opaque(builder, LINCHPIN_NO_PROCESS, &digits[i], "add", i);
    linchpin_return_opaque(builder, number, NULL, NULL, 100 + i);
  }
  const size_t read = linchpin_call_opaque(builder, LINCHPIN_NO_PROCESS, &reading, "read", 50);
  linchpin_return_opaque(builder, read, &never, "never", 200);
  linchpin_history *history = finish(builder);
  log_model own = {0, 1, 0, 0};
  const linchpin_model model = log_model_of(&own);
  linchpin_verdict *verdict = linchpin_check_model(history, &model, NULL, NULL);
  EXPECT(verdict != NULL && linchpin_verdict_kind(verdict) == LINCHPIN_VIOLATION);
  EXPECT(own.stepped > 20000 && own.compared < 1000000);
  linchpin_verdict_free(verdict);
  linchpin_history_free(history);
  EXPECT(own.alive == 0);
}

/* Two registers in one history: the first digit of the number says which. */
static uint64_t digit(void *user, const linchpin_step *operation) {
  (void)user;
  return (uint64_t)((const call *)operation->call)->other;
}

static void keys_are_decided_apart(void) {
  static const call first = {kWrite, 1, 1}, second = {kWrite, 2, 2}, read_first = {kRead, 0, 1}, read_second = {kRead, 0, 2};
  for (int apart = 0; apart < 2; ++apart) {
    linchpin_builder *builder = linchpin_builder_new(NULL);
    sequential(builder, &first, NULL, "write 1", 10);
    sequential(builder, &second, NULL, "write 2", 20);
    sequential(builder, &read_first, &seen_1, "read", 30);
    sequential(builder, &read_second, &seen_2, "read", 40); /* the same words for another operation */
    linchpin_history *history = finish(builder);
    register_model own = plain();
    linchpin_model model = model_of(&own);
    if (apart) model.key = digit;
    linchpin_verdict *verdict = linchpin_check_model(history, &model, NULL, NULL);
    EXPECT(linchpin_verdict_kind(verdict) == (apart ? LINCHPIN_LINEARIZABLE : LINCHPIN_VIOLATION));
    linchpin_verdict_free(verdict);
    EXPECT(own.alive == 0);
    linchpin_history_free(history);
  }
}

/* Whose pointers are given several times counts them itself. */
static int counted[4];
static int initial_counted(void *user, linchpin_successors *out) {
  (void)user;
  ++counted[0];
  linchpin_successor(out, &counted[0]);
  return 0;
}
static int step_counted(void *user, const void *state, const linchpin_step *operation, linchpin_successors *out) {
  const call *called = operation->call;
  const int *const next = called->kind == kWrite ? &counted[called->number] : state;
  (void)user;
  if (called->kind == kRead && operation->returned && next - counted != ((const answer *)operation->result)->number)
    return 0;
  ++counted[next - counted];
  linchpin_successor(out, (void *)next);
  return 0;
}
static int equal_counted(void *user, const void *left, const void *right) {
  (void)user;
  return left == right;
}
static void release_counted(void *user, void *state) {
  (void)user;
  --*(int *)state;
}

static void shared_states_are_counted_by_the_model(void) {
  linchpin_model model;
  memset(&model, 0, sizeof model);
  model.size = sizeof model;
  model.initial = initial_counted;
  model.step = step_counted;
  model.equal = equal_counted;
  model.release = release_counted;
  model.shared = 1;
  linchpin_history *right = two_writes(&seen_2), *wrong = two_writes(&seen_1);
  linchpin_verdict *verdict = linchpin_check_model(right, &model, NULL, NULL);
  EXPECT(verdict != NULL && linchpin_verdict_kind(verdict) == LINCHPIN_LINEARIZABLE);
  linchpin_verdict_free(verdict);
  verdict = linchpin_check_model(wrong, &model, NULL, NULL);
  EXPECT(verdict != NULL && linchpin_verdict_kind(verdict) == LINCHPIN_VIOLATION);
  linchpin_verdict_free(verdict);
  for (int i = 0; i < 4; ++i) EXPECT(counted[i] == 0);
  model.shared = 0;
  linchpin_error *error = NULL;
  EXPECT(linchpin_check_model(right, &model, NULL, &error) == NULL);
  EXPECT(error != NULL && strcmp(linchpin_error_code(error), "model") == 0);
  linchpin_error_free(error);
  for (int i = 0; i < 4; ++i) EXPECT(counted[i] >= 0);
  linchpin_history_free(right);
  linchpin_history_free(wrong);
}

/* A time limit is for deciding: what is told of a verdict later is whole. */
static void tells_after_the_time_limit(void) {
  linchpin_history *history = two_writes(&seen_1);
  register_model own = plain();
  const linchpin_model model = model_of(&own);
  linchpin_options options = linchpin_options_default();
  options.time_limit = 0.2;
  linchpin_verdict *verdict = linchpin_check_model(history, &model, &options, NULL);
  EXPECT(verdict != NULL && linchpin_verdict_kind(verdict) == LINCHPIN_VIOLATION);
  const clock_t begin = clock();
  while (clock() - begin < CLOCKS_PER_SEC / 2) {
  }
  linchpin_error *error = NULL;
  char *text = linchpin_verdict_text(verdict, history, &error);
  EXPECT(text != NULL && error == NULL && strstr(text, "write 2") != NULL);
  linchpin_free(text);
  char *json = linchpin_verdict_json(verdict, history, &error);
  if (json == NULL) {
    EXPECT(error != NULL && strcmp(linchpin_error_code(error), "unsupported") == 0);
  } else {
    EXPECT(strstr(json, "\"verdict\":\"violation\"") != NULL && strstr(json, "\"type\":\"my-register\"") != NULL);
    EXPECT(strstr(json, "\"attempts\"") != NULL && strchr(json, '\n') == NULL);
  }
  linchpin_error_free(error);
  linchpin_free(json);
  linchpin_verdict_free(verdict);
  EXPECT(own.alive == 0);
  linchpin_history_free(history);
}

/* Operations that are bytes, which the history keeps. */
static void bytes_are_kept(void) {
  linchpin_builder *builder = linchpin_builder_new(NULL);
  call own = {kWrite, 1, 0};
  const void *const first = linchpin_keep(builder, &own, sizeof own);
  EXPECT(linchpin_keep(builder, &own, sizeof own) == first && (uintptr_t)first % sizeof(void *) == 0);
  sequential(builder, first, NULL, "write 1", 10);
  own.number = 2;
  const void *const second = linchpin_keep(builder, &own, sizeof own);
  EXPECT(second != first && linchpin_keep(builder, "", 0) != NULL);
  sequential(builder, second, NULL, "write 2", 20);
  memset(&own, 0xff, sizeof own);
  answer seen = {1};
  sequential(builder, &reading, linchpin_keep(builder, &seen, sizeof seen), "read", 30);
  seen.number = 2;
  linchpin_history *history = finish(builder);
  EXPECT(kind_of(history, plain()) == LINCHPIN_VIOLATION);
  linchpin_history_free(history);
}

/* Two keys are two, also where most bits of them, or of what a hash makes of them, agree. */
static uint64_t far_key(void *user, const linchpin_step *operation) {
  static const uint64_t keys[] = {0, UINT64_C(1) << 63, 7, UINT64_C(0xe71d0a1134b012b1)};
  (void)user;
  return keys[((const call *)operation->call)->other];
}

static void any_two_keys_are_apart(void) {
  static const call writes[] = {{kWrite, 1, 0}, {kWrite, 2, 1}, {kWrite, 4, 2}, {kWrite, 5, 3}};
  static const call reads[] = {{kRead, 0, 0}, {kRead, 0, 1}, {kRead, 0, 2}, {kRead, 0, 3}};
  static const answer *const seen[] = {&seen_1, &seen_2, &seen_4, &seen_5};
  linchpin_builder *builder = linchpin_builder_new(NULL);
  for (int i = 0; i < 4; ++i) sequential(builder, &writes[i], NULL, "write", 10 * i);
  for (int i = 0; i < 4; ++i) sequential(builder, &reads[i], seen[i], "read", 100 + 10 * i);
  linchpin_history *history = finish(builder);
  register_model own = plain();
  linchpin_model model = model_of(&own);
  model.key = far_key;
  linchpin_verdict *verdict = linchpin_check_model(history, &model, NULL, NULL);
  EXPECT(verdict != NULL && linchpin_verdict_kind(verdict) == LINCHPIN_LINEARIZABLE);
  linchpin_verdict_free(verdict);
  EXPECT(own.alive == 0);
  linchpin_history_free(history);
}

/* A finished history is for several threads, each with its model. */
typedef struct asking {
  const linchpin_history *history;
  linchpin_kind expected;
  int wrong;
} asking;

static void *ask(void *given) {
  asking *own = given;
  for (int i = 0; i < 200; ++i) {
    register_model counts = plain();
    const linchpin_model model = model_of(&counts);
    linchpin_verdict *verdict = linchpin_check_model(own->history, &model, NULL, NULL);
    own->wrong += verdict == NULL || linchpin_verdict_kind(verdict) != own->expected;
    char *text = linchpin_verdict_text(verdict, own->history, NULL);
    own->wrong += text == NULL;
    linchpin_free(text);
    linchpin_verdict_free(verdict);
    own->wrong += counts.alive != 0;
  }
  return NULL;
}

static void threads_share_a_history(void) {
  linchpin_history *right = two_writes(&seen_2), *wrong = two_writes(&seen_1);
  asking all[4];
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) {
    all[i].history = i % 2 == 0 ? right : wrong;
    all[i].expected = i % 2 == 0 ? LINCHPIN_LINEARIZABLE : LINCHPIN_VIOLATION;
    all[i].wrong = 0;
    EXPECT(pthread_create(&threads[i], NULL, ask, &all[i]) == 0);
  }
  for (int i = 0; i < 4; ++i) {
    pthread_join(threads[i], NULL);
    EXPECT(all[i].wrong == 0);
  }
  linchpin_history_free(right);
  linchpin_history_free(wrong);
}

/* A callback may use the library for something else. */
static int nested_step(void *user, const void *state, const linchpin_step *operation, linchpin_successors *out) {
  static int depth = 0;
  if (depth == 0) {
    ++depth;
    linchpin_history *history = two_writes(&seen_2);
    EXPECT(kind_of(history, plain()) == LINCHPIN_LINEARIZABLE);
    linchpin_history_free(history);
    --depth;
  }
  return step(user, state, operation, out);
}

static void callbacks_may_check(void) {
  register_model own = plain();
  linchpin_model model = model_of(&own);
  model.step = nested_step;
  linchpin_history *history = two_writes(&seen_2);
  linchpin_verdict *verdict = linchpin_check_model(history, &model, NULL, NULL);
  EXPECT(linchpin_verdict_kind(verdict) == LINCHPIN_LINEARIZABLE);
  linchpin_verdict_free(verdict);
  linchpin_history_free(history);
}

int main(void) {
  decides();
  tells();
  several_successors_and_beginnings();
  misuse_is_an_error();
  time_limits_hold_within_a_step();
  another_thread_ends_a_step();
  a_time_limit_may_be_any_length();
  time_limits_hold_between_slow_steps();
  little_is_enough();
  many_states_need_no_hash();
  states_of_other_operations_are_not_compared();
  keys_are_decided_apart();
  any_two_keys_are_apart();
  bytes_are_kept();
  shared_states_are_counted_by_the_model();
  tells_after_the_time_limit();
  threads_share_a_history();
  callbacks_may_check();
  if (failures == 0) printf("all passed\n");
  return failures == 0 ? 0 : 1;
}
