#include "research/automata/c_monitor.hpp"

#include <fmt/format.h>

namespace linchpin::automata {

namespace {

constexpr std::string_view kHead = R"(/*
 * Made by linchpin. C99, no libraries.
 *
 *   linchpin_begin();                        before the first operation
 *   linchpin_call_add(colour, priority);     linchpin_return_add(colour);
 *   linchpin_call_remove(colour);            linchpin_return_remove(colour);    of a value
 *   linchpin_call_empty(colour);             linchpin_return_empty(colour);     of a remove that finds nothing
 *
 * A colour is 0 for what takes no part, or the number of one of an automaton's colours, as listed below, the same for
 * all operations on a value. Priorities are 1 to LINCHPIN_PRIORITIES; 0 where the type has none. No two values of one
 * colour are added, except where the colour stands for any number of values.
 *
 * An assertion fails when all operations have returned and an automaton accepts. A verifier finds out whether it can:
 * let the colour of each value that is added be any (nondet_int() or what it is called), let also be any what a remove
 * is going to return, call linchpin_call_remove with its colour, and assume after the return that it was right. The
 * calls have to be atomic: define LINCHPIN_ATOMIC_BEGIN and LINCHPIN_ATOMIC_END where threads run at the same time.
 *
 * cc -DLINCHPIN_MAIN makes a program of it. It reads an action a line, such as "call add 1 2", "return remove 1" or
 * "call empty 0"; where a line is empty or the input ends it prints 1 if an automaton accepts, else 0, and begins anew.
 */
#ifdef LINCHPIN_MAIN
#define LINCHPIN_ASSERT(condition) ((void)0) /* it prints */
#endif
#ifndef LINCHPIN_ASSERT
#include <assert.h>
#define LINCHPIN_ASSERT(condition) assert(condition)
#endif
#ifndef LINCHPIN_ATOMIC_BEGIN
#define LINCHPIN_ATOMIC_BEGIN
#define LINCHPIN_ATOMIC_END
#endif
)";

constexpr std::string_view kVocabulary = R"(
enum { linchpin_add, linchpin_remove, linchpin_empty };
enum { linchpin_no_guard, linchpin_equal, linchpin_better };
enum { linchpin_dead = 0xffff };

/* One step of one automaton; states are numbered through all of them. */
struct linchpin_transition {
  unsigned short from, to;
  unsigned char method, response, colour, guard;
};

)";

constexpr std::string_view kBody = R"(
/* A run for each register; where the type has priorities, register 0 is not used. */
#define LINCHPIN_FIRST_REGISTER (LINCHPIN_PRIORITIES > 0)
static unsigned short linchpin_state[LINCHPIN_AUTOMATA][LINCHPIN_PRIORITIES + 1];
static int linchpin_open;

void linchpin_begin(void) {
  int automaton, reg;
  for (automaton = 0; automaton < LINCHPIN_AUTOMATA; ++automaton) {
    for (reg = LINCHPIN_FIRST_REGISTER; reg <= LINCHPIN_PRIORITIES; ++reg) {
      linchpin_state[automaton][reg] = linchpin_first[automaton];
    }
  }
  linchpin_open = 0;
}

int linchpin_accepts(void) {
  int automaton, reg;
  for (automaton = 0; automaton < LINCHPIN_AUTOMATA; ++automaton) {
    for (reg = LINCHPIN_FIRST_REGISTER; reg <= LINCHPIN_PRIORITIES; ++reg) {
      const unsigned state = linchpin_state[automaton][reg];
      if (state != linchpin_dead && linchpin_acceptance[state] != 0) return 1;
    }
  }
  return 0;
}

static int linchpin_holds(int guard, int priority, int reg) {
  if (guard == linchpin_equal) return priority == reg;
  if (guard == linchpin_better) return LINCHPIN_PRECEDES(priority, reg);
  return 1;
}

static unsigned linchpin_next(unsigned state, int method, int response, int colour, int priority, int reg) {
  unsigned i;
  for (i = 0; i < sizeof linchpin_transitions / sizeof *linchpin_transitions; ++i) {
    const struct linchpin_transition *t = &linchpin_transitions[i];
    if (t->from == state && t->method == method && t->response == response && t->colour == colour &&
        linchpin_holds(t->guard, priority, reg)) {
      return t->to;
    }
  }
  return linchpin_dead;
}

static void linchpin_step(int method, int response, int colour, int priority) {
  int automaton, reg;
  for (automaton = 0; automaton < LINCHPIN_AUTOMATA && colour != 0; ++automaton) {
    for (reg = LINCHPIN_FIRST_REGISTER; reg <= LINCHPIN_PRIORITIES; ++reg) {
      unsigned short *state = &linchpin_state[automaton][reg];
      if (*state == linchpin_dead || linchpin_acceptance[*state] == 2) continue; /* 2: whatever follows */
      *state = (unsigned short)linchpin_next(*state, method, response, colour, priority, reg);
    }
  }
}

static void linchpin_call(int method, int colour, int priority) {
  LINCHPIN_ATOMIC_BEGIN;
  ++linchpin_open;
  linchpin_step(method, 0, colour, priority);
  LINCHPIN_ATOMIC_END;
}

