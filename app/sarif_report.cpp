// SARIF 2.1.0 (OASIS), as code hosts show it beside the file: a result a violation, at the line of the operation that
// cannot be placed, with the other operations of the core as related places. Inputs that cannot be read, and verdicts
// that are unknown, are notifications of the run.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/report.hpp"
#include "app/verdict_text.hpp"
#include "base/foreign_text.hpp"
#include "base/uri.hpp"
#include "explain/shortened.hpp"
#include "history/caveats.hpp"

namespace linchpin::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostRelated = 100;

Json place_json(const std::string& file, std::uint32_t line, std::uint32_t column) {
  Json place;
  place["physicalLocation"]["artifactLocation"]["uri"] = file == "-" ? "stdin" : base::uri_path(file);
  if (line > 0) {
    place["physicalLocation"]["region"]["startLine"] = line;
    if (column > 0) place["physicalLocation"]["region"]["startColumn"] = column;
  }
  return place;
}

class SarifReport final : public Report {
 public:
  explicit SarifReport(base::OutputFile file) : file_(std::move(file)) {}

  void verdict(const Origin& origin, const History& history, const HistoryVerdict& verdict,
               std::span<const SavedViolation> saved) override {
    for (const ObjectVerdict& object : verdict.objects) {
      if (object.violation) {
        results_.push_back(result_json(origin, history, object, saved));
      } else if (object.verdict == Verdict::unknown) {
        notify("note", fmt::format("{}: unknown: {}", label(origin), name(object.reason)),
               place_json(origin.file, 0, 0));
      }
      if (object.refused_order) {
        const std::vector<OperationIndex>& operations = object.refused_order->operations;
        const Place place = operations.empty() ? Place{} : history.place(operations.back());
        notify("warning", refused_order(history, *object.refused_order),
               place_json(origin.file, place.line, place.column));
      }
    }
  }

  void error(const Origin& origin, const Error& error) override {
    successful_ = false;
    notify("error", error.to_string(), place_json(origin.file, error.line, error.column));
  }

  Result<void> end() override {
    Json rule;
    rule["id"] = "not-linearizable";
    rule["shortDescription"]["text"] = "The history is not linearizable";
    rule["fullDescription"]["text"] =
        "No order of the operations, each somewhere between its call and its return, explains every result.";
    rule["defaultConfiguration"]["level"] = "error";
    Json run;
    run["tool"]["driver"]["name"] = "linchpin";
    run["tool"]["driver"]["version"] = LINCHPIN_VERSION;
    run["tool"]["driver"]["rules"] = Json::array({rule});
    Json invocation;
    invocation["executionSuccessful"] = successful_;
    invocation["toolExecutionNotifications"] = notifications_;
    run["invocations"] = Json::array({invocation});
    run["results"] = results_;
    Json log;
    log["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
    log["version"] = "2.1.0";
    log["runs"] = Json::array({run});
    auto written = file_.write(log.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
    return written ? file_.finish() : written;
  }

 private:
  static Json result_json(const Origin& origin, const History& history, const ObjectVerdict& object,
                          std::span<const SavedViolation> saved) {
    const Violation& violation = *object.violation;
    const auto place = [&](OperationIndex i) {
      return place_json(origin.file, history.place(i).line, history.place(i).column);
    };
    const OperationIndex shown = violation.blocked.value_or(violation.core.empty() ? 0 : violation.core.back());
    Json result;
    result["ruleId"] = "not-linearizable";
    result["ruleIndex"] = 0;
    result["level"] = "error";
    result["message"]["text"] = base::foreign_text(violation.sentence);
    result["locations"] = Json::array({place(shown)});
    result["relatedLocations"] = Json::array();
    std::vector<OperationIndex> related_operations = violation.core;
    related_operations.insert(related_operations.end(), violation.context.begin(), violation.context.end());
    const explain::Shortened shortened(history, related_operations, violation.sentence);
    const auto relate = [&](OperationIndex i, std::string_view what) {
      Json related = place(i);
      related["id"] = result["relatedLocations"].size();
      related["message"]["text"] = shortened.describe(i).append(what);
      result["relatedLocations"].push_back(std::move(related));
    };
    for (std::size_t k = 0; k < violation.core.size() && k < kMostRelated; ++k) relate(violation.core[k], "");
    for (const OperationIndex i : violation.context) relate(i, " (context)");
    Json properties;
    properties["history"] = origin.index;
    properties["object"] = object.name;
    properties["type"] = object.type;
    properties["core"] = violation.core;
    if (!violation.context.empty()) properties["context"] = violation.context;
    for (const std::string_view missing : history::what_is_missing(history)) properties["missing"].push_back(missing);
    for (const std::string_view assumed : history::what_is_assumed(history, Verdict::violation)) {
      properties["assumed"].push_back(assumed);
    }
    if (violation.start) properties["coreType"] = violation.start->type;
    for (const SavedViolation& each : saved) {
      if (each.object == object.object) properties["saved"] = {{"history", each.history}, {"core", each.core}};
    }
    result["properties"] = std::move(properties);
    return result;
  }

  void notify(std::string_view level, const std::string& text, Json place) {
    Json notification;
    notification["level"] = level;
    notification["message"]["text"] = text;
    notification["locations"] = Json::array({std::move(place)});
    notifications_.push_back(std::move(notification));
  }

  base::OutputFile file_;
  Json results_ = Json::array(), notifications_ = Json::array();
  bool successful_ = true;
};

}  // namespace

std::unique_ptr<Report> make_sarif_report(base::OutputFile file) {
  return std::make_unique<SarifReport>(std::move(file));
}

}  // namespace linchpin::app
