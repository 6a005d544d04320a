// `check --save DIR`: saves each violation and its core, to be checked again.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "app/origin.hpp"
#include "base/files_of_run.hpp"
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
/// replaced, but none of those that this run reads.
class SavedViolations {
 public:
  /// io: the directory is not there and cannot be made.
  /// @param others  what the run reads and writes otherwise
  static Result<SavedViolations> open(std::string directory, base::FilesOfRun others);
  /// io: a file cannot be written; bad_option: it is one of the others; unsupported: the format cannot say something
  /// that the history does.
  Result<std::vector<SavedViolation>> add(const Origin& origin, const History& history, const HistoryVerdict& verdict,
                                          const CheckOptions& options);

 private:
  std::string free_name(std::string name);
  [[nodiscard]] Result<void> write(const std::string& path, std::string_view text) const;

  std::string directory_;
  base::FilesOfRun others_;
  std::set<std::string> names_;  // used in this run
};

}  // namespace linchpin::app
