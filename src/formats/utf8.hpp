// Is a text UTF-8, and where not?
#pragma once

#include <cstddef>
#include <string_view>

namespace linchpin::formats {

/// Gigabytes a second where the library is built with simdjson (LINCHPIN_WITH_JSON).
[[nodiscard]] bool is_utf8(std::string_view text);

/// The offset of the first byte that does not belong to a well-formed UTF-8 sequence; the text's size when all do.
[[nodiscard]] inline std::size_t first_invalid_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  std::size_t i = 0;
  while (i < text.size()) {
    const unsigned lead = byte(i);
    std::size_t length = 1;
    unsigned least = 0x80;
    unsigned most = 0xbf;  // of the second byte
    if (lead >= 0x80) {
      if (lead >= 0xc2 && lead <= 0xdf) {
        length = 2;
      } else if (lead >= 0xe0 && lead <= 0xef) {
        length = 3;
        if (lead == 0xe0) least = 0xa0;  // no overlong forms
        if (lead == 0xed) most = 0x9f;   // no surrogates
      } else if (lead >= 0xf0 && lead <= 0xf4) {
        length = 4;
        if (lead == 0xf0) least = 0x90;
        if (lead == 0xf4) most = 0x8f;  // up to U+10FFFF
      } else {
        return i;
      }
      if (byte(i + 1) < least || byte(i + 1) > most) return i;
      for (std::size_t k = 2; k < length; ++k) {
        if (byte(i + k) < 0x80 || byte(i + k) > 0xbf) return i;
      }
    }
    i += length;
  }
  return i;
}

}  // namespace linchpin::formats
