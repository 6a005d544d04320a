/* check FILE...: what `linchpin check` says of each, from C. Exit code: 0, or 1 if there is a violation, or 2 if an
 * input is bad. */
#include <linchpin.h>

#include <stdio.h>

static int check(const char *path) {
  linchpin_error *error = NULL;
  linchpin_history *history = linchpin_history_read(path, NULL, NULL, &error);
  linchpin_verdict *verdict = history == NULL ? NULL : linchpin_check(history, NULL, &error);
  int exit_code = 2;
  if (verdict == NULL) {
    printf("%s: %s\n", path, linchpin_error_message(error));
    linchpin_error_free(error);
  } else {
    const linchpin_kind kind = linchpin_verdict_kind(verdict);
    const char *const names[] = {"linearizable", "violation", "unknown"};
    printf("%s: %s (%lu operations)\n", path, names[kind], (unsigned long)linchpin_history_size(history));
    for (size_t object = 0; object < linchpin_verdict_objects(verdict); ++object) {
      if (linchpin_object_kind(verdict, object) != LINCHPIN_VIOLATION) continue;
      printf("  %s\n", linchpin_object_sentence(verdict, object));
    }
    exit_code = kind == LINCHPIN_VIOLATION;
  }
  linchpin_verdict_free(verdict);
  linchpin_history_free(history);
  return exit_code;
}

int main(int count, char **arguments) {
  int exit_code = 0;
  for (int i = 1; i < count; ++i) {
    const int one = check(arguments[i]);
    if (one > exit_code) exit_code = one;
  }
  return exit_code;
}
