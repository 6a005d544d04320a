// The variants of Horn and Kroening's search, ours beside them, on recorded sets: one history by all of them, and the
// cells of a table in which each has a column.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "papers/measuring.hpp"
#include "papers/page.hpp"
#include "papers/recorded_sets.hpp"

namespace linchpin::papers {

struct SetVariant {
  const char* name;
  const char* decider;
};
/// The paper's three first. The last one decides what is not known.
inline constexpr std::array kSetVariants{SetVariant{"WGL", "wgl"}, SetVariant{"WGL+LRU", "wgl-lru"},
                                         SetVariant{"WGL+P", "wgl-partitioned"}, SetVariant{"general search", "search"},
                                         SetVariant{"chosen", ""}};

/// A kind of histories: a row of a table.
struct SetHistories {
  std::string name;
  bool linearizable = false;  ///< all of them; else some are violations
  std::function<Result<History>(const SetWorkload&)> record;
};

/// One history of it.
struct DecidedSet {
  Verdict verdict = Verdict::unknown;
  std::array<std::optional<Measured>, kSetVariants.size()> by;
};

/// Records one history and has it decided by each variant within `limits`, each in a process of its own. Wrong answers
/// and all measurements go to the page, whose columns are kSetColumns. Nothing: it could not be recorded.
[[nodiscard]] std::optional<DecidedSet> decide_set(const SetHistories& set, const SetWorkload& workload,
                                                   const Limits& limits, const Options& options, Page& page);

/// Of the CSV of a page with them.
inline constexpr std::array kSetColumns{
    "set", "operations", "seed", "variant", "verdict", "reason", "deciding_cpu_seconds", "process_megabytes"};

/// What one variant made of the histories of a row.
class SetCell {
 public:
  void add(const std::optional<Measured>& measured);
  /// "1.29 s, 100 MB; 1 gave up (time)": means of those that were decided
  [[nodiscard]] std::string means() const;
  /// "1.29 s (max 4.10 s), 100 MB; 1 gave up (time)"
  [[nodiscard]] std::string means_and_most() const;
  [[nodiscard]] const std::vector<double>& seconds() const { return seconds_; }
  [[nodiscard]] const std::vector<double>& megabytes() const { return megabytes_; }

 private:
  [[nodiscard]] std::string text(bool most) const;

  std::vector<double> seconds_, megabytes_;     // of those decided
  std::map<std::string, std::size_t> gave_up_;  // by reason
};

}  // namespace linchpin::papers
