// Reduction to reachability: the automata of a type as a Promela program that calls an implementation, for SPIN.
//
// The program is the product of an implementation and the automata. Clients call `put` and `remove`, which a model
// defines as inlines, again and again. At each call and each return the chosen automaton makes its step in the same
// atomic action, and where it has none, the client waits: an action takes place only if both sides can do it. What is
// reached if no client is inside the implementation and the automaton accepts is a complete execution that is not
// linearizable; no such state, and every execution of the model is linearizable, within the bounds on threads,
// priorities, and values at a time. There is no bound on the number of operations: since implementations do not look at
// values (data independence), the few colours of an automaton stand for all of them, used again and again.
//
// What the automaton and the clients guess is SPIN's nondeterminism: the automaton and its registers at the start, the
// colour of each value when it is put, and, since automata read what a remove returns at its call, its result, which
// the client compares at the return. A wrong guess ends in a client that waits for ever.
//
// Compiled with -DDISTINCT, the same program gives each value a number of its own beside its colour. It has the same
// steps, so a trail of the one is a trail of the other: this is how a trail becomes a history (trail.hpp).
//
// Source: Bouajjani, Enea, Wang, Checking Linearizability of Concurrent Priority Queues (CONCUR 2017), Theorem 11 and
// section 4.2. Deviation: the paper's automata read executions whose operations have all returned; here acceptance is
// asked for whenever that is so. Tests: promela_test.cpp, tests/cli/reach_test.cpp. Use: docs/design/reachability.md.
#pragma once

#include <string>
#include <string_view>

#include "research/automata/watched.hpp"

namespace linchpin::automata {

/// What the clients do not go beyond.
struct Bounds {
  unsigned threads = 2;
  unsigned priorities = 2;
  unsigned capacity = 3;  ///< values in the object at a time, those being put and being removed among them
};

/// Colours as the program numbers them: the automaton's own begin at kFirstColour.
inline constexpr unsigned kNoValue = 0, kEmptyResult = 1, kUncoloured = 2, kFirstColour = 3;

/// How many numbers there are.
[[nodiscard]] unsigned colour_count(const Watched& watched);

/// The program. `model` is the path that it includes: a file that defines put(value, priority) and remove(result), or
/// put(value) where there are no priorities.
[[nodiscard]] std::string promela_product(const Watched& watched, const Bounds& bounds, std::string_view model);

}  // namespace linchpin::automata
