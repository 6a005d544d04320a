// The command line of an exploration, for programs of this tree: explore_main is the same for everybody's.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "linchpin/explore.hpp"

namespace linchpin::explorer {

/// The same addresses in each run: code that hashes them then does the same. Begins the program anew, once, with the
/// arguments that it was given at first, or `argv` where the system does not tell them; where it does not allow that,
/// the program goes on as it is.
void fix_addresses(char** argv);

/// Options without the program's name; `options` are what holds without any. Returns the exit code.
int run_command(std::string_view program, std::span<char* const> arguments, explore_plan::Plan plan,
                const ExploreOptions& options);
int run_command(std::string_view program, std::span<char* const> arguments, explore_plan::Program threads,
                const ExploreOptions& options);

}  // namespace linchpin::explorer
