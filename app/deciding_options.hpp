// The options that say how histories are decided, the same for every subcommand that decides.
#pragma once

#include "app/options.hpp"
#include "linchpin/check.hpp"

namespace linchpin::app {

/// Adds --time-limit, --memory-limit, --threads, --ties and --decider, which fill `check`; the memory limit is that of
/// `read`, too.
void add_deciding_options(Command command, CheckOptions& check, ReadOptions& read);

}  // namespace linchpin::app
