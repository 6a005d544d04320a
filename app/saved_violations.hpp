// `check --save DIR`: keeps what is needed to look at a violation again.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "app/origin.hpp"
#include "linchpin/check.hpp"

namespace linchpin::app {

/// The files of one violation.
struct SavedViolation {
  ObjectIndex object = 0;
  std::string history;  ///< the whole history
  std::string core;     ///< the operations that are not linearizable on their own: check finds a violation again
};

/// Writes to DIR, in the native text format, NAME.history.txt and NAME.core.txt for each violation; NAME is the
/// input's, with the history's number and the object's name where there are several. Files of an earlier run are
/// replaced.
class SavedViolations {
 public:
  /// io: the directory is not there and cannot be made.
  static Result<SavedViolations> open(std::string directory);
  /// io: a file cannot be written; unsupported: the format cannot say something that the history does.
  Result<std::vector<SavedViolation>> add(const Origin& origin, const History& history, const HistoryVerdict& verdict,
                                          const CheckOptions& options);

 private:
  std::string free_name(std::string name);

  std::string directory_;
  std::set<std::string> names_;  // used in this run
};

/// Writes the whole file. io: it cannot.
[[nodiscard]] Result<void> write_file(const std::string& path, std::string_view text);

}  // namespace linchpin::app
