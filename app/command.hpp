// The subcommands, and what a run ends with.
#pragma once

#include "app/options.hpp"

namespace linchpin::app {

enum ExitCode : int {
  kLinearizable = 0,   ///< all histories; also success of the other subcommands
  kViolation = 1,      ///< at least one violation
  kBadInput = 2,       ///< bad usage or input, whatever else was found
  kUnknown = 3,        ///< at least one unknown and no violation
  kInterrupted = 130,  ///< Ctrl-C or SIGTERM: 128 + SIGINT, as shells have it
  kBrokenPipe = 141,   ///< the reader of our output went away: 128 + SIGPIPE
};

/// Each adds its subcommand, whose run leaves its exit code in `exit_code`. Exceptions of type BrokenPipe pass through.
void add_check(Command app, int& exit_code);
void add_depth(Command app, int& exit_code);
void add_merge(Command app, int& exit_code);
void add_split(Command app, int& exit_code);
void add_explain(Command app, int& exit_code);
void add_convert(Command app, int& exit_code);
void add_generate(Command app, int& exit_code);
void add_stress(Command app, int& exit_code);
void add_explore(Command app, int& exit_code);
void add_reach(Command app, int& exit_code);
void add_automaton(Command app, int& exit_code);
void add_watch(Command app, int& exit_code);
void add_types(Command app, int& exit_code);
void add_formats(Command app, int& exit_code);
void add_completion(Command app, int& exit_code);
void add_manual(Command app, int& exit_code);

}  // namespace linchpin::app
