// How often, in words, for the sentences of violations.
#pragma once

#include <cstddef>
#include <string>

#include <fmt/format.h>

namespace linchpin::types {

/// "never", "once", "twice", "3 times".
inline std::string times(std::size_t number) {
  switch (number) {
    case 0: return "never";
    case 1: return "once";
    case 2: return "twice";
    default: return fmt::format("{} times", number);
  }
}

}  // namespace linchpin::types
