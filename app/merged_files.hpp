// What `linchpin merge` writes beside standard output: JUnit, SARIF and a page, from the answers of all shards.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "app/merged_case.hpp"
#include "base/output_file.hpp"
#include "linchpin/error.hpp"

namespace linchpin::app {

/// What holds of the campaign as a whole.
struct MergedWhole {
  std::string verdict;  ///< "linearizable", "violation", "unknown", "error" or "incomplete"
  std::string headline;
  std::vector<std::string> problems;  ///< why it is not whole; empty: it is
};

class MergedFile {
 public:
  virtual ~MergedFile() = default;
  virtual void add(const MergedCase& each) = 0;
  /// io.
  virtual Result<void> end(const MergedWhole& whole) = 0;
};

/// A test suite an input; a campaign that is not whole has a suite more, with an error for each reason.
[[nodiscard]] std::unique_ptr<MergedFile> make_merged_junit(base::OutputFile file);
/// SARIF 2.1.0. A campaign that is not whole was not executed successfully.
[[nodiscard]] std::unique_ptr<MergedFile> make_merged_sarif(base::OutputFile file);
/// A page without scripts: what was found, with the operations that show it; what is linearizable is counted.
[[nodiscard]] std::unique_ptr<MergedFile> make_merged_page(base::OutputFile file);

}  // namespace linchpin::app
