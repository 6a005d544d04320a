// Loading: tested in source_test.cpp.
#include "formats/source.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/read_some.hpp"
#include "formats/bytes.hpp"
#include "formats/compression.hpp"
#include "formats/report_files.hpp"

namespace linchpin::formats {

namespace {

/// A file descriptor that closes itself; standard input stays open.
class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (descriptor_ > STDIN_FILENO) close(descriptor_);
  }
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

Error io_error(const std::string& path, std::string message, std::string hint = {}) {
  return Error{.code = ErrorCode::io, .source = path, .message = std::move(message), .hint = std::move(hint)};
}

Error system_error(const std::string& path, const char* doing) {
  return io_error(path, fmt::format("cannot {}: {}", doing, std::strerror(errno)));
}

Result<void> read_all(int descriptor, const std::string& path, const std::stop_token& stop,
                      const core::ReadingLimits& limits, Bytes& bytes) {
  constexpr std::size_t kReadStep = std::size_t{1} << 20;
  while (true) {
    if (!limits.allows(kReadStep) || !bytes.make_room(kReadStep)) {
      Error error = limits.error(ErrorCode::too_large, path);
      error.message += fmt::format(" (at byte {})", bytes.size());
      return error;
    }
    const ssize_t got = base::read_some(descriptor, bytes.end(), bytes.room(), stop);
    if (got == 0) return {};
    if (got < 0 && errno == ECANCELED) {
      return Error{.code = ErrorCode::interrupted, .source = path, .message = "interrupted while it was read"};
    }
    if (got < 0) return system_error(path, "read");
    bytes.grew(static_cast<std::size_t>(got));
  }
}

}  // namespace

Input::~Input() {
  if (mapping_ != nullptr) munmap(mapping_, mapping_bytes_);
  std::free(buffer_);
}

void Input::swap(Input& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(mapping_, other.mapping_);
  std::swap(mapping_bytes_, other.mapping_bytes_);
  std::swap(buffer_, other.buffer_);
  std::swap(inputs_beside_, other.inputs_beside_);
  std::swap(beside_, other.beside_);
}

Result<Input> Input::decoded(Input raw, const core::ReadingLimits& limits) {
  const std::string_view bytes(raw.data_, raw.size_);
  const Compression compression = detect_compression(bytes);
  if (compression == Compression::none) return Result<Input>(std::move(raw));
  Bytes out;
  if (auto done = decompress(compression, bytes, limits, out); !done) {
    done.error().source = raw.name_;
    return done.error();
  }
  if (!out.make_room(kPadding)) return limits.error(ErrorCode::too_large, raw.name_);
  Input input;
  input.name_ = raw.name_;
  input.size_ = out.size();
  input.data_ = input.buffer_ = out.release();
  return Result<Input>(std::move(input));
}

Result<Input> Input::load_parts(const std::string& path, const std::vector<std::string>& parts, const Limits& limits) {
  const core::ReadingLimits memory(limits);
  Bytes bytes;
  const auto add = [&](std::string_view text) {
    if (!memory.allows(text.size()) || !bytes.make_room(text.size() + kPadding)) return false;
    std::memcpy(bytes.end(), text.data(), text.size());
    bytes.grew(text.size());
    return true;
  };
  for (const std::string& part : parts) {
    const auto input = load(fmt::format("{}/{}", path, part), limits);
    if (!input) return input.error();
    const bool fits = add(fmt::format("==> {} <==\n", part)) && add(input->source().bytes) && add("\n");
    if (!fits) return memory.error(ErrorCode::too_large, path);
  }
  if (!bytes.make_room(kPadding)) return memory.error(ErrorCode::too_large, path);
  Input input;
  input.name_ = path;
  input.size_ = bytes.size();
  input.data_ = input.buffer_ = bytes.release();
  for (const std::string& log : logs_of_report(path)) {
    auto beside = load(fmt::format("{}/{}", path, log), limits);
    if (!beside) return beside.error();
    input.inputs_beside_.push_back(std::move(*beside));
    input.beside_.push_back({log, input.inputs_beside_.back().source().bytes});
  }
  return Result<Input>(std::move(input));
}

Result<Input> Input::load(const std::string& path, const Limits& limits) {
  const core::ReadingLimits memory(limits);
  const bool standard_input = path == "-";
  // Without O_NONBLOCK opening a FIFO would wait for who writes to it.
  const File file(standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.descriptor() < 0) {
    const bool absent = errno == ENOENT;
    Error error = system_error(path, "open");
    if (absent) error.hint = "check the path; '-' reads standard input";
    return error;
  }
  struct stat status {};
  if (fstat(file.descriptor(), &status) != 0) return system_error(path, "look at");
  if (S_ISDIR(status.st_mode)) {
    const auto parts = files_of_report(path);
    if (!parts) return parts.error();
    if (parts->empty()) return io_error(path, "is a directory", "name the files in it");
    return load_parts(path, *parts, limits);
  }

  Input input;
  input.name_ = path;
  // Files of the kernel (/proc) are regular and say that they are empty: they are read, not mapped.
  if (S_ISREG(status.st_mode) && status.st_size > 0 && lseek(file.descriptor(), 0, SEEK_CUR) == 0) {
    // The file lies over the start of an anonymous mapping that is larger, so that the padding exists.
    const auto size = static_cast<std::size_t>(status.st_size);
    const std::size_t reserved = size + kPadding;
    void* const base = mmap(nullptr, reserved, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) return memory.error(ErrorCode::too_large, path);
    input.mapping_ = base;
    input.mapping_bytes_ = reserved;
    if (mmap(base, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, file.descriptor(), 0) == MAP_FAILED) {
      return system_error(path, "map");
    }
    madvise(base, size, MADV_SEQUENTIAL);  // only advice: a refusal costs nothing but speed
    input.data_ = static_cast<const char*>(base);
    input.size_ = size;
    return decoded(std::move(input), memory);
  }
  Bytes bytes;
  if (auto done = read_all(file.descriptor(), path, limits.stop, memory, bytes); !done) return done.error();
  if (!bytes.make_room(kPadding)) return memory.error(ErrorCode::too_large, path);
  input.size_ = bytes.size();
  input.data_ = input.buffer_ = bytes.release();
  return decoded(std::move(input), memory);
}

Result<Input> Input::from_bytes(std::string name, std::string bytes, const Limits& limits) {
  const core::ReadingLimits memory(limits);
  Bytes copy;
  if (!copy.make_room(bytes.size() + kPadding)) return memory.error(ErrorCode::too_large, std::move(name));
  std::memcpy(copy.end(), bytes.data(), bytes.size());
  Input input;
  input.size_ = bytes.size();
  input.data_ = input.buffer_ = copy.release();
  input.name_ = std::move(name);
  return decoded(std::move(input), memory);
}

}  // namespace linchpin::formats
