// Decoding of gzip and zstd streams held in memory.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/reading_limits.hpp"
#include "formats/bytes.hpp"
#include "linchpin/error.hpp"

namespace linchpin::formats {

enum class Compression : std::uint8_t { none, gzip, zstd };

/// By the first bytes; in front of a zstd stream there may be skippable frames.
[[nodiscard]] Compression detect_compression(std::string_view bytes);

/// Appends the decoded stream: all members of a gzip file, all frames of a zstd one. Errors: compression (damaged,
/// truncated, or bytes after the end), each with the byte; too_large: more than the limits allow.
Result<void> decompress(Compression compression, std::string_view bytes, const core::ReadingLimits& limits, Bytes& out);

}  // namespace linchpin::formats
