// What the regression benchmark measures: one command line a case, on an input made with a fixed seed.
#pragma once

#include <span>
#include <string_view>

namespace linchpin::bench {

struct RegressionCase {
  std::string_view name;
  std::string_view generate;  ///< arguments of `linchpin generate`, cut at blanks; the type is the first
  std::string_view format;    ///< of the input
  std::string_view command;   ///< arguments of `linchpin`; the input's path follows
  int exit_code = 0;          ///< the right answer
  /// How many operations (or histories, where the input holds many) `generate` gets, and with --quick.
  std::string_view size, quick_size;
};

/// Monitors, searches, readers and evidence, each a tenth to half a second: together what users wait for.
[[nodiscard]] std::span<const RegressionCase> regression_cases();

}  // namespace linchpin::bench
