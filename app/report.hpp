// How the outcome of `linchpin check` is told: for people, for machines, or not at all.
#pragma once

#include <memory>
#include <string>

#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/verdict.hpp"

namespace linchpin::app {

/// Which history of which input.
struct Origin {
  std::string file;
  std::size_t index = 0;  ///< counts the histories of the input from 0
  bool one_of_several = false;
};

/// "queue.log", "histories.jsonl #3" or "standard input".
[[nodiscard]] std::string label(const Origin& origin);

class Report {
 public:
  virtual ~Report() = default;
  virtual void verdict(const Origin& origin, const History& history, const HistoryVerdict& verdict) = 0;
  /// An input, or one history of it, that could not be read or decided. Standard error has it already.
  virtual void error(const Origin& origin, const Error& error) = 0;
  /// After the last input.
  virtual void end() {}
};

[[nodiscard]] std::unique_ptr<Report> make_text_report();
/// One JSON object a line; docs/json.md has the fields.
[[nodiscard]] std::unique_ptr<Report> make_json_report();
[[nodiscard]] std::unique_ptr<Report> make_quiet_report();

}  // namespace linchpin::app
