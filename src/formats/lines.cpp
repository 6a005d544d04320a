#include "formats/lines.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "formats/utf8.hpp"

namespace linchpin::formats {

namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::size_t length = std::min(text.size(), kMost);
  // Not in the middle of a character.
  while (length < text.size() && length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) --length;
  std::string out = "'";
  for (const char c : text.substr(0, length)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(byte));
    } else {
      out += c;
    }
  }
  if (length < text.size()) out += "...";
  out += '\'';
  return out;
}

std::optional<Error> check_text(const core::Source& source) {
  const std::string_view bytes = source.bytes;
  if (bytes.empty()) {
    return Error{.code = ErrorCode::truncated,
                 .source = source.name,
                 .message = "the input is empty",
                 .hint = "was the recording written out, and the right file named?"};
  }
  if (is_utf8(bytes)) return std::nullopt;
  const std::size_t at = first_invalid_utf8(bytes);
  const std::string_view before = bytes.substr(0, at);
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  return Error{
      .code = ErrorCode::encoding,
      .source = source.name,
      .line = static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n')) + 1,
      .column = at - line_begin + 1,
      .message = fmt::format("byte 0x{:02x} is not UTF-8",
                             static_cast<unsigned>(static_cast<unsigned char>(bytes[std::min(at, bytes.size() - 1)]))),
      .hint = "save the file as UTF-8; binary data is not a history in a text format"};
}

std::size_t estimate_rows(std::string_view bytes) {
  constexpr std::size_t kSample = std::size_t{64} << 10;
  const std::string_view sample = bytes.substr(0, kSample);
  const auto lines = static_cast<std::size_t>(std::count(sample.begin(), sample.end(), '\n')) + 1;
  if (sample.size() == bytes.size()) return lines;
  constexpr std::size_t kShortestRow = 8;
  const std::size_t length = std::max(sample.size() / lines, kShortestRow);
  return bytes.size() / length + bytes.size() / length / 16;  // rows may shorten further on
}

LineReader::LineReader(const core::Source& source)
    : source_(source),
      limits_(source.limits),
      at_(source.bytes.data()),
      end_(source.bytes.data() + source.bytes.size()),
      text_(source.bytes.substr(0, 0)) {
  if (source.bytes.substr(0, kByteOrderMark.size()) == kByteOrderMark) at_ += kByteOrderMark.size();
}

Error LineReader::error(ErrorCode code, const char* at, std::string message, std::string hint) const {
  return Error{.code = code,
               .source = source_.name,
               .line = number_,
               .column = static_cast<std::uint64_t>(at - text_.data()) + 1,
               .message = std::move(message),
               .hint = std::move(hint)};
}

Error number_error(const LineReader& lines, NumberError error, std::string_view field, std::string_view what) {
  if (error == NumberError::out_of_range) {
    return lines.error(ErrorCode::bad_number, field.data(),
                       fmt::format("{} {} is out of range", what, in_quotes(field)),
                       "integers have 64 bits and a sign");
  }
  return lines.error(ErrorCode::bad_number, field.data(), fmt::format("{} {} is not a number", what, in_quotes(field)),
                     "write a decimal integer");
}

std::string_view first_line(std::string_view head) {
  const core::Source source{.name = {}, .bytes = head};
  LineReader lines(source);
  while (lines.next()) {
    if (const std::string_view line = trim(lines.text()); !line.empty()) return line;
  }
  return {};
}

}  // namespace linchpin::formats
