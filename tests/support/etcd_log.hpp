// Writes write-ahead logs as members of etcd do, for tests: frames, records, the chain of checksums, entries and what
// they ask for. It shares no code with the reader.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace linchpin::test {

/// A protocol buffer's message that grows by a field at a time. Zeros are written, too.
class WireMessage {
 public:
  WireMessage& number(std::uint64_t field, std::uint64_t value) {
    varint(field << 3U);
    varint(value);
    return *this;
  }
  WireMessage& bytes(std::uint64_t field, std::string_view content) {
    varint(field << 3U | 2U);
    varint(content.size());
    text_ += content;
    return *this;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void varint(std::uint64_t value) {
    for (; value > 0x7F; value >>= 7U) text_ += static_cast<char>((value & 0x7FU) | 0x80U);
    text_ += static_cast<char>(value);
  }
  std::string text_;
};

// --- What entries ask for ---

inline std::string logged_put(std::string_view key, std::string_view value, std::int64_t lease = 0) {
  WireMessage put;
  put.bytes(1, key).bytes(2, value);
  if (lease != 0) put.number(3, static_cast<std::uint64_t>(lease));
  return put.text();
}
inline std::string logged_delete(std::string_view key, std::string_view end = {}) {
  WireMessage erase;
  erase.bytes(1, key);
  if (!end.empty()) erase.bytes(2, end);
  return erase.text();
}
inline std::string logged_range(std::string_view key) { return WireMessage().bytes(1, key).text(); }
/// The condition that the key's last put was at that revision.
inline std::string logged_mod(std::string_view key, std::int64_t revision) {
  return WireMessage().number(2, 2).bytes(3, key).number(6, static_cast<std::uint64_t>(revision)).text();
}
/// A part of a transaction: 1: a range, 2: a put, 3: a delete.
inline std::string logged_act(std::uint64_t kind, std::string_view content) {
  return WireMessage().bytes(kind, content).text();
}

/// A whole request: 4: a put, 5: a delete, 6: a transaction, 7: a compaction, 8: a grant, 9: a revoke.
inline std::string logged_request(std::uint64_t kind, std::string_view content) {
  return WireMessage().number(1, 77).bytes(kind, content).bytes(100, WireMessage().number(1, 99).text()).text();
}
inline std::string logged_grant(std::int64_t lease, std::int64_t seconds) {
  const auto number = static_cast<std::uint64_t>(lease);
  return logged_request(8, WireMessage().number(1, static_cast<std::uint64_t>(seconds)).number(2, number).text());
}
inline std::string logged_revoke(std::int64_t lease) {
  return logged_request(9, WireMessage().number(1, static_cast<std::uint64_t>(lease)).text());
}
inline std::string logged_compaction(std::int64_t revision) {
  return logged_request(7, WireMessage().number(1, static_cast<std::uint64_t>(revision)).text());
}

// --- The log ---

class EtcdLogWriter {
 public:
  /// @param start  the index behind the entries that files before the first one had; 1: there were none
  explicit EtcdLogWriter(std::uint64_t start = 1) {
    files_.emplace_back();
    if (start > 1) checksum_ = 12345;
    begin_file();
    if (start == 1) snapshot(0, 0);
  }

  void entry(std::uint64_t index, std::uint64_t term, std::string_view data, std::uint64_t type = 0) {
    WireMessage message;
    message.number(1, type).number(2, term).number(3, index);
    if (!data.empty()) message.bytes(4, data);
    record(2, message.text());
  }
  void commit(std::uint64_t index, std::uint64_t term = 2) {
    record(3, WireMessage().number(1, term).number(2, 1).number(3, index).text());
  }
  void snapshot(std::uint64_t index, std::uint64_t term) {
    record(5, WireMessage().number(1, index).number(2, term).text());
  }
  /// Goes on in another file.
  void cut() {
    files_.emplace_back();
    begin_file();
  }
  /// Takes bytes from the end, as if they had not been written yet.
  void tear(std::size_t bytes) {
    std::string& last = files_.back();
    last.erase(last.size() - std::min(bytes, last.size()));
  }
  /// Space that was set aside.
  void zeroes(std::size_t bytes) { files_.back().append(bytes, '\0'); }

  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }
  void record(std::uint64_t type, std::string_view data) {
    if (type != 4) checksum_ = checksum(checksum_, data);
    WireMessage message;
    message.number(1, type).number(2, checksum_);
    if (type != 4) message.bytes(3, data);
    frame(message.text());
  }

  static std::uint32_t checksum(std::uint32_t before, std::string_view bytes) {
    std::uint32_t rest = ~before;
    for (const char byte : bytes) {
      rest ^= static_cast<unsigned char>(byte);
      for (int bit = 0; bit < 8; ++bit) rest = (rest & 1U) != 0 ? (rest >> 1U) ^ 0x82F63B78U : rest >> 1U;
    }
    return ~rest;
  }

 private:
  void begin_file() {
    record(4, {});
    record(1, "member");
  }
  void frame(const std::string& content) {
    const std::size_t padding = (8 - content.size() % 8) % 8;
    std::uint64_t field = content.size();
    if (padding != 0) field |= (0x80U | static_cast<std::uint64_t>(padding)) << 56U;
    std::string& file = files_.back();
    for (unsigned i = 0; i < 8; ++i) file += static_cast<char>(field >> (8 * i) & 0xFFU);
    file += content;
    file.append(padding, '\0');
  }

  std::vector<std::string> files_;
  std::uint32_t checksum_ = 0;
};

}  // namespace linchpin::test
