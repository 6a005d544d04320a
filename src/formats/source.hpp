// An input's bytes, wherever they come from: a mapped file, standard input, a pipe, or a compressed stream.
//
//   auto input = formats::Input::load("history.log.zst");
//   if (input) read_source(input->source(), options, emit);
//
// Compression is recognised by its magic bytes, never by the name: gzip (several members) and zstd (several frames).
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/format.hpp"
#include "core/reading_limits.hpp"
#include "linchpin/error.hpp"

namespace linchpin::formats {

/// Bytes that may be read past the end of a loaded input; SIMD parsers ask for 32.
inline constexpr std::size_t kPadding = 64;

/// Owns the decompressed bytes of one input. Movable; its Source is valid as long as it lives.
class Input {
 public:
  /// A directory with the report of etcd's robustness tests is its files (client-1/operations.json and so on), each
  /// behind a line with its name; its members' logs are files beside. Maps a plain file; reads anything else ("-" is
  /// standard input) to its end; decodes .gz and .zst. Errors: io, compression, too_large (also: more than the limits
  /// allow, of which the mapped file is no part), interrupted (`limits.stop`, also while it waits for input). A mapped
  /// file that another program shortens while it is read ends the process, as for every mapped file: finish recording
  /// first, or pipe it in.
  static Result<Input> load(const std::string& path, const Limits& limits = {});
  /// Takes bytes that are in memory, decoding them like a file's.
  static Result<Input> from_bytes(std::string name, std::string bytes, const Limits& limits = {});

  Input(Input&& other) noexcept { swap(other); }
  Input& operator=(Input&& other) noexcept {
    swap(other);
    return *this;
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;
  ~Input();

  [[nodiscard]] core::Source source() const {
    return core::Source{
        .name = name_, .bytes = {data_, size_}, .padding = kPadding, .limits = nullptr, .beside = beside_};
  }

 private:
  Input() = default;
  void swap(Input& other) noexcept;
  static Result<Input> load_parts(const std::string& path, const std::vector<std::string>& parts, const Limits& limits);
  static Result<Input> decoded(Input raw, const core::ReadingLimits& limits);

  std::string name_;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  void* mapping_ = nullptr;  // of mapping_bytes_ bytes, when data_ is in one
  std::size_t mapping_bytes_ = 0;
  char* buffer_ = nullptr;  // from malloc, when data_ is in one
  std::vector<Input> inputs_beside_;
  std::vector<core::FileBeside> beside_;
};

}  // namespace linchpin::formats
