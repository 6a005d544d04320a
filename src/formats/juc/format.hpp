// Event JSON of java.util.concurrent histories (Violat, check-lin). Grammar: docs/formats/juc.md. Tested in
// juc_test.cpp.
#pragma once

#include <string_view>

#include "core/format.hpp"

namespace linchpin::formats::juc {

[[nodiscard]] int detect(std::string_view head);

/// One history a line, or one JSON document over several lines. O(bytes).
void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit);

}  // namespace linchpin::formats::juc
