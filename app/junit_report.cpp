// JUnit's XML, as CI servers read it: a test suite a file, a test case an object of a history. A violation is a failure
// with its sentence and operations, an input that cannot be read is an error, and unknown is a skipped test: the exit
// code tells it from success.
#include <fmt/format.h>

#include "app/operation_table.hpp"
#include "app/report.hpp"
#include "app/verdict_text.hpp"
#include "base/foreign_text.hpp"
#include "base/xml_text.hpp"
#include "history/missing.hpp"

namespace linchpin::app {

namespace {

constexpr std::size_t kMostListed = 40;  // operations of a core

struct Suite {
  std::string file, cases;
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;
};

std::string counts(const Suite& suite) {
  return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}" time="{:.3f}")", suite.tests, suite.failures,
                     suite.errors, suite.skipped, suite.seconds);
}

class JunitReport final : public Report {
 public:
  explicit JunitReport(base::OutputFile file) : file_(std::move(file)) {}

  void verdict(const Origin& origin, const History& history, const HistoryVerdict& verdict,
               std::span<const SavedViolation> saved) override {
    Suite& suite = suite_of(origin);
    suite.seconds += verdict.seconds;
    std::string missing;
    for (const std::string_view each : history::what_is_missing(history)) missing += fmt::format("{}\n", each);
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
      std::string beside = missing;
      if (object.refused_order) beside += refused_order(history, *object.refused_order);
      if (!beside.empty()) suite.cases += fmt::format("      <system-out>{}</system-out>\n", base::xml_text(beside));
      suite.cases += "    </testcase>\n";
    }
  }

  void error(const Origin& origin, const Error& error) override {
    Suite& suite = suite_of(origin);
    ++suite.errors;
    open(suite, origin, "", 0);
    suite.cases += fmt::format("      <error type=\"{}\" message=\"{}\">{}</error>\n    </testcase>\n",
                               name(error.code), base::xml_name(error.message), base::xml_text(error.to_string()));
  }

  Result<void> end() override {
    Suite all;
    std::string body;
    for (const Suite& suite : suites_) {
      body += fmt::format("  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n", base::xml_name(suite.file), counts(suite),
                          suite.cases);
      all.tests += suite.tests;
      all.failures += suite.failures;
      all.errors += suite.errors;
      all.skipped += suite.skipped;
      all.seconds += suite.seconds;
    }
    auto written =
        file_.write(fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                "<testsuites name=\"linchpin\" {}>\n{}</testsuites>\n",
                                counts(all), body));
    return written ? file_.finish() : written;
  }

 private:
  Suite& suite_of(const Origin& origin) {
    if (suites_.empty() || suites_.back().file != origin.file) {
      suites_.emplace_back();
      suites_.back().file = origin.file;
    }
    return suites_.back();
  }

  static void open(Suite& suite, const Origin& origin, const std::string& object, double seconds) {
    ++suite.tests;
    std::string test = origin.one_of_several ? fmt::format("history {}", origin.index) : std::string("history");
    if (!object.empty()) test += fmt::format(", object {}", object);
    suite.cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n",
                               base::xml_name(origin.file), base::xml_name(test), seconds);
  }

  static std::string details(const History& history, const ObjectVerdict& object,
                             std::span<const SavedViolation> saved) {
    const Violation& violation = *object.violation;
    std::string text = fmt::format("{}\n\n", base::foreign_text(violation.sentence));
    if (violation.start) text += fmt::format("{}; then\n", start_of_core(*violation.start));
    const auto shown = std::span(violation.core).first(std::min(violation.core.size(), kMostListed));
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
  std::vector<Suite> suites_;
};

}  // namespace

std::unique_ptr<Report> make_junit_report(base::OutputFile file) {
  return std::make_unique<JunitReport>(std::move(file));
}

}  // namespace linchpin::app
