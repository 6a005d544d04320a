// Automata as text, and as pictures for Graphviz.
//
// What leaves a state where it is can be much: as in the paper, each distinct set of such actions gets a name, C1, C2
// and so on, is written at the state by this name and spelled out once below. Tests: automata_test.cpp; the pictures of
// docs/papers/automata/ are drawn from here.
#pragma once

#include <string>

#include "research/automata/automaton.hpp"

namespace linchpin::automata {

/// States and transitions, a line each.
[[nodiscard]] std::string to_text(const Automaton& automaton, const Vocabulary& vocabulary);

/// A digraph in the DOT language. Two circles: accepts; the inner one missing and the line dashed: accepts at the end.
[[nodiscard]] std::string to_dot(const Automaton& automaton, const Vocabulary& vocabulary);

}  // namespace linchpin::automata
