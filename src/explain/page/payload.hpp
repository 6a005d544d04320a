// A history with its verdict and explanation, as the page reads it: a few facts in JSON, then one column of bytes for
// each property of the operations. docs/design/report.md has the layout and what it costs.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "history/subhistory.hpp"
#include "linchpin/explanation.hpp"
#include "linchpin/interleaving.hpp"
#include "linchpin/limits.hpp"

namespace linchpin::explain::page {

struct PayloadInput {
  std::string_view label;  ///< what the history is called: the file, and its number where there are several
  const History& history;
  const HistoryVerdict& verdict;
  const Explanation& explanation;
  std::span<const history::Subhistory> parts;  ///< one for each object
  Ties ties = Ties::concurrent;
  const Interleaving* interleaving = nullptr;  ///< how its threads took turns; null: nobody knows
  /// Of operations that are shown (extent.hpp). Of what is left out there are counts.
  std::size_t most_operations = std::numeric_limits<std::size_t>::max();
  std::size_t most_annotations = std::numeric_limits<std::size_t>::max();
};

[[nodiscard]] std::string payload(const PayloadInput& input);

}  // namespace linchpin::explain::page
