// The automata of the stack: finite, since nothing is compared.
//
// Orders. Take the values that are blocked together: none can be pushed first and popped while no other is surely in.
// Let a be the one whose push returns first (values whose pop is called before their push returns may be left out:
// they can come and go at once). What can be pushed first are a and the values c whose push is called before that; the
// others, d, are above a. The values are blocked iff every pop of a and of the c is covered by others. In a smallest
// blocked set the covers leave no moment free between the call of a's pop and the response of the last pop of a or a c:
// else those that were in before that moment are blocked by themselves. So one window is enough.
//   "covered":  no c. The d are all pushed above a, and cover its pop.
//   "stuck":    some c. Any number of them, but two are enough at a time, as in shape.hpp. At the end of the window
//   only
//               d are in, so that all c have been popped; what happens to a c afterwards would belong into the window,
//               hence only the end of the execution shows that it accepts.
// The smallest history that "covered" misses: a1 of docs/papers/concurrent-priority-queues.md.
#include <array>

#include <fmt/format.h>

#include "research/automata/common.hpp"
#include "research/automata/shape.hpp"

namespace linchpin::automata {

namespace {

constexpr Colour kA = 0, kD = 1, kC = 2;

Automaton covered() {
  return make_automaton({.name = "covered",
                         .summary = "every d is pushed after a, and at every moment of a's pop some d is in",
                         .source = "PushPop",
                         .colours = {{.name = "a"}, {.name = "d", .crowd = true}},
                         .word = {call_add(kA), ret_add(kA), call_remove(kA), ret_remove(kA)},
                         .window = Window{.begin = 2, .crowd = kD, .added_from = 2}});
}

/// States: before the window what is in is nothing, c or d; within, and then after a's pop has returned, one or two.
class StuckAutomaton {
 public:
  Automaton make() {
    made_ = {.name = "stuck",
             .summary =
                 "c are pushed with a, d after a; from the call of a's pop until all pops of c have returned "
                 "some c or d is in, at the end only d",
             .source = "PushPop",
             .colours = {{.name = "a"}, {.name = "d", .crowd = true}, {.name = "c", .crowd = true}}};
    const StateIndex start = add(), called = add();
    const StateIndex pushed = add(), pushed_c = add(), pushed_d = add();
    for (std::array<StateIndex, 5>& phase : window_) {
      for (StateIndex& state : phase) state = add();
    }
    for (const std::size_t ends : {kOneD, kTwoD}) made_.states[window_[1][ends]].acceptance = Acceptance::at_end;
    const StateIndex over = add();
    made_.states[over].acceptance = Acceptance::at_end;

    go(start, call_add(kC), start);
    go(start, call_add(kA), called);
    go(called, call_add(kC), called);
    go(called, ret_add(kA), pushed);
    for (const StateIndex state : {pushed, pushed_c, pushed_d}) go(state, call_add(kD), state);
    go(pushed, ret_add(kC), pushed_c);
    go(pushed, ret_add(kD), pushed_d);
    go(pushed_c, call_remove(kA), window_[0][kOneC]);
    go(pushed_d, call_remove(kA), window_[0][kOneD]);
    for (const auto& phase : window_) within(phase);
    for (std::size_t i = 0; i < 5; ++i) go(window_[0][i], ret_remove(kA), window_[1][i]);
    go(window_[1][kOneD], call_remove(kD), over);
    for (const Action& action : {call_add(kD), ret_add(kD), call_remove(kD), ret_remove(kD)}) go(over, action, over);
    return std::move(made_);
  }

 private:
  enum : std::size_t { kOneC, kOneD, kTwoC, kBoth, kTwoD };

  StateIndex add() {
    const auto number = static_cast<StateIndex>(made_.states.size());
    made_.states.push_back({fmt::format("q{}", number), Acceptance::no});
    return number;
  }
  void go(StateIndex from, const Action& action, StateIndex to) { made_.transitions.push_back({from, action, to}); }

  void within(const std::array<StateIndex, 5>& phase) {
    for (const StateIndex state : phase) {
      go(state, call_add(kD), state);
      go(state, ret_remove(kC), state);
      go(state, ret_remove(kD), state);
    }
    go(phase[kOneC], ret_add(kC), phase[kTwoC]);
    go(phase[kOneC], ret_add(kD), phase[kBoth]);
    go(phase[kOneD], ret_add(kC), phase[kBoth]);
    go(phase[kOneD], ret_add(kD), phase[kTwoD]);
    go(phase[kTwoC], call_remove(kC), phase[kOneC]);
    go(phase[kBoth], call_remove(kC), phase[kOneD]);
    go(phase[kBoth], call_remove(kD), phase[kOneC]);
    go(phase[kTwoD], call_remove(kD), phase[kOneD]);
  }

  Automaton made_;
  std::array<std::array<StateIndex, 5>, 2> window_{};
};

}  // namespace

const Family& stack_automata() {
  static const Family family = [] {
    Family made{.type = "stack", .vocabulary = {"push", "pop"}, .automata = {}};
    add_single_value_automata(made.automata);
    made.automata.push_back(covered());
    made.automata.push_back(StuckAutomaton().make());
    made.automata.push_back(empty_automaton("PopEmpty, as A_SeqPQ^3"));
    return made;
  }();
  return family;
}

}  // namespace linchpin::automata
