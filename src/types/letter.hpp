// What sentences call the operations of a circle.
#pragma once

#include <cstddef>
#include <string>

#include <fmt/format.h>

namespace linchpin::types {

/// A, B, ... and from the 27th on T26, T27, ...
inline std::string letter(std::size_t i) {
  return i < 26 ? std::string(1, static_cast<char>('A' + i)) : fmt::format("T{}", i);
}

}  // namespace linchpin::types
