// The report in JSON. docs/json.md lists the fields; fields may be added, and none is renamed.
#include <nlohmann/json.hpp>

#include "api/json/verdict_json.hpp"
#include "app/json_text.hpp"
#include "app/report.hpp"

namespace linchpin::app {

namespace {

using Json = nlohmann::ordered_json;

class JsonReport final : public Report {
 public:
  JsonReport(WriteLine write, const CheckOptions& options) : write_(std::move(write)), options_(options) {}

  void verdict(const Origin& origin, const History& history, const HistoryVerdict& verdict,
               std::span<const SavedViolation> saved) override {
    Json json;
    json["file"] = origin.file;
    json["index"] = origin.index;
    api::add_verdict(json, history, verdict, options_);
    for (const SavedViolation& each : saved) {
      for (std::size_t k = 0; k < verdict.objects.size(); ++k) {
        if (each.object != verdict.objects[k].object) continue;
        json["objects"][k]["saved"] = {{"history", each.history}, {"core", each.core}};
      }
    }
    write_(json_line(json));
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
    write_(json_line(json));
  }

 private:
  WriteLine write_;
  CheckOptions options_;
};

class QuietReport final : public Report {
 public:
  void verdict(const Origin&, const History&, const HistoryVerdict&, std::span<const SavedViolation>) override {}
  void error(const Origin&, const Error&) override {}
};

}  // namespace

std::unique_ptr<Report> make_json_report(WriteLine write, const CheckOptions& options) {
  return std::make_unique<JsonReport>(std::move(write), options);
}
std::unique_ptr<Report> make_quiet_report() { return std::make_unique<QuietReport>(); }

}  // namespace linchpin::app
