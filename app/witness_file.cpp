#include "app/witness_file.hpp"

#include <fmt/format.h>

#include "app/json_text.hpp"
#include "app/operation_table.hpp"
#include "app/output.hpp"
#include "base/foreign_text.hpp"

namespace linchpin::app {

namespace {

using Json = nlohmann::ordered_json;

std::string json_witnesses(const Origin& origin, const HistoryVerdict& verdict) {
  Json json;
  json["file"] = origin.file;
  json["index"] = origin.index;
  json["verdict"] = name(verdict.verdict);
  json["objects"] = Json::array();
  for (const ObjectVerdict& object : verdict.objects) {
    Json entry;
    entry["object"] = object.name;
    entry["type"] = object.type;
    entry["verdict"] = name(object.verdict);
    entry["order"] = object.witness ? Json(object.witness->order) : Json(nullptr);
    entry["omitted"] = object.witness ? Json(object.witness->omitted) : Json(nullptr);
    json["objects"].push_back(std::move(entry));
  }
  return json_line(json);
}

/// "process call response method arguments [-> result]", as in the native text format.
std::string native_line(const History& history, OperationIndex i) {
  const std::string process = base::foreign_text(history.process_name(history.process(i)));
  std::string line =
      fmt::format("{} {} {} {}", process.empty() ? "-" : process, history.call(i), tick_text(history.response(i)),
                  base::foreign_text(history.method_name(history.method(i))));
  for (const Value argument : history.arguments(i)) line.append(" ").append(history.pool().to_text(argument));
  if (!history.result(i).is_none() && !history.pending(i))
    line.append(" -> ").append(history.pool().to_text(history.result(i)));
  return line + "\n";
}

std::string text_witnesses(const Origin& origin, const History& history, const HistoryVerdict& verdict) {
  std::string text;
  for (const ObjectVerdict& object : verdict.objects) {
    text += fmt::format("# {} #{}{}{}, {}: {}\n", base::foreign_text(origin.file), origin.index,
                        object.name.empty() ? "" : ", object ", base::foreign_text(object.name),
                        base::foreign_text(object.type), name(object.verdict));
    if (!object.witness) continue;
    text += "# in this order:\n";
    for (const OperationIndex i : object.witness->order) text += native_line(history, i);
    if (!object.witness->omitted.empty()) text += "# pending, without effect:\n";
    for (const OperationIndex i : object.witness->omitted) text.append("# ").append(native_line(history, i));
  }
  return text;
}

}  // namespace

Result<WitnessFile> WitnessFile::open(const std::string& path) {
  WitnessFile file;
  file.json_ = path.ends_with(".json") || path.ends_with(".jsonl");
  if (path == "-") return file;
  auto opened = base::OutputFile::create(path);
  if (!opened) return opened.error();
  file.file_.emplace(std::move(*opened));
  return file;
}

Result<void> WitnessFile::add(const Origin& origin, const History& history, const HistoryVerdict& verdict) {
  const std::string text = json_ ? json_witnesses(origin, verdict) : text_witnesses(origin, history, verdict);
  if (file_) return file_->write(text);
  print_for_programs(text);  // what goes wrong there is known to `output_failed`
  return {};
}

Result<void> WitnessFile::close() { return file_ ? file_->finish() : Result<void>(); }

}  // namespace linchpin::app
