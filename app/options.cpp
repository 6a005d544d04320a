#include "app/options.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <sstream>
#include <type_traits>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/near_name.hpp"
#include "base/foreign_text.hpp"

namespace linchpin::app {

namespace {

/// What CLI11 says, the words that it quotes on one line.
std::string failure_message(const CLI::App* command, const CLI::Error& error) {
  const std::string said = error.what();
  return base::foreign_text(said) + CLI::FailureMessage::simple(command, error).substr(said.size());
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

OptionModel model_of(const CLI::Option& option) {
  OptionModel model;
  for (const std::string& name : option.get_snames()) model.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) model.names.push_back("--" + name);
  if (model.names.empty()) model.names.push_back(option.get_name());
  if (option.get_items_expected_max() > 0) {
    model.value = option.get_option_text().empty() ? option.get_type_name() : option.get_option_text();
    while (!model.value.empty() && model.value.front() == ' ') model.value.erase(0, 1);
    if (model.value.empty()) model.value = option.get_positional() ? model.names.back() : option.get_type_name();
    if (model.value == "...") model.value = model.names.back() + " ...";
  }
  model.description = option.get_description();
  return model;
}

CommandModel model_of(const CLI::App& app, std::string name) {
  CommandModel model{.name = std::move(name),
                     .description = app.get_description(),
                     .footer = app.get_footer(),
                     .options = {},
                     .positionals = {}};
  for (const CLI::Option* const option : app.get_options()) {
    (option->get_positional() ? model.positionals : model.options).push_back(model_of(*option));
  }
  return model;
}

}  // namespace

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::option_text(const std::string& text) {
  option_->option_text(text);
  return *this;
}

Option& Option::type_name(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Option& Option::description(const std::string& text) {
  option_->description(text);
  return *this;
}

Option& Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

Option& Option::needs(const Option& other) {
  option_->needs(other.option_);
  return *this;
}

Option& Option::delimiter(char separator) {
  option_->delimiter(separator);
  return *this;
}

Option& Option::one_value_each() {
  option_->allow_extra_args(false);
  return *this;
}

Option& Option::show_default() {
  option_->capture_default_str();
  return *this;
}

template <class T>
Option& Option::between(T least, T most, bool in_help) {
  CLI::Range range(least, most);
  if (!in_help) range.description("");
  option_->check(range);
  return *this;
}

template Option& Option::between(int, int, bool);
template Option& Option::between(unsigned, unsigned, bool);
template Option& Option::between(std::int64_t, std::int64_t, bool);
template Option& Option::between(std::uint64_t, std::uint64_t, bool);
template Option& Option::between(double, double, bool);

Option& Option::one_of(const std::vector<std::string>& values) {
  option_->check(CLI::IsMember(values));
  return *this;
}

Command Command::add_subcommand(const std::string& name, const std::string& description) {
  return Command(app_->add_subcommand(name, description));
}

void Command::footer(const std::string& text) { app_->footer(text); }

void Command::callback(std::function<void()> run) { app_->callback(std::move(run)); }

void Command::before_parsing(std::function<void()> prepare) {
  app_->preparse_callback([prepare = std::move(prepare)](std::size_t) { prepare(); });
}

namespace {

/// Whether a text that CLI11 takes for an integer is one of 64 bits. It asks the standard library, which wraps negative
/// numbers around, and says only in passing that a number is too large.
template <class Integer>
bool holds(const std::string& text) {
  errno = 0;
  if constexpr (std::is_unsigned_v<Integer>) {
    if (text.find('-') != std::string::npos) return false;
    std::strtoull(text.c_str(), nullptr, 0);
  } else {
    std::strtoll(text.c_str(), nullptr, 0);
  }
  return errno != ERANGE;
}

/// Says of a text that is no such number what it should be: CLI11 says only that it cannot convert it.
template <class Number>
std::string no_number(const std::string& text) {
  Number number{};
  const bool taken = CLI::detail::lexical_cast(text, number);
  if constexpr (std::is_floating_point_v<Number>) {
    return taken && !std::isnan(number) ? std::string() : fmt::format("'{}' is not a number", text);
  }
  if (taken && holds<Number>(text)) return {};
  using Limits = std::numeric_limits<Number>;
  return fmt::format("'{}' is not a whole number from {} to {}", text, Limits::min(), Limits::max());
}

/// What is wrong with a text that is empty, as a variable of the shell that is not set leaves it: the option would
/// count as not given.
std::string nothing(const std::string& text) { return text.empty() ? "its value is empty" : ""; }

template <class T>
struct NumberOf : std::type_identity<T> {};
template <class T>
struct NumberOf<std::optional<T>> : std::type_identity<T> {};

}  // namespace

template <class T>
Option Command::add_option(const std::string& names, T& target, const std::string& description) {
  CLI::Option* const option = app_->add_option(names, target, description);
  using Number = typename NumberOf<T>::type;
  if constexpr (std::is_arithmetic_v<Number>) option->check(no_number<Number>);
  if constexpr (std::is_same_v<T, std::string>) option->check(nothing);
  return Option(option);
}

template Option Command::add_option(const std::string&, std::string&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<std::string>&, const std::string&);
template Option Command::add_option(const std::string&, std::uint32_t&, const std::string&);
template Option Command::add_option(const std::string&, std::uint64_t&, const std::string&);
template Option Command::add_option(const std::string&, std::int64_t&, const std::string&);
template Option Command::add_option(const std::string&, double&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<std::uint64_t>&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<double>&, const std::string&);

Option Command::add_parsed_option(const std::string& name, std::function<std::string(const std::string&)> take,
                                  const std::string& description) {
  return Option(app_->add_option_function<std::string>(
      name,
      [name, take = std::move(take)](const std::string& text) {
        const std::string wrong = text.empty() ? nothing(text) : take(text);
        if (!wrong.empty()) throw CLI::ValidationError(name, wrong);
      },
      description));
}

Option Command::add_choice_of_names(const std::string& name, const std::vector<std::string>& names,
                                    std::function<void(std::size_t)> take, const std::string& description) {
  return add_parsed_option(
             name,
             [names, take = std::move(take)](const std::string& text) {
               for (std::size_t i = 0; i < names.size(); ++i) {
                 if (names[i] != text) continue;
                 take(i);
                 return std::string();
               }
               return fmt::format("'{}' is none of {}", text, joined(names, ", "));
             },
             description)
      .option_text(joined(names, "|"));
}

Option Command::add_flag(const std::string& names, bool& target, const std::string& description) {
  return Option(app_->add_flag(names, target, description));
}

Option Command::add_flag_callback(const std::string& name, std::function<void()> given,
                                  const std::string& description) {
  return Option(app_->add_flag_callback(name, std::move(given), description));
}

Option Command::option(const std::string& name) { return Option(app_->get_option(name)); }

std::vector<CommandModel> Command::models() const {
  std::vector<CommandModel> commands{model_of(*app_, "")};
  for (const CLI::App* const command : app_->get_subcommands({})) {
    commands.push_back(model_of(*command, command->get_name()));
  }
  return commands;
}

std::vector<std::string> Command::given(const std::vector<std::string>& without) const {
  std::vector<std::string> all;
  for (const CLI::Option* const option : app_->get_options()) {
    const std::string name = option->get_positional() ? option->get_name(true) : option->get_name();
    if (option->count() == 0 || std::find(without.begin(), without.end(), name) != without.end()) continue;
    all.push_back(name + (option->get_items_expected_max() > 0 ? " " + joined(option->results(), " ") : ""));
  }
  std::sort(all.begin(), all.end());
  return all;
}

CommandLine::CommandLine(const std::string& name, const std::string& description, const std::string& version)
    : app_(std::make_unique<CLI::App>(description, name)) {
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
  app_->failure_message(failure_message);
}

CommandLine::~CommandLine() = default;

Command CommandLine::command() { return Command(app_.get()); }

namespace {

/// Of a first word that is no command; nothing: it is another error.
std::optional<std::string> unknown_command(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining();
  if (!app.get_subcommands().empty() || words.empty() || words[0].starts_with("-")) return std::nullopt;
  std::vector<std::string> names;
  for (const CLI::App* const command : app.get_subcommands({})) names.push_back(command->get_name());
  const std::string meant = near_name(words[0], names);
  return fmt::format("there is no command '{}'{}\nRun with --help for more information.\n",
                     base::foreign_text(words[0]), meant.empty() ? "" : fmt::format("; is '{}' meant?", meant));
}

}  // namespace

std::optional<Refusal> CommandLine::run(int argument_count, char** arguments) {
  try {
    app_->parse(argument_count, arguments);
  } catch (const CLI::ParseError& error) {
    std::ostringstream output, wrong;
    const bool usage_error = app_->exit(error, output, wrong) != 0;  // help and version also arrive here
    const auto unknown = usage_error ? unknown_command(*app_) : std::nullopt;
    return Refusal{.output = output.str(), .error = unknown.value_or(wrong.str()), .usage_error = usage_error};
  }
  return std::nullopt;
}

}  // namespace linchpin::app
