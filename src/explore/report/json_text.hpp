// Text as JSON has it.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

namespace linchpin::explorer {

[[nodiscard]] inline std::string json_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (character == '"' || character == '\\') {
      quoted += '\\';
      quoted += character;
    } else if (character == '\n') {
      quoted += "\\n";
    } else if (byte < 0x20) {
      quoted += fmt::format("\\u{:04x}", byte);
    } else {
      quoted += character;
    }
  }
  return quoted + "\"";
}

}  // namespace linchpin::explorer
