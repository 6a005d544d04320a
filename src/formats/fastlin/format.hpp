// The format of fastlin, today LinP, and of its predecessor PolyLin: rows "method value start end" under a line
// "# TYPE". Grammar: docs/formats/fastlin.md. Tested in fastlin_test.cpp.
#pragma once

#include <string>
#include <string_view>

#include "core/format.hpp"

namespace linchpin::formats::fastlin {

[[nodiscard]] int detect(std::string_view head);

/// One history. O(bytes).
void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit);

/// Appends a history of one queue, stack, set or priority queue (largest first) of integers. Errors: unsupported, for
/// anything that the format cannot say: pending operations, lost results, failed inserts and removes, other methods,
/// ticks below zero. Processes, annotations and an object's name are left out: the format has no place for them.
Result<void> write(const History& history, std::string& out);

/// The operations without the header line, to follow what `write` wrote. Errors as there.
Result<void> append(const History& history, std::string& out);

}  // namespace linchpin::formats::fastlin
