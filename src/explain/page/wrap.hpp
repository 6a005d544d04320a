// Bytes as they are written into an HTML file: deflated, then in base 64.
#pragma once

#include <string>
#include <string_view>

namespace linchpin::explain::page {

/// A zlib stream, which browsers call "deflate".
[[nodiscard]] std::string deflated(std::string_view bytes);
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace linchpin::explain::page
