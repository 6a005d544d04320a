// The report for the browser: one HTML file with histories, verdicts and explanations, which needs no network.
//
//   auto page = linchpin::ReportPage::open("report.html");
//   page->add("queue.log", history, verdict, options);
//   page->close();
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "linchpin/check.hpp"
#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/verdict.hpp"

namespace linchpin {

/// Histories are written as they come; of each, only a line stays in memory.
class ReportPage {
 public:
  /// Errors: io.
  [[nodiscard]] static Result<ReportPage> open(const std::string& path);

  /// A history called `label`, with the verdict that `check` gave on it with the same options.
  /// Errors: io; those of `check`. About a second for a million operations, and at most 110 bytes of memory for each.
  [[nodiscard]] Result<void> add(std::string_view label, const History& history, const HistoryVerdict& verdict,
                                 const CheckOptions& options = {});

  /// Writes the rest of the page, without which it shows nothing. Errors: io.
  [[nodiscard]] Result<void> close();

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  [[nodiscard]] Result<void> write(std::string_view text);

  std::string path_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  std::string index_;  // JSON: a line for each history
  std::size_t count_ = 0;
};

}  // namespace linchpin
