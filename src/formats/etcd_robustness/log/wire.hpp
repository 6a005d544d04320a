// The wire format of protocol buffers: fields one after the other, each a number, a kind and a content. Nothing is
// copied; what is not asked for is passed over. Format: https://protobuf.dev/programming-guides/encoding/
// Tested in log_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace linchpin::formats::etcd_robustness::log {

class Message {
 public:
  explicit Message(std::string_view bytes) : rest_(bytes) {}

  /// Moves on to the next field. False: there is none, or the bytes are no message (`fault`). O(1) each.
  bool next() {
    if (rest_.empty() || fault_) return false;
    const std::uint64_t key = varint();
    field_ = key >> 3U;
    number_ = 0;
    bytes_ = {};
    kind_ = static_cast<Kind>(key & 7U);
    switch (kind_) {
      case Kind::number: number_ = varint(); break;
      case Kind::eight_bytes: bytes_ = take(8); break;
      case Kind::bytes: bytes_ = take(varint()); break;
      case Kind::four_bytes: bytes_ = take(4); break;
      default: fault_ = true;  // groups, which etcd has none of
    }
    if (field_ == 0) fault_ = true;
    return !fault_;
  }
  [[nodiscard]] bool fault() const { return fault_; }

  [[nodiscard]] std::uint64_t field() const { return field_; }
  /// The number of the field; a field that holds something else is a fault.
  std::uint64_t number() {
    if (kind_ != Kind::number) fault_ = true;
    return number_;
  }
  std::int64_t integer() { return static_cast<std::int64_t>(number()); }
  /// The bytes, the text or the message of the field; a field that holds something else is a fault.
  std::string_view bytes() {
    if (kind_ != Kind::bytes) fault_ = true;
    return bytes_;
  }

 private:
  enum class Kind : std::uint8_t { number = 0, eight_bytes = 1, bytes = 2, four_bytes = 5 };

  std::uint64_t varint() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) break;
      const auto byte = static_cast<unsigned char>(rest_[0]);
      rest_.remove_prefix(1);
      number |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
      if (byte < 0x80) return number;
    }
    fault_ = true;
    return 0;
  }
  std::string_view take(std::uint64_t size) {
    if (fault_ || size > rest_.size()) {
      fault_ = true;
      return {};
    }
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(size));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view rest_;
  std::uint64_t field_ = 0, number_ = 0;
  std::string_view bytes_;
  Kind kind_ = Kind::number;
  bool fault_ = false;
};

}  // namespace linchpin::formats::etcd_robustness::log
