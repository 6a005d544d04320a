#include "app/witness_file.hpp"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "app/json_text.hpp"
#include "app/operation_table.hpp"

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
  const std::string process = history.process_name(history.process(i));
  std::string line = fmt::format("{} {} {} {}", process.empty() ? "-" : process, history.call(i),
                                 tick_text(history.response(i)), history.method_name(history.method(i)));
  for (const Value argument : history.arguments(i)) line.append(" ").append(history.pool().to_text(argument));
  if (!history.result(i).is_none() && !history.pending(i))
    line.append(" -> ").append(history.pool().to_text(history.result(i)));
  return line + "\n";
}

std::string text_witnesses(const Origin& origin, const History& history, const HistoryVerdict& verdict) {
  std::string text;
  for (const ObjectVerdict& object : verdict.objects) {
    text += fmt::format("# {} #{}{}{}, {}: {}\n", origin.file, origin.index, object.name.empty() ? "" : ", object ",
                        object.name, object.type, name(object.verdict));
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
  file.path_ = path;
  file.json_ = path.ends_with(".json") || path.ends_with(".jsonl");
  file.file_.reset(path == "-" ? stdout : std::fopen(path.c_str(), "w"));
  if (!file.file_) return file.cannot_write();
  return file;
}

Result<void> WitnessFile::add(const Origin& origin, const History& history, const HistoryVerdict& verdict) {
  const std::string text = json_ ? json_witnesses(origin, verdict) : text_witnesses(origin, history, verdict);
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) return cannot_write();
  return {};
}

Result<void> WitnessFile::close() {
  if (std::fflush(file_.get()) != 0) return cannot_write();
  file_.reset();
  return {};
}

Error WitnessFile::cannot_write() const {
  return Error{.code = ErrorCode::io, .source = path_, .message = std::string("cannot write: ") + std::strerror(errno)};
}

}  // namespace linchpin::app
