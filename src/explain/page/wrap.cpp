#include "explain/page/wrap.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include <zlib.h>

namespace linchpin::explain::page {

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

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = (group << 8) | (k < left ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) out += k <= left ? kDigits[(group >> (18 - 6 * k)) & 63] : '=';
  }
  return out;
}

}  // namespace linchpin::explain::page
