/* Linchpin for C, and for every language that calls C: build or read a history, decide it, get the evidence.
 *
 *   linchpin_builder *builder = linchpin_builder_new("queue");
 *   linchpin_value one = linchpin_integer(builder, 1);
 *   size_t enqueue = linchpin_call(builder, 0, NULL, "enqueue", &one, 1, 10);
 *   linchpin_return(builder, enqueue, linchpin_none(), 20);
 *   linchpin_history *history = linchpin_builder_finish(builder, NULL);
 *   linchpin_verdict *verdict = linchpin_check(history, NULL, NULL);
 *   if (linchpin_verdict_kind(verdict) == LINCHPIN_VIOLATION) puts(linchpin_object_sentence(verdict, 0));
 *   linchpin_verdict_free(verdict);
 *   linchpin_history_free(history);
 *
 * Ownership. What a function named _new, _finish, _read or linchpin_check returns is the caller's, to be given to the
 * matching _free, which takes NULL too. Strings and arrays that the others return belong to the object they were asked
 * of and live as long as it does; strings are UTF-8 and end in a zero byte.
 * Errors. Functions that can fail return NULL, or LINCHPIN_NONE for a number, and, where `error` is not NULL, set
 * *error to an error of the caller's. Nothing throws, prints, exits or aborts on data. A null pointer where an object is
 * wanted is the caller's mistake.
 * Threads. Objects are independent of each other; one object is for one thread at a time, but a finished history may
 * be checked by several threads at once, and any thread may request a stop.
 * Stability. Within one major version nothing here changes or goes away; functions, enumerators and, at the end,
 * fields of linchpin_options may be added. */
#ifndef LINCHPIN_H
#define LINCHPIN_H

/* NOLINTBEGIN: C has its own ways. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of this header; MAJOR changes where something is taken away, MINOR where something is added. */
#define LINCHPIN_VERSION_MAJOR 0
#define LINCHPIN_VERSION_MINOR 1
#define LINCHPIN_VERSION_PATCH 0
/* "0.1.0": of the library that is linked. */
const char *linchpin_version(void);
/* Whether the library that is linked has all of a header of this version: of the same MAJOR, and no older. Who loads the
 * library of a machine that it was not built on, as packages for other languages do, asks this before anything else, with
 * LINCHPIN_VERSION_MAJOR and LINCHPIN_VERSION_MINOR as they were then. */
int linchpin_compatible(int major, int minor);

/* No index, no operation. */
#define LINCHPIN_NONE SIZE_MAX
/* The process of operations of which none is known, each for itself. */
#define LINCHPIN_NO_PROCESS UINT32_MAX

/* ---- errors ---------------------------------------------------------------------------------------------------- */

typedef struct linchpin_error linchpin_error;

const char *linchpin_error_code(const linchpin_error *error); /* "unknown_method"; as in machine output */
const char *linchpin_error_message(const linchpin_error *error);
const char *linchpin_error_hint(const linchpin_error *error);   /* what to do about it; may be empty */
const char *linchpin_error_source(const linchpin_error *error); /* the file; may be empty */
uint64_t linchpin_error_line(const linchpin_error *error);      /* from 1; 0: unknown */
uint64_t linchpin_error_column(const linchpin_error *error);    /* in bytes, from 1; 0: unknown */
void linchpin_error_free(linchpin_error *error);

/* ---- values ---------------------------------------------------------------------------------------------------- */

/* What operations take and return. Valid for the builder that made it. */
typedef struct linchpin_value {
  uint64_t bits;
} linchpin_value;

typedef struct linchpin_builder linchpin_builder;

linchpin_value linchpin_none(void);    /* a method without a result returns it */
linchpin_value linchpin_nil(void);     /* "nothing there": an empty container's answer, an absent key */
linchpin_value linchpin_unknown(void); /* a result that was lost */
linchpin_value linchpin_boolean(int truth);
/* These three give linchpin_unknown() if memory runs out, which linchpin_builder_finish then reports. Lists nest up to 64
 * deep; deeper ones are reported as well. */
linchpin_value linchpin_integer(linchpin_builder *builder, int64_t integer);
linchpin_value linchpin_string(linchpin_builder *builder, const char *text, size_t bytes);
linchpin_value linchpin_list(linchpin_builder *builder, const linchpin_value *elements, size_t count);

