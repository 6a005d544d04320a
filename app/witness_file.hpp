// `check --witness FILE`: the order of operations that shows each linearizable object to be so.
#pragma once

#include <optional>
#include <string>

#include "app/report.hpp"
#include "base/output_file.hpp"

namespace linchpin::app {

/// Text for people, or JSON Lines where the name ends in .json or .jsonl; docs/json.md describes both.
class WitnessFile {
 public:
  /// "-" is standard output. io: the file cannot be opened.
  static Result<WitnessFile> open(const std::string& path);
  /// Appends the witnesses of one history. io: it cannot be written.
  Result<void> add(const Origin& origin, const History& history, const HistoryVerdict& verdict);
  /// Gives the file its name. io: it cannot be written to its end.
  Result<void> close();

 private:
  bool json_ = false;
  std::optional<base::OutputFile> file_;  // none: standard output
};

}  // namespace linchpin::app
