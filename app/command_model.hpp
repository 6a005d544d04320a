// The command line's own description of itself, for manual pages and shell completion.
#pragma once

#include <string>
#include <vector>

namespace linchpin::app {

class Command;

struct OptionModel {
  std::vector<std::string> names;   ///< "-q", "--quiet": short ones first
  std::string value;                ///< "TYPE"; empty: a flag
  std::vector<std::string> values;  ///< all there are; empty: anything
  std::string description;
};

struct CommandModel {
  std::string name;  ///< of the subcommand; empty: of the command itself
  std::string description;
  std::string footer;
  std::vector<OptionModel> options;
  std::vector<OptionModel> positionals;  ///< `names` has one: how messages call it
};

/// The command itself, then each subcommand in the order of the help.
[[nodiscard]] std::vector<CommandModel> describe_commands(Command app);

}  // namespace linchpin::app
