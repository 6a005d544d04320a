#include "base/foreign_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace linchpin::base {

namespace {

struct Range {
  std::uint32_t first, last;
};

/// Unicode's controls, separators of lines, invisible format characters and tags. Format characters that show (signs of
/// Arabic numbers, say) and selectors of a variant, which belong to the character before them, are left alone.
constexpr std::array kNotShown{
    Range{0x00, 0x1f},     Range{0x7f, 0x9f},     Range{0xad, 0xad},       Range{0x61c, 0x61c},
    Range{0x115f, 0x1160}, Range{0x180e, 0x180e}, Range{0x200b, 0x200f},   Range{0x2028, 0x202e},
    Range{0x2060, 0x206f}, Range{0x3164, 0x3164}, Range{0xfdd0, 0xfdef},   Range{0xfeff, 0xfeff},
    Range{0xffa0, 0xffa0}, Range{0xfff0, 0xfffb}, Range{0x1d173, 0x1d17a}, Range{0xe0000, 0xe0fff}};

bool is_shown(std::uint32_t character) {
  if ((character & 0xfffeU) == 0xfffeU) return false;  // the last two of each plane
  return std::none_of(kNotShown.begin(), kNotShown.end(),
                      [character](const Range& range) { return range.first <= character && character <= range.last; });
}

/// The character at the front and its length; length 0 where it is no UTF-8.
struct Character {
  std::uint32_t code = 0;
  std::size_t length = 0;
};

Character first_of(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  std::uint32_t code = lead & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0U) != 0x80U) return {};
    code = code << 6U | (next & 0x3fU);
  }
  const bool overlong = code < (length == 4 ? 0x10000U : length == 3 ? 0x800U : 0x80U);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (overlong || surrogate || code > 0x10ffff) return {};
  return {code, length};
}

}  // namespace

std::size_t shown_as_themselves(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x20 && byte < 0x7f) {
      ++at;
      continue;
    }
    const Character character = first_of(text.substr(at));
    if (character.length == 0 || !is_shown(character.code)) break;
    at += character.length;
  }
  return at;
}

void append_escape(std::string& out, char byte) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  switch (byte) {
    case '\n': out += "\\n"; return;
    case '\t': out += "\\t"; return;
    case '\r': out += "\\r"; return;
    default: break;
  }
  const auto number = static_cast<unsigned char>(byte);
  out += "\\x";
  out += kDigits[number >> 4U];
  out += kDigits[number & 0xfU];
}

std::string foreign_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t shown = shown_as_themselves(text);
    out += text.substr(0, shown);
    text.remove_prefix(shown);
    if (text.empty()) break;
    append_escape(out, text[0]);  // the rest of a longer character is no UTF-8 on its own
    text.remove_prefix(1);
  }
  return out;
}

std::string foreign_lines(std::string_view text, std::span<const std::string_view> ours) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    std::size_t kept = shown_as_themselves(text);
    if (kept == 0 && (text[0] == '\n' || text[0] == '\t')) kept = 1;
    for (const std::string_view sequence : ours) {
      if (kept == 0 && text.starts_with(sequence)) kept = sequence.size();
    }
    if (kept == 0) {
      append_escape(out, text[0]);
      kept = 1;
    } else {
      out += text.substr(0, kept);
    }
    text.remove_prefix(kept);
  }
  return out;
}

}  // namespace linchpin::base