/* ---- building a history ---------------------------------------------------------------------------------------- */

/* `type`: the data type of objects with none of their own, for example "queue" or "priority-queue ties=fifo"; NULL:
 * given later, to linchpin_check. NULL only if memory runs out. */
linchpin_builder *linchpin_builder_new(const char *type);
void linchpin_builder_free(linchpin_builder *builder);

/* The type of one object. 0, or -1 where `type` does not read as one, or is another one than it was given before:
 * linchpin_builder_finish then says why. */
int linchpin_object_type(linchpin_builder *builder, const char *object, const char *type);

/* A process by its name, for the functions below; others are numbers below 2^31. LINCHPIN_NO_PROCESS if memory runs
 * out. */
uint32_t linchpin_process(linchpin_builder *builder, const char *name);

/* An operation is called at a tick, below LINCHPIN_PENDING, of any monotone clock: its number, counted from 0. `object`:
 * NULL where there is one; once a history has several, every call names its own. It stays pending (it may have taken
 * effect at any time after its call, or never) until linchpin_return. Arguments are known: linchpin_unknown is for results.
 * An operation returns once. linchpin_builder_finish says what is not so.
 * A result at the tick LINCHPIN_PENDING is a promised one: the operation never returned, and if it took effect, it would
 * have returned that. No other return may follow. */
#define LINCHPIN_PENDING INT64_MAX /* the tick of a response that there never was */
size_t linchpin_call(linchpin_builder *builder, uint32_t process, const char *object, const char *method,
                     const linchpin_value *arguments, size_t count, int64_t tick);
void linchpin_return(linchpin_builder *builder, size_t operation, linchpin_value result, int64_t tick);

/* What an operation carries beside its arguments and its result: a server, a trace's id, an error's text. It is shown, and
 * searched for, in explanations and reports; no decider looks at it. A later call with the same name replaces the value;
 * linchpin_nil or linchpin_none: it carries none. At most 64 names in a history. */
void linchpin_field(linchpin_builder *builder, size_t operation, const char *name, linchpin_value value);

/* Something beside the operations, which reports draw: a fault, a server's event, a call that did not happen. `end`: before
 * `begin`: a moment. `process`: whose it was, or NULL; `colour`: one of CSS, or NULL. */
void linchpin_annotate(linchpin_builder *builder, int64_t begin, int64_t end, const char *text, const char *process,
                       const char *colour);

/* Integers, one an operation. `data`: the first; NULL: there are none. `stride`: how many bytes further the next one is: 8
 * where they stand side by side, the size of a row in a table of rows. They need not be aligned. */
typedef struct linchpin_column {
  const int64_t *data;
  ptrdiff_t stride;
} linchpin_column;

/* What is returned. */
typedef enum linchpin_result {
  LINCHPIN_RESULT_NONE = 0,    /* nothing: linchpin_none */
  LINCHPIN_RESULT_INTEGER = 1, /* the number in the column of results */
  LINCHPIN_RESULT_BOOLEAN = 2, /* whether that number is not 0 */
  LINCHPIN_RESULT_NIL = 3,     /* linchpin_nil */
  LINCHPIN_RESULT_UNKNOWN = 4  /* linchpin_unknown */
} linchpin_result;

/* A method of such operations: its name, how many of the columns of arguments it takes, and what it returns. */
typedef struct linchpin_method {
  const char *name;
  size_t arguments;
  linchpin_result result;
} linchpin_method;

/* Operations by columns. Their values are integers; results may also be the others of linchpin_result. */
typedef struct linchpin_columns {
  size_t size;             /* sizeof(linchpin_columns), for versions to come */
  linchpin_column call;    /* ticks */
  linchpin_column response;
  linchpin_column method;  /* an index into `methods` */
  linchpin_column process; /* below 2^31, or negative: not known; without the column: of none */
  linchpin_column object;  /* an index into `objects`; without the column there is one object */
  linchpin_column result;  /* needed where a method has LINCHPIN_RESULT_INTEGER or _BOOLEAN */
  linchpin_column kind;    /* of the result: a linchpin_result; without the column: that of the method */
  const linchpin_column *arguments;
  size_t argument_count; /* of columns */
  const linchpin_method *methods;
  size_t method_count;
  const char *const *objects;
  size_t object_count;
} linchpin_columns;

