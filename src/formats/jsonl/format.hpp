// The native JSON Lines format. Grammar: docs/formats/jsonl.md. Tested in jsonl_test.cpp.
#pragma once

#include <string>
#include <string_view>

#include "core/format.hpp"

namespace linchpin::formats::jsonl {

[[nodiscard]] int detect(std::string_view head);

/// Any number of histories. O(bytes).
void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit);

/// One header line and one line an operation; appending several histories gives a file of several. Error: unsupported,
/// for names that are not UTF-8.
[[nodiscard]] Result<void> write(const History& history, std::string& out);

/// The operations without a header line, to follow what `write` wrote for the same objects.
[[nodiscard]] Result<void> append(const History& history, std::string& out);

}  // namespace linchpin::formats::jsonl
