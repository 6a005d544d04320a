// docs/json.md lists the fields; they may be added to, never renamed.
#include <nlohmann/json.hpp>

#include "app/json_text.hpp"
#include "app/output.hpp"
#include "app/report.hpp"

namespace linchpin::app {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

std::string reason_text(Reason reason) { return reason == Reason::none ? std::string() : std::string(name(reason)); }

Json object_json(const ObjectVerdict& object) {
  const Violation none;
  const Violation& violation = object.violation ? *object.violation : none;
  Json json;
  json["object"] = object.name;
  json["type"] = object.type;
  json["verdict"] = name(object.verdict);
  json["reason"] = reason_text(object.reason);
  json["decider"] = object.decider;
  json["why"] = object.why;
  json["operations"] = object.operations;
  json["pending"] = object.pending;
  json["core"] = violation.core;
  json["minimal"] = violation.minimal;
  json["sentence"] = violation.sentence;
  json["blocked"] = value_or_null(violation.blocked);
  json["longest"] = object.violation ? violation.longest.size() : object.longest.size();
  json["reached"] = value_or_null(object.reached);
  json["witness_checked"] = value_or_null(object.witness_checked);
  json["core_checked"] = value_or_null(object.core_checked);
  json["depth"] = nullptr;
  return json;
}

class JsonReport final : public Report {
 public:
  void verdict(const Origin& origin, const History& /*history*/, const HistoryVerdict& verdict) override {
    Json json;
    json["file"] = origin.file;
    json["index"] = origin.index;
    json["verdict"] = name(verdict.verdict);
    json["reason"] = reason_text(verdict.reason);
    json["operations"] = verdict.operations;
    json["pending"] = verdict.pending;
    json["seconds"] = verdict.seconds;
    json["peak_bytes"] = verdict.peak_bytes;
    json["objects"] = Json::array();
    for (const ObjectVerdict& object : verdict.objects) json["objects"].push_back(object_json(object));
    print(json_line(json));
  }

  void error(const Origin& origin, const Error& error) override {
    Json json;
    json["file"] = origin.file;
    json["index"] = origin.index;
    json["error"] = {{"code", name(error.code)},
                     {"line", error.line},
                     {"column", error.column},
                     {"message", error.message},
                     {"hint", error.hint}};
    print(json_line(json));
  }
};

class QuietReport final : public Report {
 public:
  void verdict(const Origin&, const History&, const HistoryVerdict&) override {}
  void error(const Origin&, const Error&) override {}
};

}  // namespace

std::unique_ptr<Report> make_json_report() { return std::make_unique<JsonReport>(); }
std::unique_ptr<Report> make_quiet_report() { return std::make_unique<QuietReport>(); }

}  // namespace linchpin::app
