#include "formats/compression.hpp"

#include <algorithm>
#include <climits>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#ifdef LINCHPIN_WITH_COMPRESSION
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>
#endif

namespace linchpin::formats {

namespace {

constexpr std::string_view kGzipMagic = "\x1f\x8b";
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";
constexpr std::size_t kStep = std::size_t{1} << 20;  // of output, between looks at the limits

/// The length of the skippable frames that `bytes` begin with, as much of it as is there.
std::size_t skippable_length(std::string_view bytes) {
  constexpr std::size_t kHeader = 8;  // magic and length, both little-endian
  std::size_t at = 0;
  while (bytes.size() - at >= 4) {
    const std::string_view magic = bytes.substr(at, 4);
    if (magic.substr(1) != "\x2a\x4d\x18" || (static_cast<unsigned char>(magic[0]) & 0xf0U) != 0x50U) break;
    if (bytes.size() - at < kHeader) return bytes.size();
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      length |= std::size_t{static_cast<unsigned char>(bytes[at + 4 + i])} << (8 * i);
    }
    at += std::min(kHeader + length, bytes.size() - at);
  }
  return at;
}

#ifdef LINCHPIN_WITH_COMPRESSION

/// At a byte of the compressed stream.
Error no_memory(const core::ReadingLimits& limits, std::size_t at, const Bytes& out) {
  Error error = limits.error(ErrorCode::too_large, {});
  error.message +=
      fmt::format(": byte {} of the compressed input, after {} bytes of the decompressed one", at, out.size());
  error.hint += "; a decompressed file is mapped and not copied";
  return error;
}

Error damaged(std::string message, std::string hint) {
  return Error{.code = ErrorCode::compression, .message = std::move(message), .hint = std::move(hint)};
}

Result<void> gunzip(std::string_view bytes, const core::ReadingLimits& limits, Bytes& out) {
  z_stream stream{};
  constexpr int kGzipOnly = 16 + MAX_WBITS;
  if (inflateInit2(&stream, kGzipOnly) != Z_OK) return no_memory(limits, 0, out);
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, &inflateEnd);
  std::size_t at = 0;
  while (true) {
    if (limits.interrupted()) return limits.error(ErrorCode::interrupted, {});
    if (!limits.allows(kStep) || !out.make_room(kStep)) return no_memory(limits, at, out);
    const std::size_t input = std::min<std::size_t>(bytes.size() - at, UINT_MAX);
    const std::size_t output = kStep;
    // zlib's interface takes its input without const and does not write to it.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + at));
    stream.avail_in = static_cast<uInt>(input);
    stream.next_out = reinterpret_cast<Bytef*>(out.end());
    stream.avail_out = static_cast<uInt>(output);
    const int status = inflate(&stream, Z_NO_FLUSH);
    at += input - stream.avail_in;
    out.grew(output - stream.avail_out);
    if (status == Z_STREAM_END) {
      // Another member, the end, or zeros that pad a tape block.
      const std::string_view rest = bytes.substr(at);
      if (rest.find_first_not_of('\0') == std::string_view::npos) return {};
      if (rest.substr(0, kGzipMagic.size()) != kGzipMagic) {
        return damaged(fmt::format("the gzip stream is followed by other bytes at byte {}", at),
                       "decompress it by hand and see what comes out");
      }
      if (inflateReset(&stream) != Z_OK) return no_memory(limits, at, out);
      continue;
    }
    if (status == Z_MEM_ERROR) return no_memory(limits, at, out);
    if (status == Z_BUF_ERROR || status == Z_OK) {
      if (at < bytes.size() || stream.avail_out == 0) continue;
      return damaged(fmt::format("the gzip stream ends too early, at byte {}", at),
                     "the file was cut off: copy or record it again");
    }
    return damaged(fmt::format("the gzip stream is damaged at byte {}{}{}", at, stream.msg == nullptr ? "" : ": ",
                               stream.msg == nullptr ? "" : stream.msg),
                   "copy or record the file again");
  }
}

/// The largest window that a frame may ask for, which is memory besides the output: half of what is left.
int most_window(const core::ReadingLimits& limits) {
  int log = 31;  // what zstd can make
  while (log > 10 && !limits.allows(std::size_t{2} << log)) --log;
  return log;
}

Result<void> unzstd(std::string_view bytes, const core::ReadingLimits& limits, Bytes& out) {
  const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
  if (context == nullptr) return no_memory(limits, 0, out);
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, most_window(limits));
  ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
  bool frame_ended = true;
  while (true) {
    if (limits.interrupted()) return limits.error(ErrorCode::interrupted, {});
    if (!limits.allows(kStep) || !out.make_room(kStep)) return no_memory(limits, input.pos, out);
    ZSTD_outBuffer output{out.end(), kStep, 0};
    const std::size_t status = ZSTD_decompressStream(context.get(), &output, &input);
    out.grew(output.pos);
    if (ZSTD_isError(status) != 0) {
      const ZSTD_ErrorCode code = ZSTD_getErrorCode(status);
      if (code == ZSTD_error_frameParameter_windowTooLarge || code == ZSTD_error_memory_allocation) {
        return no_memory(limits, input.pos, out);
      }
      return damaged(fmt::format("the zstd stream is damaged at byte {}: {}", input.pos, ZSTD_getErrorName(status)),
                     "copy or record the file again");
    }
    frame_ended = status == 0;
    const bool flushed = output.pos < output.size;
    if (input.pos == input.size && (flushed || frame_ended)) break;
  }
  if (frame_ended) return {};
  return damaged(fmt::format("the zstd stream ends too early, at byte {}", input.pos),
                 "the file was cut off: copy or record it again");
}

#else

Error left_out(std::string_view what) {
  return Error{.code = ErrorCode::unsupported,
               .message = fmt::format("the input is compressed by {}, and this library was built without it", what),
               .hint = "decompress it first, or build with LINCHPIN_WITH_COMPRESSION"};
}
Result<void> gunzip(std::string_view /*bytes*/, const core::ReadingLimits& /*limits*/, Bytes& /*out*/) {
  return left_out("gzip");
}
Result<void> unzstd(std::string_view /*bytes*/, const core::ReadingLimits& /*limits*/, Bytes& /*out*/) {
  return left_out("zstd");
}

#endif

}  // namespace

Compression detect_compression(std::string_view bytes) {
  if (bytes.substr(0, kGzipMagic.size()) == kGzipMagic) return Compression::gzip;
  // Skippable frames alone are an empty stream, and what follows them may be cut off. Other formats (lz4) may have them
  // before frames of their own.
  const std::size_t skippable = skippable_length(bytes);
  const std::string_view rest = bytes.substr(skippable);
  if (rest.starts_with(kZstdMagic) || (skippable > 0 && rest.size() < kZstdMagic.size())) return Compression::zstd;
  return Compression::none;
}

Result<void> decompress(Compression compression, std::string_view bytes, const core::ReadingLimits& limits,
                        Bytes& out) {
  switch (compression) {
    case Compression::gzip: return gunzip(bytes, limits, out);
    case Compression::zstd: return unzstd(bytes, limits, out);
    case Compression::none: break;
  }
  if (!limits.allows(bytes.size()) || !out.make_room(bytes.size())) return limits.error(ErrorCode::too_large, {});
  if (!bytes.empty()) std::memcpy(out.end(), bytes.data(), bytes.size());
  out.grew(bytes.size());
  return {};
}

}  // namespace linchpin::formats
