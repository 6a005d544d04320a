// Makes an automaton from the order in which the actions of its single values come, and what crowd covers a part of it.
//
// The states are the positions in the word. With a window, from the word's action `begin` to its last, some value of
// the crowd must be in the container at every moment of it: its add has returned, its remove is not called. A state
// then also counts those values, and two are enough: of the values that cover a window, take a smallest set that does.
// In the order of their adds' responses, no one of them but the first has returned before the window, and the next but
// one returns after the call of the remove (else the one between is not needed). So the counts are 0 and 1 before the
// window, 1 and 2 within. Counting is sound: where every value is added and removed at most once, responses of adds
// less calls of removes are never more than the values that are in the container.
//
// With cycles of the left-right constraint (Definition 12): the crowd is d1, ..., dm, the cycle's other values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "research/automata/automaton.hpp"

namespace linchpin::automata {

struct Window {
  std::size_t begin = 0;  ///< the action of the word with which it begins
  Colour crowd = 0;
  Guard guard = Guard::none;   ///< of the crowd's adds
  std::size_t added_from = 0;  ///< the crowd's adds are called after this many actions of the word
};

struct Shape {
  std::string name, summary, source;
  std::vector<ColourName> colours;
  std::uint8_t registers = 0;
  std::vector<Action> word = {};
  std::vector<Action> free = {};  ///< actions of single values that may come at any time
  std::optional<Window> window = {};
  bool implied = false;
  bool precondition = false;
};

/// The automaton that accepts at once after the word's last action. Cost: three states an action at most.
[[nodiscard]] Automaton make_automaton(const Shape& shape);

constexpr Action call_add(Colour colour, Guard guard = Guard::none) {
  return {.method = Method::add, .response = false, .colour = colour, .guard = guard};
}
constexpr Action ret_add(Colour colour) { return {.method = Method::add, .response = true, .colour = colour}; }
constexpr Action call_remove(Colour colour) { return {.method = Method::remove, .response = false, .colour = colour}; }
constexpr Action ret_remove(Colour colour) { return {.method = Method::remove, .response = true, .colour = colour}; }
constexpr Action call_empty(Colour colour) { return {.method = Method::empty, .response = false, .colour = colour}; }
constexpr Action ret_empty(Colour colour) { return {.method = Method::empty, .response = true, .colour = colour}; }

}  // namespace linchpin::automata
