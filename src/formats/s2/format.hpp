// Recordings of S2 streams, as its developers collect them for their own check: JSON Lines, an event each. Read only.
// Grammar: docs/formats/s2.md. Tested in s2_test.cpp.
#pragma once

#include <string_view>

#include "core/format.hpp"

namespace linchpin::formats::s2 {

[[nodiscard]] int detect(std::string_view head);

/// One history. O(bytes).
void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit);

}  // namespace linchpin::formats::s2
