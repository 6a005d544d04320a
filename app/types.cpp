// linchpin types: the data types that `check --type` knows.
#include <CLI/CLI.hpp>

#include "app/command.hpp"
#include "app/json_text.hpp"
#include "app/output.hpp"
#include "app/table.hpp"
#include "linchpin/check.hpp"

namespace linchpin::app {

namespace {

void print_types_as_json() {
  for (const TypeSummary& type : list_types()) {
    nlohmann::ordered_json json;
    json["name"] = type.name;
    json["aliases"] = type.aliases;
    json["summary"] = type.summary;
    json["options"] = type.options;
    print(json_line(json));
  }
}

void print_types_as_text() {
  std::vector<std::vector<std::string>> rows;
  for (const TypeSummary& type : list_types()) {
    rows.push_back({std::string(type.name), std::string(type.summary), std::string(type.aliases)});
  }
  std::string text = aligned({{"type"}, {"what it does"}, {"also called"}}, rows);
  bool any_options = false;
  for (const TypeSummary& type : list_types()) {
    if (type.options.empty()) continue;
    if (!any_options) text += "\nOptions, as in --type \"NAME option=value\":\n";
    any_options = true;
    text += "  " + std::string(type.name) + ": " + std::string(type.options) + "\n";
  }
  print(text);
}

}  // namespace

void add_types(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("types", "List the data types");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "One JSON object a line");
  command->callback([json, &exit_code] {
    *json ? print_types_as_json() : print_types_as_text();
    exit_code = output_failed() ? kBadInput : kLinearizable;
  });
}

}  // namespace linchpin::app
