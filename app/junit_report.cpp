// JUnit's XML, as CI servers read it: a test suite a file, a test case an object of a history. A violation is a failure
// with its sentence and operations, an input that cannot be read is an error, and unknown is a skipped test: the exit
// code tells it from success.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/operation_table.hpp"
#include "app/report.hpp"
#include "app/verdict_text.hpp"

namespace linchpin::app {

namespace {

constexpr std::size_t kMostListed = 40;  // operations of a core

/// Escaped for text and attributes. What XML cannot hold becomes U+FFFD: bytes that are not UTF-8, control characters.
std::string xml(const std::string& text) {
  using nlohmann::json;
  const std::string valid =
      json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
  std::string out;
  for (const char c : valid) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\n':
      case '\t': out += c; break;
      default: out += static_cast<unsigned char>(c) < 0x20 ? "\uFFFD" : std::string(1, c);
    }
  }
  return out;
}

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
  explicit JunitReport(std::string path) : path_(std::move(path)) {}

  void verdict(const Origin& origin, const History& history, const HistoryVerdict& verdict,
               std::span<const SavedViolation> saved) override {
    Suite& suite = suite_of(origin);
    suite.seconds += verdict.seconds;
    for (const ObjectVerdict& object : verdict.objects) {
      const bool first = &object == verdict.objects.data();
      open(suite, origin, object.name, first ? verdict.seconds : 0);
      if (object.violation) {
        ++suite.failures;
        suite.cases += fmt::format("      <failure type=\"violation\" message=\"{}\">{}</failure>\n",
                                   xml(object.violation->sentence), xml(details(history, object, saved)));
      } else if (object.verdict == Verdict::unknown) {
        ++suite.skipped;
        suite.cases += fmt::format("      <skipped message=\"unknown: {}\"/>\n", name(object.reason));
      }
      if (object.refused_order) {
        suite.cases +=
            fmt::format("      <system-out>{}</system-out>\n", xml(refused_order(history, *object.refused_order)));
      }
      suite.cases += "    </testcase>\n";
    }
  }

  void error(const Origin& origin, const Error& error) override {
    Suite& suite = suite_of(origin);
    ++suite.errors;
    open(suite, origin, "", 0);
    suite.cases += fmt::format("      <error type=\"{}\" message=\"{}\">{}</error>\n    </testcase>\n",
                               name(error.code), xml(error.message), xml(error.to_string()));
  }

  Result<void> end() override {
    Suite all;
    std::string body;
    for (const Suite& suite : suites_) {
      body +=
          fmt::format("  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n", xml(suite.file), counts(suite), suite.cases);
      all.tests += suite.tests;
      all.failures += suite.failures;
      all.errors += suite.errors;
      all.skipped += suite.skipped;
      all.seconds += suite.seconds;
    }
    return write_file(path_, fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                         "<testsuites name=\"linchpin\" {}>\n{}</testsuites>\n",
                                         counts(all), body));
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
    suite.cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n", xml(origin.file),
                               xml(test), seconds);
  }

  static std::string details(const History& history, const ObjectVerdict& object,
                             std::span<const SavedViolation> saved) {
    const Violation& violation = *object.violation;
    std::string text = fmt::format("{}\n\n", violation.sentence);
    if (violation.start) text += fmt::format("{}; then\n", start_of_core(*violation.start));
    const auto shown = std::span(violation.core).first(std::min(violation.core.size(), kMostListed));
    text += core_table(history, violation, shown, 0);
    if (shown.size() < violation.core.size())
      text += fmt::format("and {} more\n", violation.core.size() - shown.size());
    if (!violation.context.empty()) text += fmt::format("{}\n", context_note());
    for (const SavedViolation& each : saved) {
      if (each.object == object.object) text += fmt::format("\nsaved in {} and {}\n", each.core, each.history);
    }
    return text;
  }

  std::string path_;
  std::vector<Suite> suites_;
};

}  // namespace

std::unique_ptr<Report> make_junit_report(std::string path) { return std::make_unique<JunitReport>(std::move(path)); }

}  // namespace linchpin::app
