// Violin and LiMo: events "[id] call push(1)", "[id] return" in the order of time. Read only.
// Grammar: docs/formats/violin.md. Tested in violin_test.cpp.
#pragma once

#include <string_view>

#include "core/format.hpp"

namespace linchpin::formats::violin {

[[nodiscard]] int detect(std::string_view head);

/// One history. O(bytes).
void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit);

}  // namespace linchpin::formats::violin
