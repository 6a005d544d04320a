// The suites of a JUnit file as they grow, and the document that they make.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace linchpin::app {

struct JunitSuite {
  std::string name, cases;  // cases: XML
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;

  /// Adds the beginning of a case, which ends with "    </testcase>\n". The suite's time is the caller's to count.
  void open_case(const std::string& test, double case_seconds);
};

[[nodiscard]] std::string junit_document(std::span<const JunitSuite> suites);

}  // namespace linchpin::app
