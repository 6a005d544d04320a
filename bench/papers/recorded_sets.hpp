// Histories recorded from concurrent sets as in Horn and Kroening's experiments: threads draw a method and a key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "linchpin/error.hpp"
#include "linchpin/history.hpp"

namespace linchpin::papers {

struct SetWorkload {
  unsigned threads = 4;
  std::size_t operations = 70'000;  ///< of each thread
  std::uint64_t keys = 16;
  std::uint64_t seed = 1;
};

struct RecordedSet {
  std::string_view name;
  std::string_view published;  ///< the row of the paper's Table 1 that is of the same kind; may be empty
  /// Whether every history has to be linearizable; else it may be a violation or not.
  bool linearizable;
  Result<History> (*record)(const SetWorkload& workload);
  /// The same set, whose calls look first and act then (CheckedFirst). Null: there is none.
  Result<History> (*record_faulty)(const SetWorkload& workload) = nullptr;
};

/// Those of libcds only where that library is.
[[nodiscard]] std::vector<RecordedSet> recorded_sets();

}  // namespace linchpin::papers
