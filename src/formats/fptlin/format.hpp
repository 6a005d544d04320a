// The format of fptlin: rows "process start end METHOD values..." under a line "# TYPE". Read only.
// Grammar: docs/formats/fptlin.md. Tested in fptlin_test.cpp.
#pragma once

#include <string_view>

#include "core/format.hpp"

namespace linchpin::formats::fptlin {

[[nodiscard]] int detect(std::string_view head);

/// One history. O(bytes).
void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit);

}  // namespace linchpin::formats::fptlin