/* Appends `count` operations, without a call for each; the arrays are read and not kept. The number of the first, or
 * LINCHPIN_NONE where an index or a process is out of its range, or a column is missing: nothing is appended, and
 * linchpin_builder_finish says what is wrong. */
size_t linchpin_append(linchpin_builder *builder, const linchpin_columns *columns, size_t count);

/* Checks and yields the history. The builder is freed in any case. */
typedef struct linchpin_history linchpin_history;
linchpin_history *linchpin_builder_finish(linchpin_builder *builder, linchpin_error **error);

/* ---- reading and writing --------------------------------------------------------------------------------------- */

/* The history in a file ("-": standard input) of any readable format. `format`: NULL: by content. `type`: NULL: what
 * the input says. An input with several histories is an error; `linchpin convert --index` takes one out. */
linchpin_history *linchpin_history_read(const char *path, const char *format, const char *type,
                                        linchpin_error **error);
/* The same, with an error when reading would take the process above so many resident bytes; 0: no limit. */
linchpin_history *linchpin_history_read_within(const char *path, const char *format, const char *type,
                                               size_t memory_limit, linchpin_error **error);
/* The same from memory: the bytes are what is in such a file. */
linchpin_history *linchpin_history_parse(const char *bytes, size_t size, const char *format, const char *type,
                                         size_t memory_limit, linchpin_error **error);
/* The history as text or bytes in a writable format, to be given to linchpin_free; *bytes is set to its length. */
char *linchpin_history_write(const linchpin_history *history, const char *format, size_t *bytes,
                             linchpin_error **error);
size_t linchpin_history_size(const linchpin_history *history); /* operations */
/* What an operation carries beside its arguments and results, as "server n1, error timeout"; to be given to linchpin_free.
 * Empty: nothing. NULL only if memory runs out. */
char *linchpin_operation_fields(const linchpin_history *history, size_t operation);
void linchpin_history_free(linchpin_history *history);
void linchpin_free(char *text);

/* ---- deciding -------------------------------------------------------------------------------------------------- */

/* What ends checks early, from another thread. */
typedef struct linchpin_stop linchpin_stop;

linchpin_stop *linchpin_stop_new(void); /* NULL only if memory runs out */
/* Checks with this in their options end soon, with LINCHPIN_UNKNOWN and the reason "cancelled"; those that begin later, too.
 * From any thread, also several times; not from a signal handler. */
void linchpin_stop_request(linchpin_stop *stop);
void linchpin_stop_free(linchpin_stop *stop);

typedef struct linchpin_options {
  size_t size;          /* sizeof(linchpin_options), for versions to come; linchpin_options_default sets it */
  const char *type;     /* instead of what the history says; NULL: that */
  const char *decider;  /* the only method to use; NULL: chosen */
  double time_limit;    /* seconds of wall clock; 0: none */
  size_t memory_limit;  /* bytes resident in the process; 0: none */
  unsigned threads;     /* 0: one a core */
  int response_first;   /* equal ticks: responses come before calls, instead of being concurrent */
  int all;              /* decide every object even after a violation */
  int no_witness;       /* a bare verdict */
  int verify;           /* check cores as long as that takes, not only for a small part of the time spent */
  int no_verify;        /* do not check the evidence: by default independent code does, for a part of the time */
  const linchpin_stop *stop; /* ends the check once it is requested; NULL: nothing does. It must outlive the check */
} linchpin_options;

/* Of this header and not of the library: one with more fields would write past the end of a program's options. */
static inline linchpin_options linchpin_options_default(void) {
  linchpin_options options;
  options.size = sizeof options;
  options.type = NULL;
  options.decider = NULL;
  options.time_limit = 0;
  options.memory_limit = 0;
  options.threads = 0;
  options.response_first = 0;
  options.all = 0;
  options.no_witness = 0;
  options.verify = 0;
  options.no_verify = 0;
  options.stop = NULL;
  return options;
}

typedef enum linchpin_kind { LINCHPIN_LINEARIZABLE = 0, LINCHPIN_VIOLATION = 1, LINCHPIN_UNKNOWN = 2 } linchpin_kind;

typedef struct linchpin_verdict linchpin_verdict;

/* `options`: NULL: the default ones. */
linchpin_verdict *linchpin_check(const linchpin_history *history, const linchpin_options *options,
                                 linchpin_error **error);
