// The native binary format: a history's columns, made to be mapped. Layout: docs/formats/binary.md. Tested in
// binary_test.cpp.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/format.hpp"

namespace linchpin::formats::binary {

[[nodiscard]] int detect(std::string_view head);

/// One history, or several one after the other. O(bytes), limited by memory: columns are checked and copied whole.
void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit);

/// A recording in progress, which is a file of its own kind (recording.hpp). One history. recording.cpp
void read_recording(const core::Source& source, const ReadOptions& options, const core::Emit& emit);

/// Appends the history, places included. Appending several gives a file of several.
[[nodiscard]] Result<void> write(const History& history, std::string& out);

/// A history part by part: its columns wait in temporary files, its strings, lists and big integers in memory.
/// parts.cpp
[[nodiscard]] std::unique_ptr<core::PartsWriter> write_parts();

}  // namespace linchpin::formats::binary
