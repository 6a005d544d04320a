// A file that is there whole or not at all: it is written beside its name and renamed at the end.
//
//   auto file = OutputFile::create("report.xml");
//   if (file) file->write(text);
//   if (file) file->finish();
//
// Whatever ends the writing early (a full disk, an interrupt, an error) leaves what was under the name before. Symbolic
// links are refused, not followed: neither what a link points to nor the link is replaced by surprise. What is no file
// but takes what is written (a terminal, /dev/null, a FIFO, /dev/stdout, which is "-", /dev/fd/3) is written directly.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "linchpin/error.hpp"

namespace linchpin::base {

class OutputFile {
 public:
  /// Makes the temporary file. A file that is there must be one that may be written; its permissions are kept. io.
  [[nodiscard]] static Result<OutputFile> create(const std::string& path);
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) noexcept;
  /// Without `finish`, the name stays as it was.
  ~OutputFile();

  /// io. After an error everything that follows fails as well.
  [[nodiscard]] Result<void> write(std::string_view text);
  /// Writes the rest and gives the file its name. Once. io.
  [[nodiscard]] Result<void> finish();

  [[nodiscard]] const std::string& path() const;

  /// Removes the temporary files of all that are not finished: before a process ends without destructors. From any
  /// thread, not from a signal's handler.
  static void abandon_all();

 private:
  struct State;
  explicit OutputFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Writes the whole file at once. io.
[[nodiscard]] Result<void> write_file(const std::string& path, std::string_view text);

/// The number N of a path that names a descriptor of this process: "-", /dev/stdout, /dev/fd/N, /proc/self/fd/N; else
/// -1.
[[nodiscard]] int descriptor_named(const std::string& path);

}  // namespace linchpin::base
