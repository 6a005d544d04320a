#include "formats/etcd_robustness/log/records.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "formats/etcd_robustness/log/checksum.hpp"
#include "formats/etcd_robustness/log/wire.hpp"

namespace linchpin::formats::etcd_robustness::log {

namespace {

constexpr std::size_t kFrame = 8;
constexpr std::size_t kSector = 512;  // what a disk writes at once

/// Each byte is the one before it, and the first is zero. As fast as memory is read: what is set aside is long.
bool all_zero(std::string_view bytes) {
  return bytes.empty() || (bytes[0] == 0 && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

struct Frame {
  std::uint64_t size = 0, padding = 0;
  bool none = true;  ///< zeroes
};

/// The length is in the lower 56 bits; the sign says that the three bits behind these have the padding.
Frame frame_of(std::string_view bytes) {
  std::uint64_t field = 0;
  for (std::size_t i = 0; i < kFrame; ++i) {
    field |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  constexpr std::uint64_t kLength = (std::uint64_t{1} << 56U) - 1;
  return {.size = field & kLength, .padding = (field >> 63U) != 0 ? (field >> 56U) & 7U : 0, .none = field == 0};
}

}  // namespace

Error fault_at(const LogFile& file, std::size_t byte, ErrorCode code, std::string message) {
  return Error{
      .code = code,
      .source = file.name,
      .message = fmt::format("{} (at byte {})", message, byte),
      .hint = "was the file copied whole? Without the directory of this member the report can be checked, too"};
}

/// A record that is not right is torn if some sector of it was never written, or nothing follows what was.
bool Records::is_torn(std::size_t begin, std::size_t end) const {
  if (at_ + 1 != files_.size()) return false;
  const std::string_view bytes = files_[at_].bytes;
  if (all_zero(bytes.substr(std::min(end, bytes.size())))) return true;
  for (std::size_t sector = begin; sector < end;) {
    const std::size_t next = std::min(end, sector - sector % kSector + kSector);
    if (all_zero(bytes.substr(sector, next - sector))) return true;
    sector = next;
  }
  return false;
}

Result<std::optional<Record>> Records::broken(std::size_t end, ErrorCode code, const char* message) {
  if (!is_torn(place_ + kFrame, end)) return fault_at(file(), place_, code, message);
  torn_ = true;
  return std::optional<Record>();
}

Result<std::optional<Record>> Records::next() {
  while (!torn_ && at_ < files_.size()) {
    const std::string_view bytes = files_[at_].bytes;
    place_ = next_;
    const std::string_view rest = bytes.substr(next_);
    const Frame frame = rest.size() < kFrame ? Frame{} : frame_of(rest);
    if (frame.none) {
      if (rest.size() < kFrame && !all_zero(rest))
        return broken(bytes.size(), ErrorCode::truncated, "it ends in a frame");
      if (at_ + 1 == files_.size()) {
        torn_ = !all_zero(rest);  // the frame was not written, and something behind it was
        break;
      }
      ++at_;
      next_ = 0;
      continue;
    }
    const std::size_t begin = next_ + kFrame;
    if (frame.size > bytes.size() - begin || frame.padding > bytes.size() - begin - frame.size) {
      return broken(bytes.size(), ErrorCode::truncated, "a record is longer than what is left of the file");
    }
    const std::size_t end = begin + frame.size + frame.padding;
    Record record;
    std::uint64_t type = 0;
    std::uint32_t told = 0;
    Message message(bytes.substr(begin, frame.size));
    while (message.next()) {
      if (message.field() == 1) type = message.number();
      if (message.field() == 2) told = static_cast<std::uint32_t>(message.number());
      if (message.field() == 3) record.data = message.bytes();
    }
    if (message.fault()) return broken(end, ErrorCode::syntax, "a record is no message");
    if (type == static_cast<std::uint64_t>(RecordType::checksum)) {
      // Each file begins with the checksum of those before it; what is before the first one may be gone.
      if (checksum_ != 0 && told != checksum_) {
        return broken(end, ErrorCode::checksum, "the files do not follow one another: their checksums differ");
      }
      checksum_ = told;
    } else {
      const std::uint32_t right = checksum(checksum_, record.data);
      if (told != right) return broken(end, ErrorCode::checksum, "the checksum of a record does not match");
      checksum_ = right;
    }
    if (type < 1 || type > static_cast<std::uint64_t>(RecordType::snapshot)) {
      return broken(end, ErrorCode::unsupported, "a record is of no type that is known");
    }
    record.type = static_cast<RecordType>(type);
    next_ = end;
    return std::optional(record);
  }
  return std::optional<Record>();
}

}  // namespace linchpin::formats::etcd_robustness::log
