#include "research/automata/common.hpp"

#include "research/automata/shape.hpp"

namespace linchpin::automata {

namespace {

constexpr Colour kValue = 0;

Automaton before_added() {
  return {.name = "removed-before-added",
          .summary = "b is removed, and added only after that",
          .source = "A_SinPri^1",
          .colours = {{.name = "b"}},
          .states = {{"q0"}, {"q1"}, {"q2", Acceptance::at_once}},
          .transitions = {{0, call_remove(kValue), 0},
                          {0, ret_remove(kValue), 1},
                          {1, call_remove(kValue), 1},
                          {1, ret_remove(kValue), 1},
                          {1, call_add(kValue), 2}}};
}

/// The add may still be called or not; it accepts where it never is, which only the end shows.
Automaton never_added() {
  return {.name = "removed-never-added",
          .summary = "b is removed and never added",
          .source = "A_SinPri^2",
          .colours = {{.name = "b"}},
          .states = {{"q0"}, {"q1", Acceptance::at_end}},
          .transitions = {{0, call_remove(kValue), 0},
                          {0, ret_remove(kValue), 1},
                          {1, call_remove(kValue), 1},
                          {1, ret_remove(kValue), 1}}};
}

/// The states: how often the add was called, and how many removes have returned.
Automaton removed_twice() {
  Automaton made{.name = "removed-twice",
                 .summary = "b is removed twice",
                 .source = "A_SinPri^3",
                 .colours = {{.name = "b"}},
                 .states = {{"q0"}, {"q1"}, {"q2"}, {"q3"}, {"q4", Acceptance::at_once}},
                 .transitions = {{0, call_add(kValue), 1}, {2, call_add(kValue), 3}}};
  for (const StateIndex state : {0, 1, 2, 3}) {
    made.transitions.push_back({state, ret_add(kValue), state});
    made.transitions.push_back({state, call_remove(kValue), state});
  }
  for (const StateIndex state : {0, 1}) {
    const auto removed = static_cast<StateIndex>(state + 2);
    made.transitions.push_back({state, ret_remove(kValue), removed});
    made.transitions.push_back({removed, ret_remove(kValue), 4});
  }
  return made;
}

}  // namespace

void add_single_value_automata(std::vector<Automaton>& automata) {
  automata.push_back(before_added());
  automata.push_back(never_added());
  automata.push_back(removed_twice());
  automata.push_back(make_automaton({.name = "added-twice",
                                     .summary = "b is added twice: not data-differentiated, so nothing follows",
                                     .source = "data differentiation",
                                     .colours = {{.name = "b"}},
                                     .word = {call_add(kValue), call_add(kValue)},
                                     .free = {ret_add(kValue), call_remove(kValue), ret_remove(kValue)},
                                     .precondition = true}));
}

Automaton empty_automaton(std::string_view source) {
  constexpr Colour kEmpty = 0, kCrowd = 1;
  return make_automaton({.name = "empty",
                         .summary = "o finds nothing although at every moment of it some d is in",
                         .source = std::string(source),
                         .colours = {{.name = "o"}, {.name = "d", .crowd = true}},
                         .word = {call_empty(kEmpty), ret_empty(kEmpty)},
                         .window = Window{.begin = 0, .crowd = kCrowd}});
}

}  // namespace linchpin::automata
