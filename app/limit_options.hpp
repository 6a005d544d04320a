// The options that say how much deciding may cost and how ticks are read, the same for every subcommand that decides.
#pragma once

#include <vector>

#include "app/options.hpp"
#include "linchpin/check.hpp"

namespace linchpin::app {

/// Adds --memory-limit, which fills `limits` and has what is free as its default.
void add_memory_limit_option(Command command, std::vector<Limits*> limits);
/// Adds --time-limit and --memory-limit, which fill `limits`; the memory is that of `reading`, too, where histories are
/// read.
void add_limit_options(Command command, Limits& limits, Limits* reading = nullptr);
/// Adds --ties.
void add_ties_option(Command command, Ties& ties);

}  // namespace linchpin::app
