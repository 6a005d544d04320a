// Registers as JSON lines: {"ops": [{"thread", "start", "end", "type", "args", "ok"}]} with times that are not
// integers. Read only. Grammar: docs/formats/thesis.md. Tested in thesis_test.cpp.
#pragma once

#include <string_view>

#include "core/format.hpp"

namespace linchpin::formats::thesis {

[[nodiscard]] int detect(std::string_view head);

/// One history a line; a damaged line is emitted as an error and the next one is read. O(n log n) a history.
void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit);

}  // namespace linchpin::formats::thesis
