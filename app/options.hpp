// What the subcommands say of their options. What parses the command line, CLI11, stays behind these classes
// (options.cpp): it takes longer to compile than any subcommand.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/command_model.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace linchpin::app {

/// An option or a positional argument of a command. A handle: copies are the same option.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option& required();
  /// Everything that the help says of the value, such as "FILE" or "text|csv"; " ": nothing.
  Option& option_text(const std::string& text);
  /// What the help calls the value, beside what else it says of it.
  Option& type_name(const std::string& name);
  /// Instead of what the option was added with.
  Option& description(const std::string& text);
  /// Not together with `other`.
  Option& excludes(const Option& other);
  /// Not without `other`.
  Option& needs(const Option& other);
  /// Values in one argument, separated by it.
  Option& delimiter(char separator);
  /// May be given again, with one value each time.
  Option& one_value_each();
  /// The help says what the variable is now.
  Option& show_default();
  /// A number from `least` to `most`; T: int, unsigned, double, or one of 64 bits. The help says so where `in_help`.
  template <class T>
  Option& between(T least, T most, bool in_help = true);
  Option& one_of(const std::vector<std::string>& values);

 private:
  friend class Command;
  CLI::Option* option_;
};

/// A subcommand, or all of them. A handle, as Option.
class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}

  [[nodiscard]] Command add_subcommand(const std::string& name, const std::string& description);
  void footer(const std::string& text);
  /// `run`: once the arguments are read.
  void callback(std::function<void()> run);
  /// `prepare`: before they are, if this is the subcommand.
  void before_parsing(std::function<void()> prepare);

  /// An option "--name", "--name,-n" or a positional argument "NAME" that fills `target`: text, a number, an optional
  /// of these, or a list of texts.
  template <class T>
  Option add_option(const std::string& names, T& target, const std::string& description);
  /// Takes the text itself and gives what is wrong with it: a usage error; empty: nothing.
  Option add_parsed_option(const std::string& name, std::function<std::string(const std::string&)> take,
                           const std::string& description);
  /// One of `choices`, whose names the help lists in this order.
  template <class T>
  Option add_choice(const std::string& name, T& target, const std::string& description,
                    std::vector<std::pair<std::string, T>> choices) {
    std::vector<std::string> names;
    names.reserve(choices.size());
    for (const auto& choice : choices) names.push_back(choice.first);
    return add_choice_of_names(
        name, names, [&target, choices = std::move(choices)](std::size_t i) { target = choices[i].second; },
        description);
  }
  Option add_flag(const std::string& names, bool& target, const std::string& description);
  Option add_flag_callback(const std::string& name, std::function<void()> given, const std::string& description);
  /// One that was added before.
  [[nodiscard]] Option option(const std::string& name);

  /// The command itself, then each subcommand in the order of the help; `values` as far as the options say.
  [[nodiscard]] std::vector<CommandModel> models() const;

  /// While it runs: the options that were given, each with its values in one text ("--type queue"), by name, but for
  /// those that are named here.
  [[nodiscard]] std::vector<std::string> given(const std::vector<std::string>& without) const;

 private:
  Option add_choice_of_names(const std::string& name, const std::vector<std::string>& names,
                             std::function<void(std::size_t)> take, const std::string& description);

  CLI::App* app_;
};

/// What ends a run before any subcommand begins: a usage error, the help or the version.
struct Refusal {
  std::string output;
  std::string error;
  bool usage_error = false;
};

/// The whole command line.
class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& description, const std::string& version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  [[nodiscard]] Command command();
  /// Reads the arguments and runs the subcommand. Exceptions of a subcommand pass through.
  [[nodiscard]] std::optional<Refusal> run(int argument_count, char** arguments);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace linchpin::app
