// The records of one member's write-ahead log, as etcd writes them: a frame of eight bytes, which has the length and
// the padding, then the record with a checksum of all data up to here. The chain of checksums goes on from file to
// file. Behind the last record a file is zeroes. Tested in log_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/format.hpp"
#include "linchpin/error.hpp"

namespace linchpin::formats::etcd_robustness::log {

/// One of the files of a log: "server-m0/member/wal/0000000000000000-0000000000000000.wal".
using LogFile = core::FileBeside;

enum class RecordType : std::uint8_t { none = 0, metadata = 1, entry = 2, state = 3, checksum = 4, snapshot = 5 };

struct Record {
  RecordType type = RecordType::none;
  std::string_view data;
};

/// What is wrong at a byte of a file; its code is that of an Error.
[[nodiscard]] Error fault_at(const LogFile& file, std::size_t byte, ErrorCode code, std::string message);

class Records {
 public:
  /// @param files  of one member, in their order; they outlive the records
  explicit Records(std::span<const LogFile> files) : files_(files) {}

  /// The next record; nothing behind the last one. Errors: checksum, truncated, syntax. Linear in the bytes.
  Result<std::optional<Record>> next();
  /// Whether the log ends in a record that was not written whole, as when the member was killed.
  [[nodiscard]] bool torn() const { return torn_; }
  /// The file of the last record, and where that begins in it.
  [[nodiscard]] const LogFile& file() const { return files_[at_]; }
  [[nodiscard]] std::size_t place() const { return place_; }

 private:
  [[nodiscard]] bool is_torn(std::size_t begin, std::size_t end) const;
  Result<std::optional<Record>> broken(std::size_t end, ErrorCode code, const char* message);

  std::span<const LogFile> files_;
  std::size_t at_ = 0;     // file
  std::size_t place_ = 0;  // of the last record
  std::size_t next_ = 0;   // byte
  std::uint32_t checksum_ = 0;
  bool torn_ = false;
};

}  // namespace linchpin::formats::etcd_robustness::log
