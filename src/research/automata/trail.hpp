// The trail that SPIN found, as a history: what the product of promela.hpp prints when it is replayed with -DDISTINCT.
//
// One line an action, in the order in which they happened:
//
//   @call THREAD put VALUE [PRIORITY]      @return THREAD
//   @call THREAD remove                    @return THREAD VALUE
//   @accept STATE
//
// VALUE is its colour plus colour_count(...) times a number of its own. A value is called what the accepting automaton
// calls it, with a number where several have the colour (d1, d2), and v1, v2, ... without one.
#pragma once

#include <string_view>

#include "linchpin/history.hpp"
#include "research/automata/watched.hpp"

namespace linchpin::automata {

struct Trail {
  const Automaton* automaton = nullptr;  ///< which accepts; none: something else was wrong
  History history;
};

/// Other lines are passed over. Errors: syntax, where a line is none of the above, and what HistoryBuilder::build says.
[[nodiscard]] Result<Trail> read_trail(std::string_view printed, const Watched& watched);

}  // namespace linchpin::automata
