// Operations that etcd's robustness tests record: a line of JSON for each, with what watchers saw beside them.
// Read only. Grammar: docs/formats/etcd-robustness.md. Tested in etcd_robustness_test.cpp.
#pragma once

#include <string_view>

#include "core/format.hpp"

namespace linchpin::formats::etcd_robustness {

[[nodiscard]] int detect(std::string_view head);

/// One history of all lines. O(n log n) in memory: what one client's request came to may be known from another file.
void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit);

}  // namespace linchpin::formats::etcd_robustness
