// Decoding of gzip and zstd streams held in memory.
#pragma once

#include <cstdint>
#include <string_view>

#include "formats/bytes.hpp"
#include "linchpin/error.hpp"

namespace linchpin::formats {

enum class Compression : std::uint8_t { none, gzip, zstd };

/// By the first bytes.
[[nodiscard]] Compression detect_compression(std::string_view bytes);

/// Appends the decoded stream: all members of a gzip file, all frames of a zstd one. Errors: compression (damaged,
/// truncated, or bytes after the end), too_large.
Result<void> decompress(Compression compression, std::string_view bytes, Bytes& out);

}  // namespace linchpin::formats
