// What is recorded of libcds, whose headers are compiled apart.
#pragma once

#include "papers/recorded.hpp"
#include "papers/recorded_sets.hpp"

namespace linchpin::papers {

Result<History> record_segmented_queue(const Workload& workload);
/// Rows of recorded_sets().
[[nodiscard]] std::vector<RecordedSet> recorded_cds_sets();

}  // namespace linchpin::papers
