// From byte offsets to lines and columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "linchpin/history.hpp"

namespace linchpin::formats {

/// Turns ascending offsets into places in one pass over the text.
class LineCounter {
 public:
  explicit LineCounter(std::string_view text, std::uint64_t line = 1, std::uint64_t column = 1)
      : text_(text), line_(line), before_(column - 1) {}

  /// @pre offset is not below that of an earlier call, and not behind the text's end
  void advance(std::size_t offset) {
    while (true) {
      const std::size_t newline = text_.substr(0, offset).find('\n', at_);
      if (newline == std::string_view::npos) break;
      ++line_;
      line_begin_ = at_ = newline + 1;
      before_ = 0;
    }
    at_ = offset;
  }
  [[nodiscard]] std::uint64_t line() const { return line_; }
  [[nodiscard]] std::uint64_t column() const { return before_ + (at_ - line_begin_) + 1; }
  /// The place of `offset`, within what a Place can hold.
  [[nodiscard]] Place at(std::size_t offset) {
    advance(offset);
    return Place{.line = clamped(line()), .column = clamped(column())};
  }

 private:
  static std::uint32_t clamped(std::uint64_t number) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(number < kMost ? number : kMost);
  }

  std::string_view text_;
  std::size_t at_ = 0;          // how far newlines are counted
  std::size_t line_begin_ = 0;  // offset of the first byte of the line that at_ is in
  std::uint64_t line_;
  std::uint64_t before_;  // columns before the text, on its first line
};

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
