// A page of results: Markdown in docs/papers, the figures beside it, and every measurement as CSV.
//
// The page's own text stays: only what is between the two marks of the results is written anew. A page that does not
// exist is begun with a title. A run that leaves something out does not replace results that are there: those of a
// whole run are worth more.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/line_chart.hpp"
#include "papers/options.hpp"

namespace linchpin::papers {

struct Column {
  std::string title;
  bool right = true;  ///< aligned, as numbers are
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};

class Page {
 public:
  /// @param name of the page's files; @param measured the columns of its CSV
  Page(const Options& options, std::string name, std::string title, std::vector<std::string> measured);

  void heading(const std::string& text);
  void text(const std::string& paragraph);
  void table(const Table& table);
  /// Written with the page as NAME-SUFFIX.svg, or NAME.svg.
  void figure(const std::string& suffix, const app::LineChart& chart, const std::string& description);
  /// The same for a picture that is already there.
  void picture(const std::string& file, const std::string& description);
  /// One measurement: a row of the CSV.
  void measured(const std::vector<std::string>& row);
  /// An answer that is not what is known. Told on standard error and on the page; the run fails.
  void wrong(const std::string& what);

  /// Something that this run does not measure, and why: told on the page and at the end of the run (print_left_out).
  void left_out(const std::string& what);

  /// Writes page, figures and CSV. @return whether every answer was right and every file could be written
  bool finish();

 private:
  [[nodiscard]] bool write(const std::string& file, const std::string& content) const;
  [[nodiscard]] std::string head() const;

  const Options& options_;
  std::string name_, title_;
  std::string results_, csv_;
  std::vector<std::pair<std::string, std::string>> figures_;  // files and what is in them
  bool whole_ = true;                                         // nothing was left out
  double load_before_;
  std::size_t wrong_ = 0;
  bool written_ = true;
};

/// On standard error: what the pages of this run left out, or that nothing was.
void print_left_out();
/// "1.24 s", "35.0 ms", "6.1 µs": three digits.
[[nodiscard]] std::string duration(double seconds);
/// On standard error, since a run takes a while.
void progress(const std::string& what);

}  // namespace linchpin::papers
