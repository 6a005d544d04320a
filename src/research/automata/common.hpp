// The automata that every container has: for what can be wrong with one value, and for a remove that wrongly finds
// nothing.
#pragma once

#include <vector>

#include "research/automata/automaton.hpp"

namespace linchpin::automata {

/// Removed before added, removed and never added, removed twice; and, as a precondition, added twice.
/// `source` is the papers' name of the container's automata of this kind.
void add_single_value_automata(std::vector<Automaton>& automata);

/// A remove finds nothing although the container held something throughout.
[[nodiscard]] Automaton empty_automaton(std::string_view source);

}  // namespace linchpin::automata
