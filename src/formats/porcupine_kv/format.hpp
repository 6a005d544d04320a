// Porcupine's key-value files: one map in braces a line, an event each. Read only.
// Grammar: docs/formats/porcupine-kv.md. Tested in porcupine_kv_test.cpp.
#pragma once

#include <string_view>

#include "core/format.hpp"

namespace linchpin::formats::porcupine_kv {

[[nodiscard]] int detect(std::string_view head);

/// One history. O(bytes).
void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit);

}  // namespace linchpin::formats::porcupine_kv