static void linchpin_return(int method, int colour) {
  LINCHPIN_ATOMIC_BEGIN;
  --linchpin_open;
  linchpin_step(method, 1, colour, 0);
  LINCHPIN_ASSERT(linchpin_open > 0 || !linchpin_accepts());
  LINCHPIN_ATOMIC_END;
}

void linchpin_call_add(int colour, int priority) { linchpin_call(linchpin_add, colour, priority); }
void linchpin_return_add(int colour) { linchpin_return(linchpin_add, colour); }
void linchpin_call_remove(int colour) { linchpin_call(linchpin_remove, colour, 0); }
void linchpin_return_remove(int colour) { linchpin_return(linchpin_remove, colour); }
void linchpin_call_empty(int colour) { linchpin_call(linchpin_empty, colour, 0); }
void linchpin_return_empty(int colour) { linchpin_return(linchpin_empty, colour); }
)";

constexpr std::string_view kMain = R"(
#ifdef LINCHPIN_MAIN
#include <stdio.h>
#include <string.h>

static int linchpin_answer(void) {
  printf("%d\n", linchpin_open == 0 && linchpin_accepts());
  linchpin_begin();
  return 1;
}

int main(void) {
  char line[64], side[8], method[8];
  int colour, priority, fields, unanswered = 0;
  linchpin_begin();
  while (fgets(line, sizeof line, stdin)) {
    priority = 0;
    fields = sscanf(line, "%7s %7s %d %d", side, method, &colour, &priority);
    if (fields <= 0) {
      unanswered = !linchpin_answer();
      continue;
    }
    unanswered = 1;
    if (fields < 3 || colour < 0 || priority < 0 || priority > LINCHPIN_PRIORITIES) {
      fprintf(stderr, "not an action: %s", line);
      return 2;
    }
    if (!strcmp(side, "call") && !strcmp(method, "add")) linchpin_call_add(colour, priority);
    else if (!strcmp(side, "return") && !strcmp(method, "add")) linchpin_return_add(colour);
    else if (!strcmp(side, "call") && !strcmp(method, "remove")) linchpin_call_remove(colour);
    else if (!strcmp(side, "return") && !strcmp(method, "remove")) linchpin_return_remove(colour);
    else if (!strcmp(side, "call") && !strcmp(method, "empty")) linchpin_call_empty(colour);
    else if (!strcmp(side, "return") && !strcmp(method, "empty")) linchpin_return_empty(colour);
    else {
      fprintf(stderr, "not an action: %s", line);
      return 2;
    }
  }
  if (unanswered) linchpin_answer();
  return 0;
}
#endif
)";

/// Unless LINCHPIN_PRIORITIES says otherwise, or the order knows fewer.
constexpr unsigned kMostPriorities = 8;

/// "1 a, 2 any number of d"
std::string colour_list(const Automaton& automaton) {
  std::string text;
  for (std::size_t i = 0; i < automaton.colours.size(); ++i) {
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", i + 1,
                        automaton.colours[i].crowd ? "any number of " : "", automaton.colours[i].name);
  }
  return text;
}

}  // namespace

std::string c_monitor(const Watched& watched) {
  std::string text(kHead);
  text += "#ifndef LINCHPIN_PRIORITIES\n";
  unsigned most = watched.priorities ? kMostPriorities : 0;
  while (most > 1 && watched.priorities_beyond_order(most)) --most;
  text += fmt::format("#define LINCHPIN_PRIORITIES {}\n#endif\n", most);
  text += "#ifndef LINCHPIN_PRECEDES /* whether priority x is strictly better than y */\n";
  text += fmt::format("#define LINCHPIN_PRECEDES(x, y) {}\n#endif\n\n", watched.better_expression(most));
  text += fmt::format("enum {{ LINCHPIN_AUTOMATA = {} }};\n", watched.automata.size());

  std::string firsts, acceptances, transitions;
  std::size_t first = 0;
  for (const Automaton* const automaton : watched.automata) {
    text += fmt::format("/* {}: colours {}. {} */\n", automaton->name, colour_list(*automaton), automaton->summary);
    firsts += fmt::format("{}{}", firsts.empty() ? "" : ", ", first);
    for (const State& state : automaton->states) {
      const int kind = state.acceptance == Acceptance::no ? 0 : state.acceptance == Acceptance::at_end ? 1 : 2;
      acceptances += fmt::format("{}{}", acceptances.empty() ? "" : ", ", kind);
    }
    for (const Transition& transition : automaton->transitions) {
      const Action& action = transition.action;
      transitions += fmt::format("    {{{}, {}, {}, {}, {}, {}}},\n", first + transition.from, first + transition.to,
                                 static_cast<int>(action.method), action.response ? 1 : 0, action.colour + 1,
                                 static_cast<int>(action.guard));
    }
    first += automaton->states.size();
  }
  text += kVocabulary;
  text += fmt::format("static const unsigned short linchpin_first[] = {{{}}};\n", firsts);
  text += fmt::format(
      "static const unsigned char linchpin_acceptance[] = {{{}}}; /* 1: if the execution ends here */\n", acceptances);
  text += fmt::format("static const struct linchpin_transition linchpin_transitions[] = {{\n{}}};\n", transitions);
  text += kBody;
  text += kMain;
  return text;
}

}  // namespace linchpin::automata
