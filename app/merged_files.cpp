#include "app/merged_files.hpp"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/junit_suites.hpp"
#include "app/quantities.hpp"
#include "base/foreign_text.hpp"
#include "base/uri.hpp"
#include "base/xml_text.hpp"

namespace linchpin::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostOfMergedCore = 40;  // operations of a core
constexpr std::size_t kMostOnPage = 1000;      // of a page

std::string core_text(const MergedCase& each) {
  std::string text;
  for (std::size_t i = 0; i < each.core.size() && i < kMostOfMergedCore; ++i)
    text += base::foreign_text(each.core[i]) + "\n";
  if (each.core.size() > kMostOfMergedCore) text += fmt::format("and {} more\n", each.core.size() - kMostOfMergedCore);
  return text;
}

class Junit final : public MergedFile {
 public:
  explicit Junit(base::OutputFile file) : file_(std::move(file)) {}

  void add(const MergedCase& each) override {
    if (each.input != input_ || suites_.empty()) {
      input_ = each.input;
      suites_.emplace_back();
      suites_.back().name = each.input;
    }
    std::string content;
    JunitSuite& suite = suites_.back();
    if (each.answer == Answer::violation) {
      ++suite.failures;
      content = fmt::format("      <failure type=\"violation\" message=\"{}\">{}</failure>\n",
                            base::xml_name(each.sentence), base::xml_text(core_text(each)));
    } else if (each.answer == Answer::unknown) {
      ++suite.skipped;
      content = fmt::format("      <skipped message=\"unknown: {}\"/>\n", base::xml_name(each.sentence));
    } else if (each.answer == Answer::error) {
      ++suite.errors;
      content = fmt::format("      <error type=\"input\" message=\"{}\"/>\n", base::xml_name(each.sentence));
    }
    test(suite, each.test, each.seconds, content);
  }

  Result<void> end(const MergedWhole& whole) override {
    if (!whole.problems.empty()) {
      suites_.emplace_back();
      suites_.back().name = "linchpin merge";
    }
    for (const std::string& problem : whole.problems) {
      ++suites_.back().errors;
      test(suites_.back(), "the campaign is whole", 0,
           fmt::format("      <error type=\"incomplete\" message=\"{}\"/>\n", base::xml_name(problem)));
    }
    auto written = file_.write(junit_document(suites_));
    return written ? file_.finish() : written;
  }

 private:
  static void test(JunitSuite& suite, const std::string& name, double seconds, const std::string& content) {
    suite.open_case(name, seconds);
    suite.seconds += seconds;
    suite.cases += content + "    </testcase>\n";
  }

  base::OutputFile file_;
  std::string input_;
  std::vector<JunitSuite> suites_;
};

class Sarif final : public MergedFile {
 public:
  explicit Sarif(base::OutputFile file) : file_(std::move(file)) {}

  void add(const MergedCase& each) override {
    if (each.answer == Answer::linearizable) return;
    if (each.answer != Answer::violation) {
      successful_ = successful_ && each.answer != Answer::error;
      notify(each.answer == Answer::error ? "error" : "note",
             fmt::format("{}: {}: {}", each.input, each.test, each.sentence), place(each, 0));
      return;
    }
    Json result;
    result["ruleId"] = "not-linearizable";
    result["ruleIndex"] = 0;
    result["level"] = "error";
    result["message"]["text"] = base::foreign_text(each.sentence.empty() ? each.test : each.sentence);
    result["locations"] = Json::array({place(each, 0)});
    result["relatedLocations"] = Json::array();
    for (std::size_t i = 0; i < each.lines.size() && i < kMostOfMergedCore; ++i) {
      Json related = place(each, i);
      related["id"] = i;
      result["relatedLocations"].push_back(std::move(related));
    }
    result["properties"] = {{"test", each.test}, {"operations", each.core}};
    results_.push_back(std::move(result));
  }

