#include "explain/page/wrap.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#ifdef LINCHPIN_WITH_COMPRESSION
#include <zlib.h>
#endif

namespace linchpin::explain::page {

#ifdef LINCHPIN_WITH_COMPRESSION
std::string deflated(std::string_view bytes) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  z_stream stream{};
  std::string out;
  if (deflateInit(&stream, Z_DEFAULT_COMPRESSION) != Z_OK) return out;
  std::string buffer(kPiece, '\0');
  bool more = true;
  while (more) {
    // zlib counts what it is given in 32 bits.
    const std::string_view piece = bytes.substr(0, kPiece);
    bytes.remove_prefix(piece.size());
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));  // NOLINT: zlib does not write to it
    stream.avail_in = static_cast<uInt>(piece.size());
    more = !bytes.empty();
    do {
      stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream.avail_out = static_cast<uInt>(buffer.size());
      deflate(&stream, more ? Z_NO_FLUSH : Z_FINISH);
      out.append(buffer, 0, buffer.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }
  deflateEnd(&stream);
  return out;
}
#else
// Stored blocks (RFC 1951, 3.2.4) in a zlib stream (RFC 1950): what browsers inflate, as long as it was.
std::string deflated(std::string_view bytes) {
  constexpr std::size_t kLongestBlock = 65535;
  constexpr std::uint32_t kAdlerModulus = 65521;
  std::string out = "\x78\x01";  // a window of 32 KiB, no effort
  std::uint32_t low = 1;
  std::uint32_t high = 0;
  bool more = true;
  while (more) {
    const std::string_view block = bytes.substr(0, kLongestBlock);
    bytes.remove_prefix(block.size());
    more = !bytes.empty();
    const auto length = static_cast<std::uint32_t>(block.size());
    out += more ? '\0' : '\1';
    for (const std::uint32_t half : {length, ~length}) {
      out += static_cast<char>(half & 0xff);
      out += static_cast<char>((half >> 8) & 0xff);
    }
    out += block;
    for (const char c : block) {
      low = (low + static_cast<unsigned char>(c)) % kAdlerModulus;
      high = (high + low) % kAdlerModulus;
    }
  }
  const std::uint32_t adler = (high << 16) | low;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>((adler >> shift) & 0xff);
  return out;
}
#endif

}  // namespace linchpin::explain::page
