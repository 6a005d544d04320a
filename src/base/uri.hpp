// Paths of files as references of URIs.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace linchpin::base {

/// A relative reference, or the path of an absolute one: everything that is not plainly allowed is percent-encoded.
[[nodiscard]] inline std::string uri_path(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                       c == '_' || c == '.' || c == '~' || c == '/';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace linchpin::base
