// The native text format: one operation a line. Grammar: docs/formats/text.md. Tested in text_test.cpp.
#pragma once

#include <string>
#include <string_view>

#include "core/format.hpp"

namespace linchpin::formats::text {

[[nodiscard]] int detect(std::string_view head);

/// One history. O(bytes).
void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit);

/// Appends the history; reading it gives the same history (places and the source's name excepted). Errors: unsupported,
/// for a type whose name or options hold blanks, for values with bytes that are not UTF-8, and for a call at the last
/// tick of the clock.
Result<void> write(const History& history, std::string& out);

/// The operations without a header, to follow what `write` wrote for the same objects. Errors as there.
Result<void> append(const History& history, std::string& out);

}  // namespace linchpin::formats::text
