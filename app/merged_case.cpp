#include "app/merged_case.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace linchpin::app {

namespace {

using ParsedJson = nlohmann::json;

std::string text_of(const ParsedJson& json, const char* name) {
  return json.contains(name) && json[name].is_string() ? json[name].get<std::string>() : std::string();
}

std::string operation_text(const ParsedJson& operation) {
  std::string arguments;
  for (const ParsedJson& each : operation.at("arguments")) {
    arguments += (arguments.empty() ? "" : ", ") + each.get<std::string>();
  }
  const ParsedJson& response = operation.at("response");
  const ParsedJson& result = operation.at("result");
  return fmt::format(
      "process {}: {}({}){} [{}, {}]{}", operation.at("process").get<std::string>(),
      operation.at("method").get<std::string>(), arguments, result.is_null() ? "" : " -> " + result.get<std::string>(),
      operation.at("call").get<std::int64_t>(),
      response.is_null() ? "pending" : std::to_string(response.get<std::int64_t>()),
      operation.at("line") == 0 ? "" : fmt::format(" line {}", operation.at("line").get<std::uint64_t>()));
}

Answer answer_named(const std::string& verdict) {
  return verdict == "violation" ? Answer::violation : verdict == "unknown" ? Answer::unknown : Answer::linearizable;
}

void add_object(const ParsedJson& object, MergedCase each, std::vector<MergedCase>& cases) {
  const std::string name = text_of(object, "object");
  if (!name.empty()) each.test += ", object " + name;
  each.answer = answer_named(text_of(object, "verdict"));
  each.sentence = each.answer == Answer::violation ? text_of(object, "sentence") : text_of(object, "reason");
  if (each.answer == Answer::violation && !object.contains("sentence")) {  // of depth, which looks for witnesses only
    each.sentence = "no schedule is a witness; linchpin check says why";
  }
  const auto explanation = object.find("explanation");
  if (each.answer == Answer::violation && explanation != object.end() && explanation->is_object()) {
    const ParsedJson blocked = explanation->value("blocked", ParsedJson());
    for (const ParsedJson& operation : explanation->at("core")) {
      each.core.push_back(operation_text(operation));
      const auto line = operation.at("line").get<std::uint64_t>();
      // The one that has no place comes first: it is where a code host shows the violation.
      const bool first = !blocked.is_null() && operation.at("number") == blocked;
      each.lines.insert(first ? each.lines.begin() : each.lines.end(), line);
    }
  }
  cases.push_back(std::move(each));
}

MergedCase exploration(const ParsedJson& json, MergedCase each) {
  const std::string finding = json.at("finding");
  each.test = "exploration";
  each.sentence = text_of(json, json.contains("error") ? "error" : "message");
  if (each.sentence.empty() && each.answer == Answer::unknown) each.sentence = "not all was covered";
  if (finding != "none") each.sentence = fmt::format("{}: {}", finding, each.sentence);
  if (const std::string scenario = text_of(json, "scenario"); !scenario.empty()) {
    each.core = {"scenario: " + scenario, "token: " + text_of(json, "token")};
  }
  return each;
}

}  // namespace

std::vector<MergedCase> cases_of(const std::string& command, const std::string& line) {
  const ParsedJson json = ParsedJson::parse(line);
  MergedCase each;
  each.input = json.contains("file") ? text_of(json, "file") : text_of(json, "name");
  each.answer = answer_of_line(json);
  if (json.contains("seconds")) each.seconds = json["seconds"];
  if (command == "explore") return {exploration(json, std::move(each))};
  each.test = command == "stress" ? "rounds" : fmt::format("history {}", json.value("index", 0));
  if (each.answer == Answer::error) {
    each.sentence = text_of(json.at("error"), "message");
    each.lines = {json.at("error").at("line").get<std::uint64_t>()};
    return {each};
  }
  std::vector<MergedCase> cases;
  const ParsedJson& decided = command == "stress" ? json.at("round") : json;
  if (decided.is_object()) {
    for (const ParsedJson& object : decided.at("objects")) {
      add_object(object, each, cases);
      each.seconds = 0;  // the first has the time of all
    }
  }
  if (cases.empty()) {
    each.sentence = command == "stress" ? text_of(json, "exception") : text_of(json, "reason");
    cases.push_back(std::move(each));
  }
  return cases;
}

}  // namespace linchpin::app
