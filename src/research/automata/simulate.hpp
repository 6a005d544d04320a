// Runs an automaton over an execution, guessing the renaming and the register.
//
// All runs are followed at once. A value's colour is guessed late: as long as all that it did leaves the run where it
// is, whatever its colour, the run keeps the set of colours that it may have, "none" among them. It is settled when an
// action of the value moves the run. Runs therefore differ only in the values that moved them: for the automata of this
// folder, in their single values and in at most two of a crowd that count at a time.
//
// Cost: the number of letters times that of runs alive, which grows with the values that are in the container to the
// power of the single values and two. For histories of at most some hundred values; online see watch.hpp.
// Tests: automata_test.cpp, tests/cross/automata_test.cpp.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "research/automata/execution.hpp"

namespace linchpin::automata {

inline constexpr Colour kNoColour = 0xff;

/// A run that accepts.
struct AcceptingRun {
  std::size_t letters = 0;         ///< read when it accepts: all of them where only the end shows it
  std::vector<Colour> colour;      ///< by value
  std::uint32_t reg = 0;           ///< a priority; 0 without registers
  std::vector<StateIndex> states;  ///< before each letter read, and after the last
};

/// Whether the automaton accepts the execution under some renaming: the run that accepts first. Nothing also when more
/// than `most_runs` were alive at once; `*gave_up` says so.
[[nodiscard]] std::optional<AcceptingRun> simulate(const Automaton& automaton, const Execution& execution,
                                                   std::size_t most_runs = SIZE_MAX, bool* gave_up = nullptr);

/// The one run under a given renaming; nothing where it dies or does not accept.
[[nodiscard]] std::optional<AcceptingRun> replay(const Automaton& automaton, const Execution& execution,
                                                 const std::vector<Colour>& colour, std::uint32_t reg);

}  // namespace linchpin::automata
