#include "research/automata/automaton.hpp"

#include <array>

#include <fmt/format.h>

namespace linchpin::automata {

namespace {

bool same_letter(const Action& action, Method method, bool response, Colour colour) {
  return action.method == method && action.response == response && action.colour == colour;
}

}  // namespace

const Transition* Automaton::find(StateIndex from, Method method, bool response, Colour colour) const {
  for (const Transition& transition : transitions) {
    if (transition.from == from && same_letter(transition.action, method, response, colour)) return &transition;
  }
  return nullptr;
}

std::optional<std::string> Automaton::flaw() const {
  if (states.empty()) return "no states";
  if (registers > 1) return "more registers than one";
  if (colours.size() > 7) return "more colours than a byte has room for";
  for (const Transition& transition : transitions) {
    const Action& action = transition.action;
    if (transition.from >= states.size() || transition.to >= states.size()) return "a transition of no state";
    const std::string& from = states[transition.from].name;
    if (action.colour >= colours.size()) return fmt::format("a transition of {} has no colour", from);
    if (action.guard != Guard::none) {
      if (action.method != Method::add || action.response) return fmt::format("{} guards what has no priority", from);
      if (registers == 0) return fmt::format("{} compares with no register", from);
    }
    if (states[transition.from].acceptance == Acceptance::at_once) return fmt::format("{} goes on", from);
    if (find(transition.from, action.method, action.response, action.colour) != &transition) {
      return fmt::format("{} has two transitions for one action", from);
    }
  }
  return std::nullopt;
}

std::string to_text(const Automaton& automaton, const Action& action, const Vocabulary& vocabulary) {
  const std::string_view method = action.method == Method::add ? vocabulary.add : vocabulary.remove;
  const std::string_view empty = action.method == Method::empty ? "empty " : "";
  std::string text = fmt::format("{}({}, {}{}", action.response ? "ret" : "call", method, empty,
                                 automaton.colours[action.colour].name);
  if (action.guard != Guard::none) text += action.guard == Guard::equal ? ", = r" : ", < r";
  return text + ")";
}

std::span<const Family* const> families() {
  static const std::array<const Family*, 3> all{&queue_automata(), &stack_automata(), &priority_queue_automata()};
  return all;
}

}  // namespace linchpin::automata
