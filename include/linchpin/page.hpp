// The report for the browser: one HTML file with histories, verdicts and explanations, which needs no network.
//
//   auto page = linchpin::ReportPage::open("report.html");
//   auto added = page->add("queue.log", history, verdict, options);
//   auto closed = page->close();  // each of the three is a value or an Error
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "linchpin/check.hpp"
#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/interleaving.hpp"
#include "linchpin/verdict.hpp"

namespace linchpin {

namespace base {
class OutputFile;
}

/// Histories are written as they come; of each, only a line stays in memory. The file gets its name when the page is
/// whole: until `close`, what was there stays.
class ReportPage {
 public:
  /// Errors: io, also for a symbolic link, which is not followed.
  [[nodiscard]] static Result<ReportPage> open(const std::string& path);

  /// Of histories that are added from now on, at most so many operations are shown, and as many annotations: those that
  /// the verdict speaks of, however many, and what is nearest to them in time. Of the others there are counts. Without
  /// a limit all operations are shown, and 20,000 annotations.
  void limit(std::size_t operations) { most_operations_ = operations; }

  ReportPage(ReportPage&&) noexcept;
  ReportPage& operator=(ReportPage&&) noexcept;
  ~ReportPage();

  /// A history called `label`, with the verdict that `check` gave on it with the same options.
  /// Errors: io; those of `check`. About a second for a million operations, and at most 110 bytes of memory for each.
  [[nodiscard]] Result<void> add(std::string_view label, const History& history, const HistoryVerdict& verdict,
                                 const CheckOptions& options = {});
  /// The same with the schedule that made the history: times are the numbers of its steps, from 1.
  [[nodiscard]] Result<void> add(std::string_view label, const History& history, const HistoryVerdict& verdict,
                                 const CheckOptions& options, const Interleaving& interleaving);

  /// Once: writes the rest of the page and gives the file its name. Errors: io.
  [[nodiscard]] Result<void> close();

 private:
  ReportPage();
  [[nodiscard]] Result<void> add(std::string_view label, const History& history, const HistoryVerdict& verdict,
                                 const CheckOptions& options, const Interleaving* interleaving);

  std::unique_ptr<base::OutputFile> file_;
  std::string index_;  // JSON: a line for each history
  std::size_t count_ = 0;
  std::size_t most_operations_ = std::numeric_limits<std::size_t>::max();
};

}  // namespace linchpin
