// How the outcome of `linchpin check` is told: for people, for machines, or not at all.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "app/origin.hpp"
#include "app/saved_violations.hpp"
#include "base/output_file.hpp"
#include "linchpin/check.hpp"
#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/verdict.hpp"

namespace linchpin::app {

/// "queue.log", "histories.jsonl #3" or "standard input", on one line.
[[nodiscard]] std::string label(const Origin& origin);

class Report {
 public:
  virtual ~Report() = default;
  /// @param saved  what `--save` kept of it
  virtual void verdict(const Origin& origin, const History& history, const HistoryVerdict& verdict,
                       std::span<const SavedViolation> saved) = 0;
  /// An input, or one history of it, that could not be read or decided. Standard error has it already.
  virtual void error(const Origin& origin, const Error& error) = 0;
  /// After the last input. io: a file could not be written.
  virtual Result<void> end() { return {}; }
};

/// With `Verify::thoroughly` it says of each answer what became of its evidence.
[[nodiscard]] std::unique_ptr<Report> make_text_report(Verify verify);
/// Takes a line of JSON with its line feed.
using WriteLine = std::function<void(std::string_view)>;
/// One JSON object a line; docs/json.md has the fields. Explains with the options of the check.
[[nodiscard]] std::unique_ptr<Report> make_json_report(WriteLine write, const CheckOptions& options = {});
[[nodiscard]] std::unique_ptr<Report> make_quiet_report();
/// A test suite a file and a test case an object, written at the end.
[[nodiscard]] std::unique_ptr<Report> make_junit_report(base::OutputFile file);
/// SARIF 2.1.0: a result a violation, a notification an error, written at the end.
[[nodiscard]] std::unique_ptr<Report> make_sarif_report(base::OutputFile file);

}  // namespace linchpin::app
