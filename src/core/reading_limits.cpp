#include "core/reading_limits.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

namespace linchpin::core {

namespace {

/// A MiB is read in milliseconds, and looking costs microseconds.
constexpr std::size_t kStride = std::size_t{1} << 20;

/// What values in a text become at most: each element of a list some tens of bytes in columns, vectors that double and
/// the pool's index, each byte of a string its copies.
std::size_t memory_of(std::string_view text) {
  constexpr std::size_t kByte = 4;
  constexpr std::size_t kElement = 64;
  const auto elements = std::count_if(text.begin(), text.end(),
                                      [](char c) { return c == ' ' || c == ',' || c == '[' || c == ':' || c == '{'; });
  return kByte * text.size() + kElement * static_cast<std::size_t>(elements);
}

}  // namespace

std::size_t own_resident_bytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  unsigned long long pages = 0;
  unsigned long long resident = 0;
  unsigned long long mapped = 0;
  const int read = std::fscanf(file, "%llu %llu %llu", &pages, &resident, &mapped);
  std::fclose(file);
  if (read != 3 || mapped > resident) return 0;
  return static_cast<std::size_t>(resident - mapped) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void return_freed_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

ReadingLimits::ReadingLimits(const Limits& limits) : stop_(limits.stop) {
  if (limits.memory) memory_ = *limits.memory;
}

void ReadingLimits::look_now(std::string_view part) {
  position_ = part.data();
  next_look_ = end_of(part) + kStride;
  if (interrupted()) throw ReadingEnded(ErrorCode::interrupted);
  if (memory_ != kNoLimit) take(part.size() < kStride ? 0 : memory_of(part));
}

Error ReadingLimits::error(ErrorCode ended, std::string source) const {
  if (ended == ErrorCode::interrupted) {
    return Error{.code = ended, .source = std::move(source), .message = "reading was interrupted"};
  }
  const bool limited = memory_ != kNoLimit;
  const std::string limit = memory_ < kStride
                                ? fmt::format("{} bytes", memory_)
                                : fmt::format("{} MiB", memory_ / kStride + (memory_ % kStride == 0 ? 0 : 1));
  return Error{.code = ErrorCode::too_large,
               .source = std::move(source),
               .message = limited ? fmt::format("reading it takes more memory than the limit of {} allows", limit)
                                  : "there is not enough memory to read it",
               .hint = limited ? "raise the limit (--memory-limit, ReadOptions::limits), or split the recording"
                               : "split the recording"};
}

}  // namespace linchpin::core
