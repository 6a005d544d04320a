// Names, as the binary format's section of names has them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "formats/binary/layout.hpp"

namespace linchpin::formats::binary {

/// Numbers of 8 bytes and strings with their lengths, padded to 8 bytes.
class Records {
 public:
  void number(std::uint64_t number) { bytes.append(reinterpret_cast<const char*>(&number), sizeof number); }
  void string(std::string_view text) {
    number(text.size());
    bytes += text;
    bytes.resize(padded(bytes.size()));
  }
  std::string bytes;
};

/// Methods, processes, objects, annotations.
[[nodiscard]] std::string names_of(const History& history);

}  // namespace linchpin::formats::binary
