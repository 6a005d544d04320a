#include "formats/compression.hpp"

#include <algorithm>
#include <climits>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#ifdef LINCHPIN_WITH_COMPRESSION
#include <zlib.h>
#include <zstd.h>
#endif

namespace linchpin::formats {

namespace {

constexpr std::string_view kGzipMagic = "\x1f\x8b";
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";
constexpr std::size_t kStep = std::size_t{1} << 20;

Error no_memory() {
  return Error{.code = ErrorCode::too_large,
               .message = "the decompressed input does not fit in memory",
               .hint = "decompress it to a file, which is mapped and not copied"};
}

#ifdef LINCHPIN_WITH_COMPRESSION

Error damaged(std::string message, std::string hint) {
  return Error{.code = ErrorCode::compression, .message = std::move(message), .hint = std::move(hint)};
}

Result<void> gunzip(std::string_view bytes, Bytes& out) {
  z_stream stream{};
  constexpr int kGzipOnly = 16 + MAX_WBITS;
  if (inflateInit2(&stream, kGzipOnly) != Z_OK) return no_memory();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, &inflateEnd);
  std::size_t at = 0;
  while (true) {
    if (!out.make_room(kStep)) return no_memory();
    const std::size_t input = std::min<std::size_t>(bytes.size() - at, UINT_MAX);
    const std::size_t output = std::min<std::size_t>(out.room(), UINT_MAX);
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
        return damaged("the gzip stream is followed by other bytes", "decompress it by hand and see what comes out");
      }
      if (inflateReset(&stream) != Z_OK) return no_memory();
      continue;
    }
    if (status == Z_MEM_ERROR) return no_memory();
    if (status == Z_BUF_ERROR || status == Z_OK) {
      if (at < bytes.size() || stream.avail_out == 0) continue;
      return damaged("the gzip stream ends too early", "the file was cut off: copy or record it again");
    }
    return damaged(fmt::format("the gzip stream is damaged at byte {}{}{}", at, stream.msg == nullptr ? "" : ": ",
                               stream.msg == nullptr ? "" : stream.msg),
                   "copy or record the file again");
  }
}

Result<void> unzstd(std::string_view bytes, Bytes& out) {
  const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
  if (context == nullptr) return no_memory();
  ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
  bool frame_ended = true;
  while (true) {
    if (!out.make_room(kStep)) return no_memory();
    ZSTD_outBuffer output{out.end(), out.room(), 0};
    const std::size_t status = ZSTD_decompressStream(context.get(), &output, &input);
    out.grew(output.pos);
    if (ZSTD_isError(status) != 0) {
      return damaged(fmt::format("the zstd stream is damaged at byte {}: {}", input.pos, ZSTD_getErrorName(status)),
                     "copy or record the file again");
    }
    frame_ended = status == 0;
    const bool flushed = output.pos < output.size;
    if (input.pos == input.size && (flushed || frame_ended)) break;
  }
  if (frame_ended) return {};
  return damaged("the zstd stream ends too early", "the file was cut off: copy or record it again");
}

#else

Error left_out(std::string_view what) {
  return Error{.code = ErrorCode::unsupported,
               .message = fmt::format("the input is compressed by {}, and this library was built without it", what),
               .hint = "decompress it first, or build with LINCHPIN_WITH_COMPRESSION"};
}
Result<void> gunzip(std::string_view /*bytes*/, Bytes& /*out*/) { return left_out("gzip"); }
Result<void> unzstd(std::string_view /*bytes*/, Bytes& /*out*/) { return left_out("zstd"); }

#endif

}  // namespace

Compression detect_compression(std::string_view bytes) {
  if (bytes.substr(0, kGzipMagic.size()) == kGzipMagic) return Compression::gzip;
  if (bytes.substr(0, kZstdMagic.size()) == kZstdMagic) return Compression::zstd;
  return Compression::none;
}

Result<void> decompress(Compression compression, std::string_view bytes, Bytes& out) {
  switch (compression) {
    case Compression::gzip: return gunzip(bytes, out);
    case Compression::zstd: return unzstd(bytes, out);
    case Compression::none: break;
  }
  if (!out.make_room(bytes.size())) return no_memory();
  if (!bytes.empty()) std::memcpy(out.end(), bytes.data(), bytes.size());
  out.grew(bytes.size());
  return {};
}

}  // namespace linchpin::formats
