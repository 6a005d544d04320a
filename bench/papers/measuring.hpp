// Checks that are measured, each in a process of its own, on histories that wait in files of the binary format.
//
// A history is made in a process of its own as well: the measuring one stays small, since a forked process begins with
// the memory of the one it comes from.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "generate/plan.hpp"
#include "linchpin/check.hpp"
#include "papers/options.hpp"
#include "process.hpp"

namespace linchpin::papers {

/// Runs `make` in a process of its own and keeps its history in the file. False, and told on standard error, where it
/// could not be made.
[[nodiscard]] bool make_history(const std::filesystem::path& file, const std::function<Result<History>()>& make);

/// A simulated history; `broken`: with one change near its end that makes it a violation.
[[nodiscard]] Result<History> simulated(const generate::Plan& plan, bool broken);

struct Checked {
  Verdict verdict = Verdict::unknown;
  Reason reason = Reason::not_applicable;  ///< also where the file could not be read
  double seconds = 0;                      ///< of CPU, deciding alone
  std::size_t operations = 0;
  double in_flight = 0;           ///< operations that are open when one is called, the mean
  bool evidence_refuted = false;  ///< with CheckOptions::verify
  std::array<char, 48> decider{};

  [[nodiscard]] std::string_view decided_by() const { return decider.data(); }
};

/// Decides in this process, with one thread, for its CPU time.
[[nodiscard]] Checked timed_check(const History& history, CheckOptions options);

struct Measured {
  Checked checked;
  bench::Usage usage;  ///< of reading and deciding
};

/// Reads the file and decides it, in a process of its own.
[[nodiscard]] std::optional<Measured> measured_check(const std::filesystem::path& file, const CheckOptions& options);

/// The limits of a run, and no others.
[[nodiscard]] CheckOptions check_options(const Options& options, std::string decider = {});

}  // namespace linchpin::papers
