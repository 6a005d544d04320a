// Register automata as data: each accepts the executions, with their values renamed, that violate one property.
//
// An execution is a sequence of calls and responses of adds, removes, and removes that find nothing. A run guesses a
// renaming: every value gets a colour, for good. A colour is one value (a, b, o) or a crowd of any number of them (d);
// what takes no part has none and moves no automaton (the paper's value "top"). A remove that finds nothing counts as
// a value of its own. A register holds a priority that is guessed at the start and never changes; the guard of an add
// compares its priority with it. Given renaming and register, a run is deterministic: `find` has at most one answer,
// and where it has none the run dies.
//
// What a run that accepts means: the values that are coloured, taken alone, are already not linearizable. Where values
// are added at most once and every call returns, a history is refuted iff some automaton of its type accepts it.
//
// Source: Bouajjani, Enea, Wang, Checking Linearizability of Concurrent Priority Queues (CONCUR 2017), sections 4 and
// D; Bouajjani, Emmi, Enea, Hamza, On Reducing Linearizability to State Reachability (ICALP 2015) for queues and
// stacks. Deviations, and histories that show why: docs/papers/concurrent-priority-queues.md. Tests: automata_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace linchpin::automata {

enum class Method : std::uint8_t { add, remove, empty };  ///< empty: a remove that finds nothing

/// How the priority of an add stands to the register: not compared, equal, or strictly better (removed earlier).
enum class Guard : std::uint8_t { none, equal, better };

using Colour = std::uint8_t;  ///< index into Automaton::colours
using StateIndex = std::uint16_t;

struct Action {
  Method method = Method::add;
  bool response = false;  ///< else a call
  Colour colour = 0;
  Guard guard = Guard::none;  ///< only of calls of adds
  bool operator==(const Action&) const = default;
};

struct Transition {
  StateIndex from = 0;
  Action action;
  StateIndex to = 0;
};

enum class Acceptance : std::uint8_t {
  no,
  at_end,   ///< accepts when the execution ends here
  at_once,  ///< accepts whatever follows: such states have no transitions
};

struct State {
  std::string name;
  Acceptance acceptance = Acceptance::no;
};

struct ColourName {
  std::string name;
  bool crowd = false;  ///< any number of values, else at most one
};

struct Automaton {
  std::string name;
  std::string summary;  ///< of the executions that it accepts, in words
  std::string source;   ///< its name in the papers
  std::vector<ColourName> colours;
  std::uint8_t registers = 0;      ///< 0 or 1: no violation needs more
  std::vector<State> states = {};  ///< the first is the initial one
  std::vector<Transition> transitions = {};
  /// Every execution that it accepts is accepted by another automaton of the type too: not needed to decide.
  bool implied = false;
  /// It accepts what is outside the precondition, not what is wrong.
  bool precondition = false;

  /// The transition for an action, whose guard is taken to hold. Linear in the number of transitions.
  [[nodiscard]] const Transition* find(StateIndex from, Method method, bool response, Colour colour) const;
  /// What is wrong with the data; nothing where it is well formed: states, colours and registers exist, at most one
  /// transition for each state, method, side and colour, none from states that accept at once, and guards only on calls
  /// of adds.
  [[nodiscard]] std::optional<std::string> flaw() const;
};

/// How a data type calls the methods in pictures: "enq", "deq".
struct Vocabulary {
  std::string_view add, remove;
};

/// "call(put, a, = r)", "ret(rm, empty o)".
[[nodiscard]] std::string to_text(const Automaton& automaton, const Action& action, const Vocabulary& vocabulary);

/// The automata of a data type.
struct Family {
  std::string_view type;
  Vocabulary vocabulary;
  std::vector<Automaton> automata;
};

[[nodiscard]] const Family& queue_automata();
[[nodiscard]] const Family& stack_automata();
/// Those for values of equal priority, which are removed in the order of their adds, have the guard `equal`.
[[nodiscard]] const Family& priority_queue_automata();
/// All of the above.
[[nodiscard]] std::span<const Family* const> families();

}  // namespace linchpin::automata
