/* The C interface, used as a C program uses it. */
#define _POSIX_C_SOURCE 200809L
#include <linchpin.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int failures = 0;

#define EXPECT(condition)                                                        \
  do {                                                                           \
    if (!(condition)) {                                                          \
      printf("%s:%d: expected: %s\n", __FILE__, __LINE__, #condition);           \
      ++failures;                                                                \
    }                                                                            \
  } while (0)

/* Two values enqueued one after the other, and the second dequeued first where `swapped`. */
static linchpin_history *two_values(int swapped) {
  linchpin_builder *builder = linchpin_builder_new("queue");
  const linchpin_value one = linchpin_integer(builder, 1);
  const linchpin_value two = linchpin_string(builder, "two", 3);
  size_t operation = linchpin_call(builder, 0, NULL, "enqueue", &one, 1, 10);
  EXPECT(operation == 0);
  linchpin_return(builder, operation, linchpin_none(), 20);
  operation = linchpin_call(builder, 1, NULL, "enqueue", &two, 1, 30);
  linchpin_return(builder, operation, linchpin_none(), 40);
  operation = linchpin_call(builder, 0, NULL, "dequeue", NULL, 0, 50);
  linchpin_return(builder, operation, swapped ? two : one, 60);
  operation = linchpin_call(builder, 1, NULL, "dequeue", NULL, 0, 70);
  linchpin_return(builder, operation, swapped ? one : two, 80);
  linchpin_call(builder, 2, NULL, "dequeue", NULL, 0, 90); /* never returns */
  linchpin_error *error = NULL;
  linchpin_history *history = linchpin_builder_finish(builder, &error);
  EXPECT(history != NULL);
  EXPECT(error == NULL);
  return history;
}

static void operations_carry_fields(void) {
  linchpin_builder *builder = linchpin_builder_new("queue");
  const linchpin_value one = linchpin_integer(builder, 1);
  const size_t enqueue = linchpin_call(builder, 0, NULL, "enqueue", &one, 1, 10);
  linchpin_return(builder, enqueue, linchpin_none(), 20);
  const size_t dequeue = linchpin_call(builder, 1, NULL, "dequeue", NULL, 0, 30);
  linchpin_return(builder, dequeue, linchpin_nil(), 40);
  linchpin_field(builder, dequeue, "server", linchpin_string(builder, "n1", 2));
  linchpin_field(builder, dequeue, "revision", linchpin_integer(builder, INT64_MIN));
  linchpin_field(builder, dequeue, "revision", linchpin_integer(builder, INT64_MAX));
  linchpin_field(builder, dequeue, "lost", linchpin_nil());
  linchpin_annotate(builder, 5, 4, "started", NULL, NULL);
  linchpin_annotate(builder, 25, 35, "cas failed", "7", "red");
  linchpin_error *error = NULL;
  linchpin_history *history = linchpin_builder_finish(builder, &error);
  EXPECT(history != NULL);
  char *text = linchpin_operation_fields(history, enqueue);
  EXPECT(strcmp(text, "") == 0);
  linchpin_free(text);
  text = linchpin_operation_fields(history, dequeue);
  EXPECT(strcmp(text, "server n1, revision 9223372036854775807") == 0);
  linchpin_free(text);
  text = linchpin_history_write(history, "text", NULL, NULL);
  EXPECT(strstr(text, "# annotation 5 - \"started\"\n") != NULL);
  EXPECT(strstr(text, "# annotation 25 35 \"cas failed\" process=7 colour=red\n") != NULL);
  EXPECT(strstr(text, "@server=n1") != NULL);
  linchpin_free(text);
  linchpin_verdict *verdict = linchpin_check(history, NULL, NULL);
  EXPECT(linchpin_verdict_kind(verdict) == LINCHPIN_VIOLATION);
  text = linchpin_verdict_text(verdict, history, NULL);
  EXPECT(strstr(text, "server n1, revision 9223372036854775807") != NULL);
  linchpin_free(text);
  linchpin_verdict_free(verdict);
  linchpin_history_free(history);

  builder = linchpin_builder_new("queue");
  linchpin_field(builder, 0, "server", linchpin_nil());
  EXPECT(linchpin_builder_finish(builder, &error) == NULL);
  EXPECT(strcmp(linchpin_error_message(error), "a field of an operation that was never called") == 0);
  linchpin_error_free(error);
}

static void decides_a_linearizable_history(void) {
  linchpin_history *history = two_values(0);
  EXPECT(linchpin_history_size(history) == 5);
  linchpin_options options = linchpin_options_default();
  options.verify = 1;
  linchpin_verdict *verdict = linchpin_check(history, &options, NULL);
  EXPECT(linchpin_verdict_kind(verdict) == LINCHPIN_LINEARIZABLE);
  EXPECT(linchpin_verdict_objects(verdict) == 1);
  EXPECT(linchpin_object_kind(verdict, 0) == LINCHPIN_LINEARIZABLE);
  EXPECT(strcmp(linchpin_object_decider(verdict, 0), "queue-monitor") == 0);
  EXPECT(strlen(linchpin_object_why(verdict, 0)) > 0);
  EXPECT(linchpin_object_verified(verdict, 0) == 1);
  size_t count = 0;
  const uint32_t *witness = linchpin_object_witness(verdict, 0, &count);
  EXPECT(count == 4);
  for (size_t i = 0; i < count; ++i) EXPECT(witness[i] == i);
  EXPECT(linchpin_object_core(verdict, 0, &count) == NULL && count == 0);
  EXPECT(strcmp(linchpin_object_sentence(verdict, 0), "") == 0);
  linchpin_verdict_free(verdict);
  linchpin_history_free(history);
}

static void decides_a_violation(void) {
  linchpin_history *history = two_values(1);
  linchpin_verdict *verdict = linchpin_check(history, NULL, NULL);
  EXPECT(linchpin_verdict_kind(verdict) == LINCHPIN_VIOLATION);
  EXPECT(strlen(linchpin_object_sentence(verdict, 0)) > 0);
  size_t count = 0;
  const uint32_t *core = linchpin_object_core(verdict, 0, &count);
  EXPECT(count == 3 && core[0] == 0 && core[2] == 2); /* not the second dequeue */
  EXPECT(linchpin_object_witness(verdict, 0, NULL) == NULL);
  EXPECT(linchpin_object_verified(verdict, 0) == 1);
  EXPECT(strlen(linchpin_object_refused(verdict, 0)) == 0);
  linchpin_verdict_free(verdict);

  linchpin_options unchecked = linchpin_options_default();
  unchecked.no_verify = 1;
  verdict = linchpin_check(history, &unchecked, NULL);
  EXPECT(linchpin_object_verified(verdict, 0) == -1);
  linchpin_verdict_free(verdict);

  linchpin_options wrong = linchpin_options_default();
  wrong.decider = "planted-witness";
  verdict = linchpin_check(history, &wrong, NULL);
  EXPECT(linchpin_verdict_kind(verdict) == LINCHPIN_UNKNOWN);
  EXPECT(strcmp(linchpin_verdict_reason(verdict), "internal") == 0);
  EXPECT(strstr(linchpin_object_refused(verdict, 0), "planted-witness does not hold") != NULL);
  linchpin_verdict_free(verdict);

  linchpin_options options = linchpin_options_default();
  options.type = "bag";
  linchpin_error *error = NULL;
  verdict = linchpin_check(history, &options, &error);
  EXPECT(verdict == NULL || linchpin_verdict_kind(verdict) != LINCHPIN_UNKNOWN);
  linchpin_verdict_free(verdict);
  linchpin_error_free(error);
  linchpin_history_free(history);
}

/* A counter that shows 3 after two additions of 1: impossible alone, beside what was added. */
static void tells_the_context_of_a_core(void) {
  linchpin_builder *builder = linchpin_builder_new("counter");
  const linchpin_value one = linchpin_integer(builder, 1);
  for (int i = 0; i < 2; ++i) {
    const size_t add = linchpin_call(builder, 0, NULL, "add", &one, 1, 10 * i + 1);
    linchpin_return(builder, add, linchpin_none(), 10 * i + 2);
  }
  const size_t read = linchpin_call(builder, 1, NULL, "read", NULL, 0, 31);
  linchpin_return(builder, read, linchpin_integer(builder, 3), 32);
  linchpin_history *history = linchpin_builder_finish(builder, NULL);
  linchpin_verdict *verdict = linchpin_check(history, NULL, NULL);
  size_t count = 0;
  const uint32_t *core = linchpin_object_core(verdict, 0, &count);
  EXPECT(count == 1 && core[0] == 2);
  const uint32_t *context = linchpin_object_context(verdict, 0, &count);
  EXPECT(count == 2 && context[0] == 0 && context[1] == 1);
  linchpin_verdict_free(verdict);
  linchpin_history_free(history);
}

static void writes_what_it_reads(void) {
  linchpin_history *history = two_values(0);
  size_t bytes = 0;
  char *text = linchpin_history_write(history, "text", &bytes, NULL);
  EXPECT(text != NULL && bytes == strlen(text) && strstr(text, "# linchpin 1") == text);
  FILE *file = fopen("linchpin_test_history.txt", "wb");
  EXPECT(file != NULL && fwrite(text, 1, bytes, file) == bytes);
  if (file != NULL) fclose(file);
  linchpin_history *again = linchpin_history_read("linchpin_test_history.txt", NULL, NULL, NULL);
  EXPECT(again != NULL && linchpin_history_size(again) == 5);
  linchpin_history_free(again);
  linchpin_error *too_large = NULL;
  again = linchpin_history_read_within("linchpin_test_history.txt", NULL, NULL, 1, &too_large);
  EXPECT(again == NULL && strcmp(linchpin_error_code(too_large), "too_large") == 0);
  linchpin_error_free(too_large);
  again = linchpin_history_read_within("linchpin_test_history.txt", NULL, NULL, (size_t)1 << 40, NULL);
  EXPECT(again != NULL && linchpin_history_size(again) == 5);
  remove("linchpin_test_history.txt");
  linchpin_free(text);
  linchpin_history_free(again);

  linchpin_error *error = NULL;
  EXPECT(linchpin_history_write(history, "tablet", NULL, &error) == NULL);
  EXPECT(strcmp(linchpin_error_code(error), "unknown_format") == 0);
  linchpin_error_free(error);
  linchpin_history_free(history);
}

static void reads_from_memory(void) {
  linchpin_history *history = two_values(1);
  size_t bytes = 0;
  char *text = linchpin_history_write(history, "jsonl", &bytes, NULL);
  linchpin_history *again = linchpin_history_parse(text, bytes, NULL, NULL, 0, NULL);
  EXPECT(again != NULL && linchpin_history_size(again) == 5);
  linchpin_verdict *verdict = linchpin_check(again, NULL, NULL);
  EXPECT(linchpin_verdict_kind(verdict) == LINCHPIN_VIOLATION);
  linchpin_verdict_free(verdict);
  linchpin_history_free(again);
  linchpin_free(text);

  text = linchpin_history_write(history, "binary", &bytes, NULL);
  again = linchpin_history_parse(text, bytes, "binary", "bag", 0, NULL);
  EXPECT(again != NULL && linchpin_history_size(again) == 5);
  linchpin_history_free(again);
  linchpin_free(text);
  linchpin_history_free(history);

  linchpin_error *error = NULL;
  const char broken[] = "# linchpin 1\n# type: queue\n0 5 1 dequeue -> 1\n";
  EXPECT(linchpin_history_parse(broken, sizeof(broken) - 1, NULL, NULL, 0, &error) == NULL);
  EXPECT(strcmp(linchpin_error_code(error), "response_before_call") == 0 && linchpin_error_line(error) == 3);
  EXPECT(strcmp(linchpin_error_source(error), "") == 0);
  linchpin_error_free(error);
  EXPECT(linchpin_history_parse(broken, 0, NULL, NULL, 0, &error) == NULL);
  EXPECT(strcmp(linchpin_error_code(error), "truncated") == 0);
  linchpin_error_free(error);
  EXPECT(linchpin_history_parse(broken, sizeof(broken) - 1, NULL, NULL, 1, &error) == NULL);
  EXPECT(strcmp(linchpin_error_code(error), "too_large") == 0);
  linchpin_error_free(error);
}

static void says_what_is_wrong(void) {
  linchpin_error *error = NULL;
  EXPECT(linchpin_history_read("no/such/file", NULL, NULL, &error) == NULL);
  EXPECT(strcmp(linchpin_error_code(error), "io") == 0);
  EXPECT(strcmp(linchpin_error_source(error), "no/such/file") == 0);
  EXPECT(strlen(linchpin_error_message(error)) > 0);
  EXPECT(linchpin_error_line(error) == 0 && linchpin_error_column(error) == 0);
  linchpin_error_free(error);

  linchpin_builder *builder = linchpin_builder_new("queue");
  linchpin_return(builder, 7, linchpin_nil(), 3);
  EXPECT(linchpin_builder_finish(builder, &error) == NULL);
  EXPECT(strcmp(linchpin_error_code(error), "return_without_call") == 0);
  EXPECT(strlen(linchpin_error_hint(error)) > 0);
  linchpin_error_free(error);

  builder = linchpin_builder_new("queue");
  const size_t operation = linchpin_call(builder, LINCHPIN_NO_PROCESS, NULL, "dequeue", NULL, 0, 10);
  linchpin_return(builder, operation, linchpin_nil(), 5);
  EXPECT(linchpin_builder_finish(builder, NULL) == NULL); /* the error is not asked for */

  builder = linchpin_builder_new("queue");
  const size_t once = linchpin_call(builder, 0, NULL, "dequeue", NULL, 0, 1);
  linchpin_return(builder, once, linchpin_nil(), 2);
  linchpin_return(builder, once, linchpin_integer(builder, 1), 3);
  EXPECT(linchpin_builder_finish(builder, &error) == NULL);
  EXPECT(strcmp(linchpin_error_code(error), "return_without_call") == 0);
  linchpin_error_free(error);

  builder = linchpin_builder_new("queue");
  const linchpin_value lost = linchpin_unknown();
  linchpin_call(builder, 0, NULL, "enqueue", &lost, 1, 1);
  EXPECT(linchpin_builder_finish(builder, &error) == NULL);
  EXPECT(strcmp(linchpin_error_code(error), "bad_arguments") == 0);
  linchpin_error_free(error);

  builder = linchpin_builder_new(NULL);
  EXPECT(linchpin_object_type(builder, "cell", "register") == 0);
  EXPECT(linchpin_object_type(builder, "cell", "set") == -1);
  EXPECT(linchpin_builder_finish(builder, &error) == NULL);
  EXPECT(strcmp(linchpin_error_code(error), "bad_option") == 0);
  EXPECT(strstr(linchpin_error_message(error), "'cell' is given two types") != NULL);
  linchpin_error_free(error);

  builder = linchpin_builder_new("no-such-type");
  linchpin_call(builder, 0, NULL, "poke", NULL, 0, 1);
  linchpin_history *history = linchpin_builder_finish(builder, NULL);
  EXPECT(history != NULL);
  EXPECT(linchpin_check(history, NULL, &error) == NULL);
  EXPECT(strcmp(linchpin_error_code(error), "unknown_type") == 0);
  linchpin_error_free(error);
  linchpin_history_free(history);
}

/* Several objects, values of every kind, an option from a caller who knows only the first field. */
static void takes_objects_values_and_old_options(void) {
  linchpin_builder *builder = linchpin_builder_new(NULL);
  EXPECT(linchpin_object_type(builder, "flags", "set") == 0);
  EXPECT(linchpin_object_type(builder, "cell", "register") == 0);
  EXPECT(linchpin_object_type(builder, "cell", "register") == 0);
  const linchpin_value pair[2] = {linchpin_boolean(1), linchpin_integer(builder, INT64_MIN)};
  const linchpin_value list = linchpin_list(builder, pair, 2);
  size_t operation = linchpin_call(builder, 0, "cell", "write", &list, 1, 1);
  linchpin_return(builder, operation, linchpin_none(), 2);
  operation = linchpin_call(builder, 0, "cell", "read", NULL, 0, 3);
  linchpin_return(builder, operation, linchpin_list(builder, pair, 2), 4);
  operation = linchpin_call(builder, 1, "flags", "contains", &list, 1, 1);
  linchpin_return(builder, operation, linchpin_boolean(1), 4);
  linchpin_history *history = linchpin_builder_finish(builder, NULL);
  EXPECT(history != NULL);
  linchpin_options options;
  memset(&options, 0xff, sizeof options);
  options.size = sizeof options.size;
  linchpin_verdict *verdict = linchpin_check(history, &options, NULL);
  EXPECT(linchpin_verdict_objects(verdict) == 2);
  EXPECT(linchpin_verdict_kind(verdict) == LINCHPIN_VIOLATION);
  for (size_t i = 0; i < 2; ++i) {
    const int cell = strcmp(linchpin_object_name(verdict, i), "cell") == 0;
    EXPECT(linchpin_object_kind(verdict, i) == (cell ? LINCHPIN_LINEARIZABLE : LINCHPIN_VIOLATION));
  }
  EXPECT(strcmp(linchpin_verdict_reason(verdict), "") == 0);
  linchpin_verdict_free(verdict);
  linchpin_history_free(history);
}

static void the_header_has_the_version_of_the_library(void) {
  char expected[32];
  snprintf(expected, sizeof expected, "%d.%d.%d", LINCHPIN_VERSION_MAJOR, LINCHPIN_VERSION_MINOR, LINCHPIN_VERSION_PATCH);
  EXPECT(strcmp(linchpin_version(), expected) == 0);
  EXPECT(linchpin_compatible(LINCHPIN_VERSION_MAJOR, LINCHPIN_VERSION_MINOR));
  EXPECT(linchpin_compatible(LINCHPIN_VERSION_MAJOR, 0));
  EXPECT(!linchpin_compatible(LINCHPIN_VERSION_MAJOR, LINCHPIN_VERSION_MINOR + 1));
  EXPECT(!linchpin_compatible(LINCHPIN_VERSION_MAJOR + 1, 0));
}

static void processes_are_numbers_or_have_names(void) {
  linchpin_builder *builder = linchpin_builder_new("register");
  const uint32_t named = linchpin_process(builder, "client a");
  EXPECT(named != LINCHPIN_NO_PROCESS);
  EXPECT(linchpin_process(builder, "client a") == named);
  linchpin_call(builder, named, NULL, "read", NULL, 0, 1);
  linchpin_call(builder, LINCHPIN_NO_PROCESS, NULL, "read", NULL, 0, 2);
  linchpin_history *history = linchpin_builder_finish(builder, NULL);
  char *text = linchpin_history_write(history, "text", NULL, NULL);
  EXPECT(text != NULL && strstr(text, "client a") != NULL);
  linchpin_free(text);
  linchpin_history_free(history);

  builder = linchpin_builder_new("register");
  linchpin_call(builder, 0x80000007U, NULL, "read", NULL, 0, 1); /* a name that there is not */
  linchpin_error *error = NULL;
  EXPECT(linchpin_builder_finish(builder, &error) == NULL);
  EXPECT(error != NULL && strcmp(linchpin_error_code(error), "bad_number") == 0);
  linchpin_error_free(error);
}

/* Whether the history is refused with these words; its builder is given back in any case. */
static int is_refused(linchpin_builder *builder, const char *code, const char *message) {
  linchpin_error *error = NULL;
  linchpin_history *history = linchpin_builder_finish(builder, &error);
  const int refused = history == NULL && error != NULL && strcmp(linchpin_error_code(error), code) == 0 &&
                      strcmp(linchpin_error_message(error), message) == 0 && strlen(linchpin_error_hint(error)) > 0;
  if (!refused) printf("%s, not %s\n", error == NULL ? "no error" : linchpin_error_message(error), message);
  linchpin_error_free(error);
  linchpin_history_free(history);
  return refused;
}

/* Enqueues 1 on one object, then on another, and finds nothing; NULL: the object is not named. */
static linchpin_builder *three_objects(const char *first, const char *second, const char *third) {
  linchpin_builder *builder = linchpin_builder_new("queue");
  const linchpin_value one = linchpin_integer(builder, 1);
  size_t operation = linchpin_call(builder, 0, first, "enqueue", &one, 1, 1);
  linchpin_return(builder, operation, linchpin_none(), 2);
  operation = linchpin_call(builder, 0, second, "enqueue", &one, 1, 3);
  linchpin_return(builder, operation, linchpin_none(), 4);
  operation = linchpin_call(builder, 1, third, "dequeue", NULL, 0, 5);
  linchpin_return(builder, operation, linchpin_nil(), 6);
  return builder;
}

static void an_object_is_named_where_there_are_several(void) {
  EXPECT(is_refused(three_objects("x", "y", NULL), "missing_field",
                    "operation 2: dequeue() -> nil does not say which object it is on"));
  EXPECT(is_refused(three_objects(NULL, "x", "y"), "missing_field",
                    "operation 0: enqueue(1) does not say which object it is on"));
  static const char *const fine[3][3] = {{NULL, NULL, NULL}, {"x", "x", NULL}, {"x", "y", "x"}};
  for (size_t i = 0; i < 3; ++i) {
    linchpin_history *history = linchpin_builder_finish(three_objects(fine[i][0], fine[i][1], fine[i][2]), NULL);
    EXPECT(history != NULL);
    linchpin_history_free(history);
  }
}

static void a_promised_result_is_a_return(void) {
  linchpin_builder *builder = linchpin_builder_new("register");
  const size_t read = linchpin_call(builder, 0, NULL, "read", NULL, 0, 1);
  linchpin_return(builder, read, linchpin_integer(builder, 1), LINCHPIN_PENDING);
  linchpin_return(builder, read, linchpin_integer(builder, 2), 5);
  EXPECT(is_refused(builder, "return_without_call", "operation 0: read() pending -> 1 returns a second time"));
}

static void no_call_is_at_the_tick_of_never(void) {
  linchpin_builder *builder = linchpin_builder_new("register");
  linchpin_call(builder, 0, NULL, "read", NULL, 0, LINCHPIN_PENDING);
  EXPECT(is_refused(builder, "bad_number",
                    "operation 0: read() pending is called at 2^63 - 1, the tick that stands for never"));
}

/* A call with a list in lists, so many in all. */
static linchpin_builder *nested(int deep) {
  linchpin_builder *builder = linchpin_builder_new("register");
  linchpin_value value = linchpin_integer(builder, 3);
  for (int i = 0; i < deep; ++i) {
    const linchpin_value elements[2] = {value, linchpin_integer(builder, 7)};
    value = linchpin_list(builder, elements, 2);
  }
  linchpin_call(builder, 0, NULL, "write", &value, 1, 1);
  return builder;
}

static void lists_nest_as_deep_as_they_can_be_read(void) {
  linchpin_history *history = linchpin_builder_finish(nested(64), NULL);
  EXPECT(history != NULL);
  static const char *const formats[] = {"text", "jsonl", "binary"};
  for (size_t i = 0; i < 3; ++i) {
    size_t bytes = 0;
    char *text = linchpin_history_write(history, formats[i], &bytes, NULL);
    linchpin_history *again = linchpin_history_parse(text, bytes, NULL, NULL, 0, NULL);
    EXPECT(again != NULL);
    linchpin_history_free(again);
    linchpin_free(text);
  }
  linchpin_history_free(history);
  EXPECT(is_refused(nested(65), "too_large", "lists are nested too deeply"));
  EXPECT(is_refused(nested(50000), "too_large", "lists are nested too deeply"));
}

/* Two graphs, each with a tour of all edges, and no way from one to the other: no search through the first has an end. */
static linchpin_history *hard(void) {
  enum { kNodes = 24 };
  const int steps[] = {1, 3, 5, 7};
  linchpin_builder *builder = linchpin_builder_new("cas-register initial=0");
  uint32_t process = 0;
  for (int graph = 0; graph < 2; ++graph) {
    for (size_t step = 0; step < sizeof steps / sizeof *steps; ++step) {
      for (int node = 0; node < kNodes; ++node) {
        const linchpin_value edge[2] = {
            linchpin_integer(builder, graph * kNodes + node),
            linchpin_integer(builder, graph * kNodes + (node + steps[step]) % kNodes)};
        const size_t operation = linchpin_call(builder, process++, NULL, "cas", edge, 2, 1);
        linchpin_return(builder, operation, linchpin_boolean(1), 10);
      }
    }
  }
  return linchpin_builder_finish(builder, NULL);
}

static void *request_soon(void *stop) {
  const struct timespec soon = {0, 100000000};
  nanosleep(&soon, NULL);
  linchpin_stop_request(stop);
  return NULL;
}

static void another_thread_ends_a_check(void) {
  linchpin_history *history = hard();
  linchpin_stop *stop = linchpin_stop_new();
  linchpin_options options = linchpin_options_default();
  options.stop = stop;
  pthread_t thread;
  EXPECT(pthread_create(&thread, NULL, request_soon, stop) == 0);
  for (int again = 0; again < 2; ++again) { /* the second time it was requested before */
    linchpin_verdict *verdict = linchpin_check(history, &options, NULL);
    EXPECT(verdict != NULL && linchpin_verdict_kind(verdict) == LINCHPIN_UNKNOWN);
    EXPECT(verdict != NULL && strcmp(linchpin_verdict_reason(verdict), "cancelled") == 0);
    linchpin_verdict_free(verdict);
  }
  pthread_join(thread, NULL);
  linchpin_stop_free(stop);
  linchpin_stop_free(NULL);
  linchpin_history_free(history);
}

int main(void) {
  another_thread_ends_a_check();
  an_object_is_named_where_there_are_several();
  a_promised_result_is_a_return();
  no_call_is_at_the_tick_of_never();
  lists_nest_as_deep_as_they_can_be_read();
  processes_are_numbers_or_have_names();
  the_header_has_the_version_of_the_library();
  decides_a_linearizable_history();
  operations_carry_fields();
  decides_a_violation();
  tells_the_context_of_a_core();
  writes_what_it_reads();
  reads_from_memory();
  says_what_is_wrong();
  takes_objects_values_and_old_options();
  linchpin_error_free(NULL);
  linchpin_history_free(NULL);
  linchpin_verdict_free(NULL);
  linchpin_builder_free(NULL);
  if (failures == 0) puts("the C interface holds");
  return failures != 0;
}
