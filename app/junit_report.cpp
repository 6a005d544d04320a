// JUnit's XML, as CI servers read it: a test suite a file, a test case an object of a history. A violation is a failure
// with its sentence and operations, an input that cannot be read is an error, and unknown is a skipped test: the exit
// code tells it from success.
#include <fmt/format.h>

#include "app/junit_suites.hpp"
#include "app/operation_table.hpp"
#include "app/report.hpp"
#include "app/verdict_text.hpp"
#include "base/foreign_text.hpp"
#include "base/xml_text.hpp"
#include "history/caveats.hpp"

namespace linchpin::app {

namespace {

constexpr std::size_t kMostOfJunitCore = 40;  // operations of a core

class JunitReport final : public Report {
 public:
  explicit JunitReport(base::OutputFile file) : file_(std::move(file)) {}

  void verdict(const Origin& origin, const History& history, const HistoryVerdict& verdict,
               std::span<const SavedViolation> saved) override {
    JunitSuite& suite = suite_of(origin);
    suite.seconds += verdict.seconds;
    std::string caveats;
    for (const std::string_view each : history::caveats(history, verdict.verdict)) caveats += fmt::format("{}\n", each);
    for (const ObjectVerdict& object : verdict.objects) {
      const bool first = &object == verdict.objects.data();
      open(suite, origin, object.name, first ? verdict.seconds : 0);
      if (object.violation) {
        ++suite.failures;
        suite.cases +=
            fmt::format("      <failure type=\"violation\" message=\"{}\">{}</failure>\n",
                        base::xml_name(object.violation->sentence), base::xml_text(details(history, object, saved)));
      } else if (object.verdict == Verdict::unknown) {
        ++suite.skipped;
        suite.cases += fmt::format("      <skipped message=\"unknown: {}\"/>\n", name(object.reason));
      }
      std::string beside = caveats;
      if (object.refused_order) beside += refused_order(history, *object.refused_order);
      if (!beside.empty()) suite.cases += fmt::format("      <system-out>{}</system-out>\n", base::xml_text(beside));
      suite.cases += "    </testcase>\n";
    }
  }

  void error(const Origin& origin, const Error& error) override {
    JunitSuite& suite = suite_of(origin);
    ++suite.errors;
    open(suite, origin, "", 0);
    suite.cases += fmt::format("      <error type=\"{}\" message=\"{}\">{}</error>\n    </testcase>\n",
                               name(error.code), base::xml_name(error.message), base::xml_text(error.to_string()));
  }

  Result<void> end() override {
    auto written = file_.write(junit_document(suites_));
    return written ? file_.finish() : written;
  }

 private:
  JunitSuite& suite_of(const Origin& origin) {
    if (suites_.empty() || suites_.back().name != origin.file) {
      suites_.emplace_back();
      suites_.back().name = origin.file;
    }
    return suites_.back();
  }

  static void open(JunitSuite& suite, const Origin& origin, const std::string& object, double seconds) {
    std::string test = origin.one_of_several ? fmt::format("history {}", origin.index) : std::string("history");
    if (!object.empty()) test += fmt::format(", object {}", object);
    suite.open_case(test, seconds);
  }

  static std::string details(const History& history, const ObjectVerdict& object,
                             std::span<const SavedViolation> saved) {
    const Violation& violation = *object.violation;
    std::string text = fmt::format("{}\n\n", base::foreign_text(violation.sentence));
    if (violation.start) text += fmt::format("{}; then\n", start_of_core(*violation.start));
    const auto shown = std::span(violation.core).first(std::min(violation.core.size(), kMostOfJunitCore));
    text += core_table(history, violation, shown, 0);
    if (shown.size() < violation.core.size())
      text += fmt::format("and {} more\n", violation.core.size() - shown.size());
    if (!violation.context.empty()) text += fmt::format("{}\n", context_note());
    for (const SavedViolation& each : saved) {
      if (each.object == object.object) {
        text += fmt::format("\nsaved in {} and {}\n", base::foreign_text(each.core), base::foreign_text(each.history));
      }
    }
    return text;
  }

  base::OutputFile file_;
  std::vector<JunitSuite> suites_;
};

}  // namespace

std::unique_ptr<Report> make_junit_report(base::OutputFile file) {
  return std::make_unique<JunitReport>(std::move(file));
}

}  // namespace linchpin::app
