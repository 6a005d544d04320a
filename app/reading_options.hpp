// The options that say how inputs are read, the same for every subcommand that reads histories.
#pragma once

#include "app/options.hpp"
#include "linchpin/check.hpp"

namespace linchpin::app {

/// Adds --type, --format, --independent, --leases-expire and --fail, which fill `read`.
void add_reading_options(Command command, ReadOptions& read);

}  // namespace linchpin::app
