// What only those want who compare methods: searches and procedures as their papers have them, for `--decider`.
//
// They are in a library of their own, linchpin::research, together with linchpin/depth.hpp and the register automata
// behind `linchpin automaton`, `reach` and `watch`. Nothing chooses them by itself: a check takes one that
// CheckOptions::decider names.
//
//   linchpin::add_research_deciders();
//   auto report = linchpin::check(history, {.decider = "wgl"});
//
// docs/deciding.md says what each does: wgl and its variants, queue-plain and the like, check-pq, schedules, and the
// planted-* deciders, which are wrong on purpose.
#pragma once

namespace linchpin {

/// Makes the deciders of this library known by their names, from now on, to every check of this process. Again: no
/// change. May be called while checks run.
void add_research_deciders();

}  // namespace linchpin
