// linchpin completion SHELL: a script that completes subcommands, options and their values. It is made from the command
// line's own description, so it is never out of date.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/command.hpp"
#include "app/command_model.hpp"
#include "app/output.hpp"

namespace linchpin::app {

namespace {

std::vector<std::string> subcommands(const std::vector<CommandModel>& commands) {
  std::vector<std::string> names;
  for (const CommandModel& command : commands) {
    if (!command.name.empty()) names.push_back(command.name);
  }
  return names;
}

bool is_path(const OptionModel& option) {
  return option.value.find("FILE") != std::string::npos || option.value.find("DIR") != std::string::npos;
}

std::string bash(const std::vector<CommandModel>& commands) {
  std::string text =
      "# bash completion for linchpin: source <(linchpin completion bash)\n"
      "_linchpin() {\n"
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command= word\n"
      "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
      "    case $word in -*) ;; *) command=$word; break ;; esac\n"
      "  done\n"
      "  case \"$command $previous\" in\n";
  for (const CommandModel& command : commands) {
    for (const OptionModel& option : command.options) {
      if (option.value.empty()) continue;
      for (const std::string& name : option.names) {
        if (option.values.empty() && !is_path(option)) {
          text += fmt::format("    '{} {}') COMPREPLY=(); return ;;\n", command.name, name);
          continue;
        }
        const std::string words = option.values.empty()
                                      ? "compgen -f -- \"$current\""
                                      : fmt::format("compgen -W '{}' -- \"$current\"", fmt::join(option.values, " "));
        text += fmt::format("    '{} {}') mapfile -t COMPREPLY < <({}); return ;;\n", command.name, name, words);
      }
    }
  }
  text += "  esac\n  local words=\n  case $command in\n";
  for (const CommandModel& command : commands) {
    std::vector<std::string> words;
    for (const OptionModel& option : command.options)
      words.insert(words.end(), option.names.begin(), option.names.end());
    text += fmt::format("    '{}') words='{}' ;;\n", command.name, fmt::join(words, " "));
  }
  text +=
      "  esac\n  if [[ $current == -* ]]; then\n    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n";
  text +=
      fmt::format("  elif [ -z \"$command\" ]; then\n    mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$current\")\n",
                  fmt::join(subcommands(commands), " "));
  for (const CommandModel& command : commands) {
    for (const OptionModel& positional : command.positionals) {
      if (positional.values.empty()) continue;
      text += fmt::format(
          "  elif [ \"$command\" = '{}' ]; then\n    mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$current\")\n",
          command.name, fmt::join(positional.values, " "));
    }
  }
  text += "  else\n    mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n  fi\n}\n";
  text += "complete -o filenames -F _linchpin linchpin\n";
  return text;
}

/// Descriptions go between single quotes and, in zsh, brackets and colons.
std::string quoted_for_zsh(std::string_view text) {
  std::string quoted;
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else if (c == '[' || c == ']' || c == ':') {
      quoted += {'\\', c};
    } else {
      quoted += c;
    }
  }
  return quoted;
}

std::string zsh_value(const OptionModel& option) {
  if (!option.values.empty()) {
    return fmt::format(":{}:({})", quoted_for_zsh(option.names.back()), fmt::join(option.values, " "));
  }
  return fmt::format(":{}:{}", quoted_for_zsh(option.value), is_path(option) ? "_files" : " ");
}

std::string zsh(const std::vector<CommandModel>& commands) {
  std::string text =
      "#compdef linchpin\n# zsh completion for linchpin: linchpin completion zsh > \"${fpath[1]}/_linchpin\"\n"
      "_linchpin() {\n  local context state line\n  _arguments -C \\\n";
  std::string cases;
  std::string names;
  for (const CommandModel& command : commands) {
    std::string arguments;
    for (const OptionModel& option : command.options) {
      for (const std::string& name : option.names) {
        arguments += fmt::format("      '{}[{}]{}' \\\n", name, quoted_for_zsh(option.description),
                                 option.value.empty() ? "" : zsh_value(option));
      }
    }
    for (const OptionModel& positional : command.positionals) {
      arguments += fmt::format("      '*{}' \\\n", zsh_value(positional));
    }
    if (command.name.empty()) {
      text += arguments + "      '1:subcommand:->subcommand' '*::argument:->argument'\n";
    } else {
      names += fmt::format("      '{}:{}'\n", command.name, quoted_for_zsh(command.description));
      cases += fmt::format("    {})\n      _arguments \\\n{}      && return ;;\n", command.name, arguments);
    }
  }
  text += "  if [[ $state == subcommand ]]; then\n    local -a subcommands=(\n" + names +
          "    )\n    _describe subcommand subcommands\n    return\n  fi\n  case $line[1] in\n" + cases +
          "  esac\n}\n_linchpin \"$@\"\n";
  return text;
}

std::string quoted_for_fish(std::string_view text) {
  std::string quoted;
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted;
}

std::string fish(const std::vector<CommandModel>& commands) {
  std::string text = "# fish completion for linchpin: linchpin completion fish | source\n";
  const std::string names = fmt::format("{}", fmt::join(subcommands(commands), " "));
  for (const CommandModel& command : commands) {
    const std::string when = command.name.empty() ? fmt::format("not __fish_seen_subcommand_from {}", names)
                                                  : fmt::format("__fish_seen_subcommand_from {}", command.name);
    if (!command.name.empty()) {
      text += fmt::format("complete -c linchpin -n 'not __fish_seen_subcommand_from {}' -f -a {} -d '{}'\n", names,
                          command.name, quoted_for_fish(command.description));
    }
    for (const OptionModel& option : command.options) {
      text += fmt::format("complete -c linchpin -n '{}'", when);
      for (const std::string& name : option.names) {
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      if (!option.values.empty()) {
        text += fmt::format(" -x -a '{}'", fmt::join(option.values, " "));
      } else if (!option.value.empty()) {
        text += is_path(option) ? " -r" : " -x";
      }
      text += fmt::format(" -d '{}'\n", quoted_for_fish(option.description));
    }
    for (const OptionModel& positional : command.positionals) {
      if (positional.values.empty()) continue;
      text += fmt::format("complete -c linchpin -n '{}' -f -a '{}'\n", when, fmt::join(positional.values, " "));
    }
  }
  return text;
}

}  // namespace

void add_completion(Command app, int& /*exit_code*/) {
  Command command = app.add_subcommand("completion", "Print a script that completes linchpin's command line");
  const auto shell = std::make_shared<std::string>();
  command.add_option("SHELL", *shell, "bash, zsh or fish")
      .required()
      .option_text("bash|zsh|fish")
      .one_of({"bash", "zsh", "fish"});
  command.footer("For this session: source <(linchpin completion bash)");
  command.callback([shell, app] {
    const std::vector<CommandModel> commands = describe_commands(app);
    print_for_programs(*shell == "bash" ? bash(commands) : *shell == "zsh" ? zsh(commands) : fish(commands));
  });
}

}  // namespace linchpin::app
