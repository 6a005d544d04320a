// What reading one input may still take: memory, and whether somebody asked for an end.
//
//   core::ReadingLimits limits(options.limits);
//   while (lines_left) {
//     limits.look(line);  // cheap: looks once for each MiB of input
//     ...
//   }
//
// When a limit is reached, `look` throws a std::bad_alloc, as an allocator does that refuses. So no reader can take a
// part of an input for the whole. formats::read_source and read_histories, through which all reading goes, make an
// Error of it. Tests: reading_limits_test.cpp beside the formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <stop_token>
#include <string>
#include <string_view>

#include "linchpin/error.hpp"
#include "linchpin/limits.hpp"

namespace linchpin::core {

/// Bytes of the process that are resident now and that only it has: without the pages of mapped files, which the system
/// takes back when it wants them. 0 where the system does not say.
[[nodiscard]] std::size_t own_resident_bytes();

/// Gives memory that was freed back to the system, so that what was resident for one input does not count for the next.
void return_freed_memory();

/// What ReadingLimits throws.
class ReadingEnded : public std::bad_alloc {
 public:
  explicit ReadingEnded(ErrorCode code) : code_(code) {}
  [[nodiscard]] const char* what() const noexcept override { return "reading was ended by its limits"; }
  [[nodiscard]] ErrorCode code() const { return code_; }  ///< too_large or interrupted

 private:
  ErrorCode code_;
};

class ReadingLimits {
 public:
  explicit ReadingLimits(const Limits& limits);

  /// Whether `bytes` more may be taken. Asks the system: some microseconds.
  [[nodiscard]] bool allows(std::size_t bytes) const {
    return memory_ == kNoLimit || own_resident_bytes() + bytes <= memory_;
  }
  [[nodiscard]] bool interrupted() const { return stop_.stop_requested(); }

  /// Before `part` of the input is read, which follows the one before it. Asks the system now and then, and ahead of a
  /// part that is long by itself, with an estimate of what it becomes.
  void look(std::string_view part) {
    if (end_of(part) >= next_look_) look_now(part);
  }
  /// Before `bytes` are taken at once.
  void take(std::size_t bytes) const {
    if (!allows(bytes)) throw ReadingEnded(ErrorCode::too_large);
  }

  /// The part of the input before which it was looked last; null: nothing was read.
  [[nodiscard]] const char* position() const { return position_; }

  /// Why reading `source` ended, without a place. An `ended` of a real std::bad_alloc: too_large.
  [[nodiscard]] Error error(ErrorCode ended, std::string source) const;

 private:
  static constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();
  static std::uintptr_t end_of(std::string_view part) {
    return reinterpret_cast<std::uintptr_t>(part.data()) + part.size();
  }
  void look_now(std::string_view part);

  std::size_t memory_ = kNoLimit;
  std::stop_token stop_;
  std::uintptr_t next_look_ = 0;  // where in the input
  const char* position_ = nullptr;
};

}  // namespace linchpin::core
