#include <algorithm>

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include "formats/source.hpp"
#include "fuzz/targets.hpp"

namespace linchpin::fuzz {

namespace {

std::string gzip_of(std::string_view bytes) {
  z_stream stream{};
  constexpr int kGzip = 16 + MAX_WBITS;
  constexpr int kMemory = 8;  // zlib's default
  require(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) == Z_OK, "no memory");
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  // zlib's interface takes its input without const and does not write to it.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  require(deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib does not compress");
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd_of(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 1);
  require(ZSTD_isError(size) == 0, "zstd does not compress");
  out.resize(size);
  return out;
}

/// @param twice  what several members or frames make
void give_back(std::string_view what, std::string_view bytes, const std::string& compressed, bool twice) {
  const auto input = formats::Input::from_bytes("fuzz", twice ? compressed + compressed : compressed);
  require(input.has_value(), fmt::format("{} is refused: {}", what, input ? "" : input.error().to_string()));
  const std::string expected = twice ? std::string(bytes).append(bytes) : std::string(bytes);
  require(input->source().bytes == expected, fmt::format("{} gives other bytes", what));
}

}  // namespace

void compression(Bytes bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto input = formats::Input::from_bytes("fuzz", std::string(text));
  if (!input) {
    require(!input.error().message.empty(), "an error without a message");
    return;
  }
  const std::string gzip = gzip_of(text);
  const std::string zstd = zstd_of(text);
  for (const bool twice : {false, true}) {
    give_back("gzip", text, gzip, twice);
    give_back("zstd", text, zstd, twice);
  }
  // The magic bytes must stay, or it is no compressed input.
  constexpr std::size_t kMagic = 4;
  for (const std::string& whole : {gzip, zstd}) {
    const std::size_t cut = kMagic + text.size() % (whole.size() - kMagic);
    require(!formats::Input::from_bytes("fuzz", whole.substr(0, cut)), "a stream that is cut off is accepted");
  }
}

}  // namespace linchpin::fuzz
