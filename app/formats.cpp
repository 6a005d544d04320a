// linchpin formats: the formats that `check --format` and `convert --to` know.

#include "app/command.hpp"
#include "app/json_text.hpp"
#include "app/output.hpp"
#include "app/table.hpp"
#include "linchpin/check.hpp"

namespace linchpin::app {

namespace {

void print_formats_as_json() {
  for (const FormatSummary& format : list_formats()) {
    nlohmann::ordered_json json;
    json["name"] = format.name;
    json["summary"] = format.summary;
    json["readable"] = format.readable;
    json["writable"] = format.writable;
    print_for_programs(json_line(json));
  }
}

void print_formats_as_text() {
  std::vector<std::vector<std::string>> rows;
  for (const FormatSummary& format : list_formats()) {
    rows.push_back({std::string(format.name), format.readable ? "yes" : "no", format.writable ? "yes" : "no",
                    std::string(format.summary)});
  }
  print(aligned({{"format"}, {"read"}, {"write"}, {"what it is"}}, rows));
}

}  // namespace

void add_formats(Command app, int& /*exit_code*/) {
  Command command = app.add_subcommand("formats", "List the formats of histories");
  const auto json = std::make_shared<bool>(false);
  command.add_flag("--json", *json, "One JSON object a line");
  command.callback([json] { *json ? print_formats_as_json() : print_formats_as_text(); });
}

}  // namespace linchpin::app
