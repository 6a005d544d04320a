// From byte offsets to lines and columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "base/assert.hpp"
#include "linchpin/history.hpp"

namespace linchpin::formats {

/// Turns ascending offsets into places in one pass over the text.
class LineCounter {
 public:
  explicit LineCounter(std::string_view text, std::uint64_t line = 1, std::uint64_t column = 1)
      : text_(text), line_(line), before_(column - 1) {}

  /// @pre offset is not below that of an earlier call, and not behind the text's end
  void advance(std::size_t offset) {
    LINCHPIN_ASSERT(at_ <= offset && offset <= text_.size());
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

}  // namespace linchpin::formats
