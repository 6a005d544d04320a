// The options that say how inputs are read, the same for every subcommand that reads histories.
#pragma once

#include "linchpin/check.hpp"

namespace CLI {
class App;
}

namespace linchpin::app {

/// Adds --type, --format, --independent and --fail, which fill `read`.
void add_reading_options(CLI::App& command, ReadOptions& read);

}  // namespace linchpin::app
