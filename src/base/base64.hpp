// Base 64 with the alphabet of RFC 4648, padded.
#pragma once

#include <string>
#include <string_view>

namespace linchpin::base {

[[nodiscard]] std::string to_base64(std::string_view bytes);
/// Up to the first character that is no digit; of a rest that is no whole byte nothing.
[[nodiscard]] std::string from_base64(std::string_view digits);

}  // namespace linchpin::base