  Result<void> end(const MergedWhole& whole) override {
    for (const std::string& problem : whole.problems) {
      successful_ = false;
      notify("error", "incomplete: " + problem, {});
    }
    Json rule;
    rule["id"] = "not-linearizable";
    rule["shortDescription"]["text"] = "The history is not linearizable";
    rule["defaultConfiguration"]["level"] = "error";
    Json run;
    run["tool"]["driver"] = {{"name", "linchpin"}, {"version", LINCHPIN_VERSION}, {"rules", Json::array({rule})}};
    Json invocation = {{"executionSuccessful", successful_}, {"toolExecutionNotifications", notifications_}};
    run["invocations"] = Json::array({invocation});
    run["results"] = results_;
    const Json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({run})}};
    auto written = file_.write(log.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
    return written ? file_.finish() : written;
  }

 private:
  static Json place(const MergedCase& each, std::size_t i) {
    Json place;
    place["physicalLocation"]["artifactLocation"]["uri"] = base::uri_path(each.input);
    if (i < each.lines.size() && each.lines[i] > 0) {
      place["physicalLocation"]["region"]["startLine"] = each.lines[i];
    }
    return place;
  }

  void notify(std::string_view level, const std::string& text, const Json& where) {
    Json notification;
    notification["level"] = level;
    notification["message"]["text"] = text;
    if (!where.is_null()) notification["locations"] = Json::array({where});
    notifications_.push_back(std::move(notification));
  }

  base::OutputFile file_;
  Json results_ = Json::array(), notifications_ = Json::array();
  bool successful_ = true;
};

class Page final : public MergedFile {
 public:
  explicit Page(base::OutputFile file) : file_(std::move(file)) {}

  void add(const MergedCase& each) override {
    if (each.answer == Answer::linearizable) return;
    if (++found_ > kMostOnPage) return;
    const std::string_view kind = each.answer == Answer::violation ? "violation"
                                  : each.answer == Answer::unknown ? "unknown"
                                                                   : "error";
    body_ += fmt::format("<section class=\"{}\"><h2>{}: {}, {}</h2><p>{}</p>", kind, kind, base::xml_text(each.input),
                         base::xml_text(each.test), base::xml_text(base::foreign_text(each.sentence)));
    if (!each.core.empty()) body_ += fmt::format("<pre>{}</pre>", base::xml_text(core_text(each)));
    body_ += "</section>\n";
  }

  Result<void> end(const MergedWhole& whole) override {
    std::string problems;
    for (const std::string& problem : whole.problems) {
      problems += fmt::format("<p class=\"incomplete\">incomplete: {}</p>\n", base::xml_text(problem));
    }
    if (found_ > kMostOnPage) body_ += fmt::format("<p>and {} more</p>\n", grouped(found_ - kMostOnPage));
    auto written = file_.write(
        fmt::format("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>linchpin: {}</title>\n"
                    "<style>body{{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}}"
                    "h2{{font-size:1.1em}}pre{{overflow-x:auto;background:#f4f4f4;padding:.6em}}"
                    ".violation h2,.incomplete{{color:#a00}}.unknown h2,.error h2{{color:#850}}</style></head><body>\n"
                    "<h1>{}</h1>\n<p>{}</p>\n{}{}</body></html>\n",
                    whole.verdict, whole.verdict, base::xml_text(whole.headline), problems, body_));
    return written ? file_.finish() : written;
  }

 private:
  base::OutputFile file_;
  std::string body_;
  std::size_t found_ = 0;
};

}  // namespace

std::unique_ptr<MergedFile> make_merged_junit(base::OutputFile file) {
  return std::make_unique<Junit>(std::move(file));
}
std::unique_ptr<MergedFile> make_merged_sarif(base::OutputFile file) {
  return std::make_unique<Sarif>(std::move(file));
}
std::unique_ptr<MergedFile> make_merged_page(base::OutputFile file) { return std::make_unique<Page>(std::move(file)); }

}  // namespace linchpin::app
