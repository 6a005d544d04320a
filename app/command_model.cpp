#include "app/command_model.hpp"

#include <CLI/CLI.hpp>

#include "decide/choose.hpp"
#include "linchpin/check.hpp"

namespace linchpin::app {

namespace {

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  for (std::size_t end = 0; (end = text.find(separator)) != std::string_view::npos;
       text.remove_prefix(end + separator.size())) {
    parts.emplace_back(text.substr(0, end));
  }
  parts.emplace_back(text);
  return parts;
}

/// What an option may be set to, told by its name and by how the help calls its value: "concurrent|response-first".
std::vector<std::string> values_of(const std::string& option, const std::string& value, const std::string& command) {
  if (value.find('|') != std::string::npos) return split(value, "|");
  std::vector<std::string> values;
  if (value == "TYPE") {
    for (const TypeSummary& type : list_types()) values.emplace_back(type.name);
  } else if (value == "FORMAT") {
    const bool writes = command == "generate" || option == "--to";
    for (const FormatSummary& format : list_formats()) {
      if (writes ? format.writable : format.readable) values.emplace_back(format.name);
    }
  } else if (option == "--decider") {
    values = split(decide::decider_names(), ", ");
  }
  return values;
}

OptionModel model_of(const CLI::Option& option, const std::string& command) {
  OptionModel model;
  for (const std::string& name : option.get_snames()) model.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) model.names.push_back("--" + name);
  if (model.names.empty()) model.names.push_back(option.get_name());
  if (option.get_items_expected_max() > 0) {
    model.value = option.get_option_text().empty() ? option.get_type_name() : option.get_option_text();
    while (!model.value.empty() && model.value.front() == ' ') model.value.erase(0, 1);
    if (model.value.empty()) model.value = option.get_positional() ? model.names.back() : option.get_type_name();
    if (model.value == "...") model.value = model.names.back() + " ...";
    model.values = values_of(model.names.back(), model.value, command);
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
    (option->get_positional() ? model.positionals : model.options).push_back(model_of(*option, model.name));
  }
  return model;
}

}  // namespace

std::vector<CommandModel> describe_commands(const CLI::App& app) {
  std::vector<CommandModel> commands{model_of(app, "")};
  for (const CLI::App* const command : app.get_subcommands({})) {
    commands.push_back(model_of(*command, command->get_name()));
  }
  return commands;
}

}  // namespace linchpin::app
