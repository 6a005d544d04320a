/* Operations by columns, as arrays of numbers hand them over. */
#include <linchpin.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define EXPECT(condition)                                                        \
  do {                                                                           \
    if (!(condition)) {                                                          \
      printf("%s:%d: expected: %s\n", __FILE__, __LINE__, #condition);           \
      ++failures;                                                                \
    }                                                                            \
  } while (0)

static linchpin_column side_by_side(const int64_t *data) {
  linchpin_column column = {data, sizeof(int64_t)};
  return column;
}

static const linchpin_method queue_methods[] = {{"enqueue", 1, LINCHPIN_RESULT_NONE},
                                                {"dequeue", 0, LINCHPIN_RESULT_INTEGER}};

/* Two values enqueued one after the other, the second dequeued first, and a dequeue that never returns. */
static const int64_t calls[] = {10, 30, 50, 70}, responses[] = {20, 40, 60, LINCHPIN_PENDING};
static const int64_t methods[] = {0, 0, 1, 1}, processes[] = {0, 1, 0, 2}, values[] = {1, 2, 0, 0}, results[] = {0, 0, 2, 0};

static linchpin_columns queue_columns(const linchpin_column *arguments) {
  linchpin_columns columns;
  memset(&columns, 0, sizeof(columns));
  columns.size = sizeof(columns);
  columns.call = side_by_side(calls);
  columns.response = side_by_side(responses);
  columns.method = side_by_side(methods);
  columns.process = side_by_side(processes);
  columns.result = side_by_side(results);
  columns.arguments = arguments;
  columns.argument_count = 1;
  columns.methods = queue_methods;
  columns.method_count = 2;
  return columns;
}

/* The history in the text format, to be given to linchpin_free. */
static char *text_of(linchpin_builder *builder) {
  linchpin_error *error = NULL;
  linchpin_history *history = linchpin_builder_finish(builder, &error);
  if (history == NULL) {
    printf("%s\n", linchpin_error_message(error));
    linchpin_error_free(error);
    ++failures;
    return NULL;
  }
  char *text = linchpin_history_write(history, "text", NULL, NULL);
  linchpin_history_free(history);
  return text;
}

static void is_what_single_calls_make(void) {
  const linchpin_column argument = side_by_side(values);
  const linchpin_columns columns = queue_columns(&argument);
  linchpin_builder *builder = linchpin_builder_new("queue");
  EXPECT(linchpin_append(builder, &columns, 4) == 0);
  char *appended = text_of(builder);

  builder = linchpin_builder_new("queue");
  for (size_t i = 0; i < 4; ++i) {
    const linchpin_value value = linchpin_integer(builder, values[i]);
    const int enqueues = methods[i] == 0;
    const size_t operation = linchpin_call(builder, (uint32_t)processes[i], NULL, enqueues ? "enqueue" : "dequeue",
                                           &value, enqueues ? 1 : 0, calls[i]);
    if (responses[i] == LINCHPIN_PENDING) continue;
    linchpin_return(builder, operation, enqueues ? linchpin_none() : linchpin_integer(builder, results[i]), responses[i]);
  }
  char *called = text_of(builder);
  EXPECT(appended != NULL && called != NULL && strcmp(appended, called) == 0);
  linchpin_free(appended);
  linchpin_free(called);
}

static void decides_what_was_appended(void) {
  const linchpin_column argument = side_by_side(values);
  const linchpin_columns columns = queue_columns(&argument);
  linchpin_builder *builder = linchpin_builder_new("queue");
  EXPECT(linchpin_append(builder, &columns, 4) == 0);
  linchpin_history *history = linchpin_builder_finish(builder, NULL);
  linchpin_verdict *verdict = linchpin_check(history, NULL, NULL);
  EXPECT(linchpin_verdict_kind(verdict) == LINCHPIN_VIOLATION);
  size_t count = 0;
  const uint32_t *core = linchpin_object_core(verdict, 0, &count);
  EXPECT(count == 3 && core[0] == 0 && core[2] == 2);
  linchpin_verdict_free(verdict);
  linchpin_history_free(history);
}

/* A table of rows that begin at odd addresses, read from its end; then single calls go on. */
static void takes_strides_and_goes_on(void) {
  enum { kRow = 41, kRows = 3 };
  char *table = malloc(kRow * kRows + 1);
  if (table == NULL) abort();
  for (int row = 0; row < kRows; ++row) {
    const int64_t tick = 10 * (kRows - row), cells[] = {tick, tick + 5, 0, 7, row};
    memcpy(table + 1 + kRow * row, cells, sizeof(cells));
  }
  char *const last = table + 1 + kRow * (kRows - 1);
  linchpin_columns columns;
  memset(&columns, 0, sizeof(columns));
  columns.size = sizeof(columns);
  linchpin_column *const into[] = {&columns.call, &columns.response, &columns.method, &columns.process};
  for (size_t i = 0; i < 4; ++i) {
    into[i]->data = (const int64_t *)(const void *)(last + 8 * i);
    into[i]->stride = -kRow;
  }
  const linchpin_column argument = {(const int64_t *)(const void *)(last + 32), -kRow};
  const linchpin_method write = {"write", 1, LINCHPIN_RESULT_NONE};
  columns.arguments = &argument;
  columns.argument_count = 1;
  columns.methods = &write;
  columns.method_count = 1;
  linchpin_builder *builder = linchpin_builder_new("register");
  EXPECT(linchpin_append(builder, &columns, kRows) == 0);
  free(table); /* nothing is kept */
  const size_t read = linchpin_call(builder, 8, NULL, "read", NULL, 0, 100);
  EXPECT(read == kRows);
  linchpin_return(builder, read, linchpin_integer(builder, 0), 110);
  EXPECT(linchpin_append(builder, &columns, 0) == kRows + 1);
  char *text = text_of(builder);
  EXPECT(text != NULL && strstr(text, "\n7 10 15 write 2\n7 20 25 write 1\n7 30 35 write 0\n8 100 110 read -> 0\n") != NULL);
  linchpin_free(text);
}

/* All kinds of results, two arguments, several objects, a column whose stride is 0, no processes. */
static void says_all_that_columns_can(void) {
  const int64_t tick[] = {1, 2, 3, 4, 5}, back[] = {11, 12, 13, 14, LINCHPIN_PENDING}, method[] = {0, 1, 1, 2, 2};
  const int64_t object[] = {0, 1, 1, 0, 1}, kind[] = {LINCHPIN_RESULT_NONE, LINCHPIN_RESULT_NIL, LINCHPIN_RESULT_UNKNOWN,
                                                       LINCHPIN_RESULT_BOOLEAN, 99};
  const int64_t key[] = {1, 2, 3, INT64_MIN, INT64_MAX}, seven = 7, result[] = {0, 0, 0, 1, 0};
  const linchpin_column arguments[] = {{key, 8}, {&seven, 0}, {&seven, 0}};
  const linchpin_method table[] = {{"put", 2, LINCHPIN_RESULT_NONE}, {"get", 1, LINCHPIN_RESULT_INTEGER},
                                   {"cas", 3, LINCHPIN_RESULT_BOOLEAN}};
  const char *const names[] = {"left", "right"};
  linchpin_columns columns;
  memset(&columns, 0, sizeof(columns));
  columns.size = sizeof(columns);
  columns.call = side_by_side(tick);
  columns.response = side_by_side(back);
  columns.method = side_by_side(method);
  columns.object = side_by_side(object);
  columns.kind = side_by_side(kind);
  columns.result = side_by_side(result);
  columns.arguments = arguments;
  columns.argument_count = 3;
  columns.methods = table;
  columns.method_count = 3;
  columns.objects = names;
  columns.object_count = 2;
  linchpin_builder *builder = linchpin_builder_new("map");
  EXPECT(linchpin_append(builder, &columns, 5) == 0);
  char *text = text_of(builder);
  EXPECT(text != NULL && strstr(text, "- 1 11 object=left put 1 7\n- 2 12 object=right get 2 -> nil\n- 3 13 object=right get 3 -> ?\n"
                                      "- 4 14 object=left cas -9223372036854775808 7 7 -> true\n"
                                      "- 5 - object=right cas 9223372036854775807 7 7") != NULL);
  if (text != NULL && failures > 0) printf("%s", text);
  linchpin_free(text);
}

static void expect_refused(linchpin_columns columns, const char *code, const char *words) {
  linchpin_builder *builder = linchpin_builder_new("queue");
  EXPECT(linchpin_append(builder, &columns, 4) == LINCHPIN_NONE);
  linchpin_error *error = NULL;
  EXPECT(linchpin_builder_finish(builder, &error) == NULL);
  if (error == NULL) return;
  if (strcmp(linchpin_error_code(error), code) != 0 || strstr(linchpin_error_message(error), words) == NULL) {
    printf("not %s, %s: %s, %s\n", code, words, linchpin_error_code(error), linchpin_error_message(error));
    ++failures;
  }
  linchpin_error_free(error);
}

static void says_what_is_wrong(void) {
  const linchpin_column argument = side_by_side(values), none = {NULL, 0};
  const int64_t bad_methods[] = {0, 0, 2, 1}, negative[] = {0, -1, 1, 1}, big[] = {0, INT64_C(1) << 31, 0, 2};
  const int64_t kinds[] = {0, 0, 5, 0}, objects[] = {0, 1, 0, 0};
  const char *const name = "only";

  linchpin_columns columns = queue_columns(&argument);
  columns.method = side_by_side(bad_methods);
  expect_refused(columns, "bad_arguments", "operation 2 has the method 2, and there are 2");
  columns.method = side_by_side(negative);
  expect_refused(columns, "bad_arguments", "operation 1 has the method -1");
  columns.method = none;
  expect_refused(columns, "bad_arguments", "without a column");

  columns = queue_columns(&argument);
  columns.process = side_by_side(big);
  expect_refused(columns, "bad_number", "operation 1 is of the process 2147483648");
  columns = queue_columns(&argument);
  columns.kind = side_by_side(kinds);
  expect_refused(columns, "bad_arguments", "operation 2 has the kind of result 5");
  columns = queue_columns(&argument);
  columns.result = none;
  expect_refused(columns, "bad_arguments", "operation 2 returns a number");
  columns = queue_columns(&argument);
  columns.object = side_by_side(objects);
  columns.objects = &name;
  columns.object_count = 1;
  expect_refused(columns, "bad_arguments", "operation 1 is on the object 1, and there are 1");
  columns = queue_columns(&none);
  expect_refused(columns, "bad_arguments", "the column 0 of arguments has no data");
  columns = queue_columns(NULL);
  columns.argument_count = 0;
  expect_refused(columns, "bad_arguments", "enqueue takes 1 arguments");

  /* What the builder finds wrong with every history. */
  columns = queue_columns(&argument);
  columns.response = side_by_side(calls);
  columns.call = side_by_side(responses);
  linchpin_builder *builder = linchpin_builder_new("queue");
  EXPECT(linchpin_append(builder, &columns, 3) == 0);
  linchpin_error *error = NULL;
  EXPECT(linchpin_builder_finish(builder, &error) == NULL);
  EXPECT(error != NULL && strcmp(linchpin_error_code(error), "response_before_call") == 0);
  linchpin_error_free(error);
}

/* Columns without one of objects, in a history whose calls name several. */
static void names_objects_where_there_are_several(void) {
  const linchpin_column argument = side_by_side(values);
  const linchpin_columns columns = queue_columns(&argument);
  linchpin_builder *builder = linchpin_builder_new("queue");
  linchpin_call(builder, 7, "x", "dequeue", NULL, 0, 100);
  linchpin_call(builder, 8, "y", "dequeue", NULL, 0, 100);
  EXPECT(linchpin_append(builder, &columns, 4) == 2);
  linchpin_error *error = NULL;
  EXPECT(linchpin_builder_finish(builder, &error) == NULL);
  EXPECT(error != NULL && strcmp(linchpin_error_code(error), "missing_field") == 0 &&
         strstr(linchpin_error_message(error), "operation 2: ") == linchpin_error_message(error));
  linchpin_error_free(error);

  builder = linchpin_builder_new("queue");
  linchpin_call(builder, 7, "x", "dequeue", NULL, 0, 100);
  linchpin_call(builder, 8, "y", "dequeue", NULL, 0, 100);
  EXPECT(linchpin_append(builder, &columns, 0) == 2); /* nothing that would have to name one */
  linchpin_history *history = linchpin_builder_finish(builder, NULL);
  EXPECT(history != NULL);
  linchpin_history_free(history);
}

/* A caller whose header ends before `objects`: what stands behind is not looked at. */
static void takes_the_columns_of_an_older_header(void) {
  const linchpin_column argument = side_by_side(values);
  linchpin_columns columns = queue_columns(&argument);
  const char *const name = "only";
  const int64_t objects[] = {0, 0, 0, 0};
  columns.objects = &name;
  columns.object_count = 1;
  columns.size = offsetof(linchpin_columns, objects);
  linchpin_builder *builder = linchpin_builder_new("queue");
  EXPECT(linchpin_append(builder, &columns, 4) == 0);
  linchpin_builder_free(builder);
  columns.object = side_by_side(objects);
  expect_refused(columns, "bad_arguments", "operation 0 is on the object 0, and there are 0");
}

int main(void) {
  is_what_single_calls_make();
  decides_what_was_appended();
  takes_strides_and_goes_on();
  says_all_that_columns_can();
  says_what_is_wrong();
  names_objects_where_there_are_several();
  takes_the_columns_of_an_older_header();
  if (failures == 0) printf("all as expected\n");
  return failures == 0 ? 0 : 1;
}
