// Jepsen's text logs, as in the etcd corpus: "INFO  jepsen.util - P :type :f value". Read only.
// Grammar: docs/formats/jepsen-text.md. Tested in jepsen_text_test.cpp.
#pragma once

#include <string_view>

#include "core/format.hpp"

namespace linchpin::formats::jepsen_text {

[[nodiscard]] int detect(std::string_view head);

/// One history. O(bytes).
void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit);

}  // namespace linchpin::formats::jepsen_text
