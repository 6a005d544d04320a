// The automata of a type as a C file, to watch an implementation in C: by a verifier of C programs, or while it runs.
//
// The file is self-contained. Whoever drives the implementation gives colours to values, calls a function at each call
// and each return, and an assertion fails when no operation is open and an automaton accepts: the execution is then
// not linearizable. A verifier chooses the colours, and the result of a remove before its call, to be compared at its
// return; a test knows them.
//
// With LINCHPIN_MAIN the file is a program that reads actions from standard input (its head says how).
//
// Cost of an action: the number of transitions times that of priorities. Source and deviation: as promela.hpp.
// Tests: c_monitor_test.cpp, which compiles it and compares it with automata::replay.
#pragma once

#include <string>

#include "research/automata/watched.hpp"

namespace linchpin::automata {

[[nodiscard]] std::string c_monitor(const Watched& watched);

}  // namespace linchpin::automata
