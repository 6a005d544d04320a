// What readers of line-based formats share: lines, fields, integers, UTF-8, and errors that point at their bytes.
//
//   LineReader lines(source);
//   while (lines.next()) {
//     Fields fields(lines.text());
//     const std::string_view method = fields.take();
//     if (method.empty()) return lines.error(ErrorCode::missing_field, fields.at(), "...", "...");
//   }
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "core/format.hpp"
#include "core/reading_limits.hpp"
#include "formats/eight_bytes.hpp"
#include "linchpin/error.hpp"
#include "linchpin/history.hpp"

namespace linchpin::formats {

[[nodiscard]] inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
[[nodiscard]] inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }
[[nodiscard]] std::string_view trim(std::string_view text);

/// The length of `text` up to the first byte for which `ends` holds. (std::string_view::find_first_of is many times
/// slower.)
template <class Ends>
[[nodiscard]] inline std::size_t length_until(std::string_view text, Ends ends) {
  std::size_t length = 0;
  while (length < text.size() && !ends(text[length])) ++length;
  return length;
}

/// Text of an input as it may stand in a message: in quotes, shortened, without control characters.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// Nothing, or what every reader refuses before it looks at lines: an empty input (truncated), or one that is not UTF-8
/// (encoding, at the first bad byte).
[[nodiscard]] std::optional<Error> check_text(const core::Source& source);

/// How many rows an input may hold, from the length of its first ones: for HistoryBuilder::reserve.
[[nodiscard]] std::size_t estimate_rows(std::string_view bytes);

/// The first line of `head` that is not blank, trimmed; empty: there is none. For those who detect a format by it.
[[nodiscard]] std::string_view first_line(std::string_view head);

/// Walks over lines, which end in "\n" or "\r\n"; the last may lack its end. A byte order mark is skipped.
class LineReader {
 public:
  explicit LineReader(const core::Source& source);

  /// The next line; false at the end.
  bool next() {
    if (at_ == end_) return false;
    const auto* const newline = static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_)));
    const char* last = newline == nullptr ? end_ : newline;
    const char* const begin = at_;
    at_ = newline == nullptr ? end_ : newline + 1;
    if (last != begin && last[-1] == '\r') --last;
    text_ = std::string_view(begin, static_cast<std::size_t>(last - begin));
    ++number_;
    if (limits_ != nullptr) limits_->look(text_);
    return true;
  }

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::uint64_t number() const { return number_; }
  /// Where the input ends: bytes up to here may be looked at, though they are no longer of the line.
  [[nodiscard]] const char* end() const { return end_; }

  /// The place of a byte of the current line.
  [[nodiscard]] Place place(const char* at) const {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    const auto column = static_cast<std::uint64_t>(at - text_.data()) + 1;
    return Place{.line = number_ > kMost ? 0 : static_cast<std::uint32_t>(number_),
                 .column = column > kMost ? 0 : static_cast<std::uint32_t>(column)};
  }
  /// An error at a byte of the current line (or at its end).
  [[nodiscard]] Error error(ErrorCode code, const char* at, std::string message, std::string hint) const;

 private:
  const core::Source& source_;
  core::ReadingLimits* limits_;
  const char* at_;
  const char* end_;
  std::string_view text_;
  std::uint64_t number_ = 0;
};

/// Fields of a line, separated by blanks.
class Fields {
 public:
  explicit Fields(std::string_view line) : Fields(line, line.data() + line.size()) {}
  /// @param readable  no byte from here on is looked at; not before the line's end
  Fields(std::string_view line, const char* readable)
      : at_(line.data()), end_(line.data() + line.size()), readable_(readable) {}

  /// The next field; empty at the end of the line.
  std::string_view take() {
    skip_blanks();
    const char* const begin = at_;
    at_ += std::min(bytes_before_blank(at_, readable_), static_cast<std::size_t>(end_ - at_));
    while (at_ != end_ && !is_blank(*at_)) ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }
  /// Whether only blanks are left.
  [[nodiscard]] bool done() {
    skip_blanks();
    return at_ == end_;
  }
  /// What is left.
  [[nodiscard]] std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
  [[nodiscard]] const char* at() const { return at_; }
  /// The digits that come next; what ends the line is none.
  [[nodiscard]] Digits digits() const { return leading_digits(at_, readable_); }
  void skip(std::size_t bytes) { at_ += bytes; }
  void skip_blanks() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
  }

 private:
  const char* at_;
  const char* end_;
  const char* readable_;
};

/// Why a field is not an integer.
enum class NumberError : std::uint8_t { none, not_a_number, out_of_range };

/// The whole of `text` as a decimal integer of type T.
template <class T>
[[nodiscard]] inline NumberError parse_number(std::string_view text, T& number) {
  const char* at = text.data();
  const char* const end = at + text.size();
  bool negative = false;
  if constexpr (std::numeric_limits<T>::is_signed) {
    if (at != end && *at == '-') {
      negative = true;
      ++at;
    }
  }
  if (at == end) return NumberError::not_a_number;
  // Up to 18 digits cannot overflow; longer ones take the slow way.
  if (end - at <= 18) {
    std::uint64_t value = 0;
    for (; at != end; ++at) {
      if (!is_digit(*at)) return NumberError::not_a_number;
      value = value * 10 + static_cast<std::uint64_t>(*at - '0');
    }
    if constexpr (sizeof(T) < 8) {
      if (value > static_cast<std::uint64_t>(std::numeric_limits<T>::max())) return NumberError::out_of_range;
    }
    number = negative ? static_cast<T>(-static_cast<std::int64_t>(value)) : static_cast<T>(value);
    return NumberError::none;
  }
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ptr != end || !is_digit(*at)) return NumberError::not_a_number;
  return parsed.ec == std::errc() ? NumberError::none : NumberError::out_of_range;
}

/// Takes a field that must be an integer; `field` is its text, empty at the end of the line. The usual field, digits up
/// to a blank, is scanned once.
[[nodiscard, gnu::always_inline]] inline NumberError take_number(Fields& fields, std::string_view& field,
                                                                 std::int64_t& number) {
  fields.skip_blanks();
  const std::string_view rest = fields.rest();
  const Digits digits = fields.digits();
  if (digits.length > 0 && digits.length < 19 && (digits.length == rest.size() || is_blank(rest[digits.length]))) {
    field = rest.substr(0, digits.length);
    number = static_cast<std::int64_t>(digits.number);
    fields.skip(digits.length);
    return NumberError::none;
  }
  field = fields.take();
  return parse_number(field, number);
}

/// The message for a field that should be an integer: "the call's tick 'x' is not a number".
[[nodiscard]] Error number_error(const LineReader& lines, NumberError error, std::string_view field,
                                 std::string_view what);

}  // namespace linchpin::formats
