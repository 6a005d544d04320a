// The options that say how much deciding may cost and how ticks are read, the same for every subcommand that decides.
#pragma once

#include "linchpin/check.hpp"

namespace CLI {
class App;
}

namespace linchpin::app {

/// Adds --time-limit and --memory-limit, which fill `limits`.
void add_limit_options(CLI::App& command, Limits& limits);
/// Adds --ties.
void add_ties_option(CLI::App& command, Ties& ties);

}  // namespace linchpin::app
