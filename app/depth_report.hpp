// How the outcome of `linchpin depth` is told: for people, for machines, or as tables over many histories.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "app/report.hpp"
#include "base/output_file.hpp"
#include "linchpin/depth.hpp"

namespace linchpin::app {

class DepthReport {
 public:
  virtual ~DepthReport() = default;
  virtual void depth(const Origin& origin, const History& history, const HistoryDepth& depth) = 0;
  /// An input, or one history of it, that could not be read or measured. Standard error has it already.
  virtual void error(const Origin& origin, const Error& error) = 0;
  /// After the last input. io: a file could not be written.
  virtual Result<void> end() { return {}; }
};

/// `counts_all`: with the numbers of all schedules (DepthOptions::count_all).
[[nodiscard]] std::unique_ptr<DepthReport> make_depth_text_report(bool counts_all);
/// One JSON object a line; docs/json.md has the fields.
[[nodiscard]] std::unique_ptr<DepthReport> make_depth_json_report(WriteLine write);

enum class TableFormat : std::uint8_t { none, text, markdown, csv };
/// The tables at the end, for d = 1, ..., `deepest`, and Figure 4 into the file `figure` where there is one.
[[nodiscard]] std::unique_ptr<DepthReport> make_depth_tables(TableFormat format, std::uint32_t deepest,
                                                             std::optional<base::OutputFile> figure);

}  // namespace linchpin::app
