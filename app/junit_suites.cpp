#include "app/junit_suites.hpp"

#include <fmt/format.h>

#include "base/xml_text.hpp"

namespace linchpin::app {

namespace {

std::string counts(const JunitSuite& suite) {
  return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}" time="{:.3f}")", suite.tests, suite.failures,
                     suite.errors, suite.skipped, suite.seconds);
}

}  // namespace

void JunitSuite::open_case(const std::string& test, double case_seconds) {
  ++tests;
  cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n", base::xml_name(name),
                       base::xml_name(test), case_seconds);
}

std::string junit_document(std::span<const JunitSuite> suites) {
  JunitSuite all;
  std::string body;
  for (const JunitSuite& suite : suites) {
    body += fmt::format("  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n", base::xml_name(suite.name), counts(suite),
                        suite.cases);
    all.tests += suite.tests;
    all.failures += suite.failures;
    all.errors += suite.errors;
    all.skipped += suite.skipped;
    all.seconds += suite.seconds;
  }
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"linchpin\" {}>\n{}</testsuites>\n",
                     counts(all), body);
}

}  // namespace linchpin::app
