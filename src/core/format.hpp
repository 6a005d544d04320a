// A format as the registry holds it: a row of src/formats/registry.cpp.
//
// A reader is total: any bytes give histories or errors with a place. It yields method names, never types' method rows:
// the type's table binds them, so that n formats and m types need n + m pieces of code.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "linchpin/error.hpp"
#include "linchpin/history.hpp"
#include "linchpin/reading.hpp"

namespace linchpin::core {

class ReadingLimits;

/// A file that belongs to an input and is not part of its bytes: a member's log in a report.
struct FileBeside {
  std::string name;  ///< relative to the input
  std::string_view bytes;
};

/// Decompressed bytes and the name to use in errors.
struct Source {
  std::string name;
  std::string_view bytes;
  std::size_t padding = 0;          ///< bytes after the end that may be read, whatever they hold: for SIMD parsers
  ReadingLimits* limits = nullptr;  ///< what readers ask before they take more memory; null: there are none
  std::span<const FileBeside> beside = {};
};

/// Receives the histories of an input one by one, each whole or in error; false asks the reader to stop.
using Emit = std::function<bool(Result<History>)>;

/// Writes a history of which only a part is held at a time, for formats whose files cannot be continued: what was given
/// waits in temporary files.
class PartsWriter {
 public:
  virtual ~PartsWriter() = default;
  /// Further operations of the history, with the same objects and method names. Errors: io; too_large; unsupported: a
  /// part with named processes, fields, annotations or places.
  [[nodiscard]] virtual Result<void> add(const History& part) = 0;
  /// Once, after the last part: gives the whole to `sink`, piece by piece, until that says false.
  [[nodiscard]] virtual Result<void> finish(const std::function<bool(std::string_view)>& sink) = 0;
};

struct Format {
  std::string_view name;
  std::string_view summary;
  /// How surely `head` (the first bytes of an input, up to 64 KiB) is in this format: 0 no, 100 certain.
  int (*detect)(std::string_view head);
  void (*read)(const Source& source, const ReadOptions& options, const Emit& emit);
  /// Appends the history in this format; nothing: the format is read only.
  Result<void> (*write)(const History& history, std::string& out) = nullptr;
  /// Appends further operations to what `write` wrote for a history with the same objects and method names, so that
  /// long histories can be written part by part; nothing: the format needs the whole history at once.
  Result<void> (*append)(const History& history, std::string& out) = nullptr;
  /// Another way to write long histories part by part, into another file than what `write` wrote; may be nothing.
  std::unique_ptr<PartsWriter> (*parts)() = nullptr;
};

/// Every format, in the order of detection among equals.
[[nodiscard]] std::span<const Format> formats();
[[nodiscard]] const Format* find_format(std::string_view name);
/// The format that recognises `head` best.
[[nodiscard]] const Format* detect_format(std::string_view head);

}  // namespace linchpin::core
