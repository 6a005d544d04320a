// linchpin types [TYPE]: the data types that `check --type` knows, or one of them with its methods.
#include <fmt/format.h>

#include "app/command.hpp"
#include "app/json_text.hpp"
#include "app/output.hpp"
#include "app/table.hpp"
#include "core/data_type.hpp"
#include "linchpin/check.hpp"

namespace linchpin::app {

namespace {

/// With the type's default options, which change no methods.
Result<std::shared_ptr<const Specification>> plain(const core::DataType& type) {
  return type.make({.name = std::string(type.name), .options = {}});
}

void print_as_json(std::span<const core::DataType> types) {
  for (const core::DataType& type : types) {
    nlohmann::ordered_json json;
    json["name"] = type.name;
    json["aliases"] = type.aliases;
    json["summary"] = type.summary;
    json["options"] = type.options;
    json["methods"] = nlohmann::ordered_json::array();
    if (const auto specification = plain(type)) {
      for (const Method& method : (*specification)->methods()) {
        json["methods"].push_back(
            {{"name", method.name}, {"least", method.least}, {"most", method.most}, {"aliases", method.aliases}});
      }
    }
    print_for_programs(json_line(json));
  }
}

void print_types_as_text() {
  std::vector<std::vector<std::string>> rows;
  for (const core::DataType& type : core::data_types()) {
    rows.push_back({std::string(type.name), std::string(type.summary), std::string(type.aliases)});
  }
  std::string text = aligned({{"type"}, {"what it does"}, {"also called"}}, rows);
  bool any_options = false;
  for (const core::DataType& type : core::data_types()) {
    if (type.options.empty()) continue;
    if (!any_options) text += "\nOptions, as in --type \"NAME option=value\":\n";
    any_options = true;
    text += "  " + std::string(type.name) + ": " + std::string(type.options) + "\n";
  }
  print(text + "\nThe methods of one: linchpin types NAME\n");
}

/// "0 or 1" where a method takes either.
std::string arguments_of(const Method& method) {
  if (method.least == method.most) return std::to_string(method.least);
  return fmt::format("{} {} {}", method.least, method.most == method.least + 1 ? "or" : "to", method.most);
}

void print_type_as_text(const core::DataType& type) {
  std::string text = fmt::format("{}: {}\n", type.name, type.summary);
  if (!type.aliases.empty()) text += fmt::format("also called: {}\n", type.aliases);
  if (!type.options.empty()) text += fmt::format("options: {}\n", type.options);
  std::vector<std::vector<std::string>> rows;
  if (const auto specification = plain(type)) {
    for (const Method& method : (*specification)->methods()) {
      rows.push_back({std::string(method.name), arguments_of(method), std::string(method.aliases)});
    }
  }
  print(text + "\n" + aligned({{"method"}, {"arguments"}, {"also called"}}, rows));
}

struct TypesOptions {
  bool json = false;
  std::string name;
};

int run(const TypesOptions& options) {
  if (options.name.empty()) {
    options.json ? print_as_json(core::data_types()) : print_types_as_text();
    return kLinearizable;
  }
  const core::DataType* const type = core::find_data_type(options.name);
  if (type == nullptr) {
    // What `check --type` says, with the names that come near.
    print_error(make_specification({.name = options.name, .options = {}}).error());
    return kBadInput;
  }
  options.json ? print_as_json({type, 1}) : print_type_as_text(*type);
  return kLinearizable;
}

}  // namespace

void add_types(Command app, int& exit_code) {
  Command command = app.add_subcommand("types", "List the data types, or the methods of one");
  const auto options = std::make_shared<TypesOptions>();
  command.add_option("TYPE", options->name, "A type's name, for its methods");
  command.add_flag("--json", options->json, "One JSON object a line");
  command.callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace linchpin::app
