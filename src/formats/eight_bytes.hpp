// Words and decimal digits, eight bytes at a time.
//
// Fields of different lengths follow each other in a history, so a loop over bytes ends unforeseen by the processor
// each time. Here a word of eight bytes is looked at as a whole ("SIMD within a register"). All of it looks only at
// bytes before `end`, and does nothing for, or goes byte by byte through, the last seven of an input, or where the
// lowest byte of a word is not the first.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/assert.hpp"

namespace linchpin::formats {

/// Whether `eight_bytes` may be called.
[[nodiscard]] inline bool has_eight_bytes(const char* at, const char* end) {
  return std::endian::native == std::endian::little && end - at >= 8;
}

/// The eight bytes at `at`, the first of them lowest.
[[nodiscard]] inline std::uint64_t eight_bytes(const char* at) {
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes;
}

namespace detail {

inline constexpr std::uint64_t kEach = 0x0101010101010101ULL;
inline constexpr std::uint64_t kHighBits = 0x80 * kEach;

/// The number of bytes before the first marked one, the marks being high bits.
[[nodiscard]] inline unsigned before_mark(std::uint64_t marks) {
  return static_cast<unsigned>(std::countr_zero(marks)) / 8;  // 8 where there is none
}

/// Marks the first zero byte, and perhaps bytes after it.
[[nodiscard]] inline std::uint64_t mark_zero(std::uint64_t bytes) { return (bytes - kEach) & ~bytes & kHighBits; }

/// The number that the first `count` bytes make. @pre they are digits, 1 to 8
[[nodiscard]] inline std::uint64_t number_of_digits(std::uint64_t bytes, unsigned count) {
  LINCHPIN_ASSERT(count >= 1 && count <= 8);
  // Zeros before the first digit: then there are always eight.
  const std::uint64_t digits = (bytes ^ ('0' * kEach)) << (8 * (8 - count));
  const std::uint64_t pairs = (digits * (10 * 0x100 + 1)) >> 8;
  const std::uint64_t fours = ((pairs & 0x00ff00ff00ff00ffULL) * (100 * 0x10000ULL + 1)) >> 16;
  return ((fours & 0x0000ffff0000ffffULL) * (10000 * 0x100000000ULL + 1)) >> 32;
}

}  // namespace detail

/// How many bytes precede the first blank or tab; at most 8, and 0 where it cannot tell at once.
[[nodiscard]] inline std::size_t bytes_before_blank(const char* at, const char* end) {
  if (!has_eight_bytes(at, end)) return 0;
  const std::uint64_t bytes = eight_bytes(at);
  return detail::before_mark(detail::mark_zero(bytes ^ (' ' * detail::kEach)) |
                             detail::mark_zero(bytes ^ ('\t' * detail::kEach)));
}

/// The digits at the head of a text, and the number they make.
struct Digits {
  std::size_t length = 0;    ///< at most 19
  std::uint64_t number = 0;  ///< where there are 18 or fewer
};

/// The digits from byte `found.length` on, after those that were found.
[[nodiscard]] inline Digits more_digits(const char* at, const char* end, Digits found) {
  constexpr std::size_t kMost = 18;
  at += found.length;
  for (; at != end && static_cast<unsigned char>(*at - '0') < 10; ++at) {
    if (++found.length > kMost) return found;
    found.number = found.number * 10 + static_cast<std::uint64_t>(*at - '0');
  }
  return found;
}

[[nodiscard]] inline Digits leading_digits(const char* at, const char* end) {
  if (!has_eight_bytes(at, end)) return more_digits(at, end, {});
  const std::uint64_t bytes = eight_bytes(at);
  const std::uint64_t digits = bytes ^ ('0' * detail::kEach);  // a digit is at most 9 now
  const unsigned count = detail::before_mark((digits | (digits + 0x76 * detail::kEach)) & detail::kHighBits);
  if (count == 0) return {};
  const Digits found{.length = count, .number = detail::number_of_digits(bytes, count)};
  return count < 8 ? found : more_digits(at, end, found);
}

}  // namespace linchpin::formats