void linchpin_verdict_free(linchpin_verdict *verdict);

linchpin_kind linchpin_verdict_kind(const linchpin_verdict *verdict);
const char *linchpin_verdict_reason(const linchpin_verdict *verdict); /* of unknown: "time", "cancelled"; else empty */
size_t linchpin_verdict_objects(const linchpin_verdict *verdict);     /* how many objects there are */

/* Of the object with an index below linchpin_verdict_objects: */
const char *linchpin_object_name(const linchpin_verdict *verdict, size_t object);
linchpin_kind linchpin_object_kind(const linchpin_verdict *verdict, size_t object);
const char *linchpin_object_decider(const linchpin_verdict *verdict, size_t object);
const char *linchpin_object_why(const linchpin_verdict *verdict, size_t object); /* why that decider was taken */
/* Of a violation, in the type's own words; else empty. */
const char *linchpin_object_sentence(const linchpin_verdict *verdict, size_t object);
/* Of a violation: operations, ascending, that are not linearizable on their own; NULL and 0 where none were found. Of
 * counters, registers, locks and semaphores perhaps from a later state on than the initial one. */
const uint32_t *linchpin_object_core(const linchpin_verdict *verdict, size_t object, size_t *count);
/* Of a violation: the operation that has no place left; LINCHPIN_NONE where there is none to name. */
size_t linchpin_object_blocked(const linchpin_verdict *verdict, size_t object);
/* Operations beside the core, ascending: what shows that an operation of the core is impossible, though it is so alone. */
const uint32_t *linchpin_object_context(const linchpin_verdict *verdict, size_t object, size_t *count);
/* Of a linearizable object: its operations in an order in which they may have taken effect. Pending operations that are
 * not among them did not. */
const uint32_t *linchpin_object_witness(const linchpin_verdict *verdict, size_t object, size_t *count);
/* The longest way that was found where there is no witness: of a violation or an unknown object; may be empty. */
const uint32_t *linchpin_object_longest(const linchpin_verdict *verdict, size_t object, size_t *count);
/* 1: the evidence was checked by independent code and holds; -1: not checked: not wanted, nothing to check, or the
 * check would have taken too long. (0, that it does not hold, is not met any more: such an answer is none.) */
int linchpin_object_verified(const linchpin_verdict *verdict, size_t object);
/* Answers that were taken back because their evidence did not hold, for people; else empty. A defect of the library,
 * of which its authors should hear. Where nothing else decided, the kind is LINCHPIN_UNKNOWN, the reason "internal". */
const char *linchpin_object_refused(const linchpin_verdict *verdict, size_t object);

/* ---- telling it ------------------------------------------------------------------------------------------------- */

/* The verdict on this history for people, in a few lines with a picture of the core; to be given to linchpin_free. */
char *linchpin_verdict_text(const linchpin_verdict *verdict, const linchpin_history *history, linchpin_error **error);
/* The verdict on this history as one JSON object, with its evidence and explanation: what `linchpin check --json`
 * prints (docs/json.md); to be given to linchpin_free. Errors: "unsupported", of a library without JSON. */
char *linchpin_verdict_json(const linchpin_verdict *verdict, const linchpin_history *history, linchpin_error **error);
/* Writes one HTML file with the history, the verdict and the evidence. 0, or -1 with the error. */
int linchpin_verdict_report(const linchpin_verdict *verdict, const linchpin_history *history, const char *path,
                            const char *label, linchpin_error **error);
/* The same with at most so many operations, and as many annotations: those of the core, whatever their number, and what is
 * nearest to them in time. Of the rest there are counts. */
int linchpin_verdict_report_within(const linchpin_verdict *verdict, const linchpin_history *history, const char *path,
                                   const char *label, size_t operations, linchpin_error **error);

/* ---- models of your own ----------------------------------------------------------------------------------------- */

/* A model says what an object does when its operations run one after the other. Its states and operations are the
 * caller's: the library hands pointers around and never looks behind them.
 *
 *   linchpin_builder *builder = linchpin_builder_new(NULL);
 *   size_t put = linchpin_call_opaque(builder, 0, &put_x_1, "put x 1", 10);
 *   linchpin_return_opaque(builder, put, &ok, "ok", 20);
 *   linchpin_history *history = linchpin_builder_finish(builder, NULL);
 *   linchpin_verdict *verdict = linchpin_check_model(history, &model, NULL, NULL);
 */

