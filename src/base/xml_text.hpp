// Text for XML. What XML cannot hold is written as people read it: bytes that are not UTF-8, control characters,
// noncharacters (base/foreign_text.hpp).
#pragma once

#include <string>
#include <string_view>

namespace linchpin::base {

/// Escaped for elements and attributes; lines stay lines.
[[nodiscard]] std::string xml_text(std::string_view text);
/// Of a name, on one line.
[[nodiscard]] std::string xml_name(std::string_view text);

}  // namespace linchpin::base
