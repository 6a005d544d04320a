// Bytes as they are written into an HTML file, in base 64 (base/base64.hpp): deflated.
#pragma once

#include <string>
#include <string_view>

namespace linchpin::explain::page {

/// A zlib stream, which browsers call "deflate".
[[nodiscard]] std::string deflated(std::string_view bytes);

}  // namespace linchpin::explain::page
