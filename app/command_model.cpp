#include "app/command_model.hpp"

#include "app/options.hpp"
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

}  // namespace

std::vector<CommandModel> describe_commands(Command app) {
  std::vector<CommandModel> commands = app.models();
  for (CommandModel& command : commands) {
    for (std::vector<OptionModel>* const options : {&command.options, &command.positionals}) {
      for (OptionModel& option : *options) {
        if (!option.value.empty()) option.values = values_of(option.names.back(), option.value, command.name);
      }
    }
  }
  return commands;
}

}  // namespace linchpin::app
