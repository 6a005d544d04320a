// A column of the page's payload: numbers as varints, seven bits a byte and the lowest first.
#pragma once

#include <cstdint>
#include <string>

namespace linchpin::explain::page {

class Column {
 public:
  void number(std::uint64_t number) {
    while (number >= 0x80) {
      bytes_ += static_cast<char>(number | 0x80);
      number >>= 7;
    }
    bytes_ += static_cast<char>(number);
  }
  /// Small whatever the sign.
  void difference(std::int64_t difference) { number(zigzag(difference)); }
  void append(std::string_view bytes) { bytes_ += bytes; }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

  [[nodiscard]] static std::uint64_t zigzag(std::int64_t number) {
    return (static_cast<std::uint64_t>(number) << 1) ^ static_cast<std::uint64_t>(number >> 63);
  }

 private:
  std::string bytes_;
};

}  // namespace linchpin::explain::page