/* An operation is called, and returns, with what only the model reads. Both pointers must live as long as the history;
 * calls (and results) that are equal may be the same pointer, which makes deciding faster. `text`: for people; NULL: a
 * number. Two pointers with one text are told apart by a number behind it. */
size_t linchpin_call_opaque(linchpin_builder *builder, uint32_t process, const void *call, const char *text,
                            int64_t tick);
void linchpin_return_opaque(linchpin_builder *builder, size_t operation, const void *result, const char *text,
                            int64_t tick);

/* A copy of the bytes that lives as long as the history, for the two above: for callers whose operations are no objects of
 * theirs. Equal bytes are one pointer. Aligned as by malloc; NULL only if memory runs out. */
const void *linchpin_keep(linchpin_builder *builder, const void *bytes, size_t size);

/* What a model is asked about. */
typedef struct linchpin_step {
  const void *call;   /* as linchpin_call_opaque was given it */
  const void *result; /* as linchpin_return_opaque was given it; NULL where it never returned */
  int returned;       /* 0: it never did, and any result is possible */
} linchpin_step;

/* Where callbacks leave what they make. */
typedef struct linchpin_successors linchpin_successors;
/* A state that is possible, from now on the library's: linchpin_model.release gets it back once. Not one that the
 * library still holds, as the state that a step was asked about, which would be released twice: an error, unless
 * linchpin_model.shared is set. */
void linchpin_successor(linchpin_successors *out, void *state);
/* Says why the callback is about to return nonzero. */
void linchpin_fail(linchpin_successors *out, const char *message);
/* Whether the time limit has passed, or an end was requested. A long step asks now and then, and returns LINCHPIN_GAVE_UP. */
int linchpin_expired(const linchpin_successors *out);
#define LINCHPIN_GAVE_UP 2

/* Where descriptions go. */
typedef struct linchpin_text linchpin_text;
void linchpin_write(linchpin_text *out, const char *text, size_t bytes);

/* Callbacks that may be NULL are optional. States are never changed: a step makes new ones. Callbacks must not throw
 * (what C++ throws ends the check with an error) and must give the same answer each time they are asked the same; the
 * library tries that now and then. They are called by one thread at a time unless `threads` is set. They may call this
 * library, but not with the same `out`. */
typedef struct linchpin_model {
  size_t size;      /* sizeof(linchpin_model) */
  const char *name; /* of the type, in messages, in one word; NULL: "model" */
  void *user;       /* handed to every callback */
  /* The states in which an object may begin: one or more. 0: done. */
  int (*initial)(void *user, linchpin_successors *out);
  /* The states after the operation: none where it is not possible, several where it is not determined. 0: done;
   * LINCHPIN_GAVE_UP; else an error, which ends the check. */
  int (*step)(void *user, const void *state, const linchpin_step *operation, linchpin_successors *out);
  int (*equal)(void *user, const void *left, const void *right);
  uint64_t (*hash)(void *user, const void *state); /* equal states have equal hashes; without, comparing takes longer */
  void (*release)(void *user, void *state);
  size_t (*bytes)(void *user, const void *state); /* what a state takes, for the memory limit */
  void (*describe)(void *user, const void *state, linchpin_text *out);
  /* The part of the object that the operation touches; NULL: there is one. Parts do not know of each other: each begins
   * as `initial` says, and states are those of one part. */
  uint64_t (*key)(void *user, const linchpin_step *operation);
  /* Nonzero: the operation changes no state in which it is possible. A promise that makes deciding much faster. */
  int (*pure)(void *user, const linchpin_step *operation);
  int threads; /* nonzero: callbacks may be called by several threads at once */
  /* Nonzero: a pointer may be given several times, and is then released as often: the model counts. */
  int shared;
} linchpin_model;

/* Decides the history by the model. Errors: those of linchpin_check; "model": a callback failed, or gave two answers to
 * one question. `options->type` is not looked at. What the model points to must live as long as the verdict. */
linchpin_verdict *linchpin_check_model(const linchpin_history *history, const linchpin_model *model,
                                       const linchpin_options *options, linchpin_error **error);

#ifdef __cplusplus
}
#endif
/* NOLINTEND */

#endif
