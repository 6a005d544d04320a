#include "base/base64.hpp"

#include <algorithm>
#include <cstdint>

namespace linchpin::base {

namespace {

constexpr std::string_view kBase64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = (group << 8) | (k < left ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) out += k <= left ? kBase64Digits[(group >> (18 - 6 * k)) & 63] : '=';
  }
  return out;
}

std::string from_base64(std::string_view digits) {
  std::string text;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : digits) {
    const std::size_t digit = kBase64Digits.find(c);
    if (digit == std::string_view::npos) break;
    bits = bits << 6U | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    text += static_cast<char>(bits >> static_cast<unsigned>(held) & 0xffU);
  }
  return text;
}

}  // namespace linchpin::base
