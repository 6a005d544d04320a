// A history read as it is being written, some rows at a time: the native formats, from standard input or a file.
//
// A batch is what a read gives, cut after its last line and put behind the header, so that the formats' readers need to
// know nothing of streams.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/format.hpp"
#include "linchpin/check.hpp"

namespace linchpin::app {

class HistoryStream {
 public:
  /// Error: io.
  [[nodiscard]] static Result<HistoryStream> open(const std::string& path, const ReadOptions& options);
  HistoryStream(HistoryStream&& other) noexcept;
  HistoryStream& operator=(HistoryStream&&) = delete;
  ~HistoryStream();

  /// The next rows, as a history of their own; nothing at the end. Waits for a line, not for more. Errors: io, those of
  /// the formats, where the rows before a bad one were given out first, and unsupported for formats that are not lines
  /// and for a second history.
  [[nodiscard]] Result<std::optional<History>> next();
  /// The line of the stream for one of the last batch.
  [[nodiscard]] std::uint64_t line(std::uint64_t in_batch) const { return in_batch + lines_before_ - header_lines_; }

 private:
  HistoryStream(int descriptor, std::string name, const ReadOptions& options)
      : descriptor_(descriptor), name_(std::move(name)), options_(options) {}
  /// Appends what there is to read; false at the end.
  Result<bool> fill();
  /// Moves the header's lines from the front of `lines` to header_; true once a row follows.
  bool take_header(std::string& lines);
  /// The rows; or those before a bad one, whose error is kept for the next call.
  Result<std::optional<History>> parse_what_is_right(std::string_view rows);
  Result<std::optional<History>> parse(std::string_view rows);
  /// What the formats' readers would say of the whole: once rows name objects, all do.
  Result<void> note_objects(const History& batch);

  int descriptor_;
  std::string name_;
  ReadOptions options_;
  const core::Format* format_ = nullptr;
  std::string buffer_;             // what was read and not given out
  std::string header_;             // before every batch
  bool object_in_header_ = false;  // of JSON Lines: the first one
  bool in_rows_ = false, ended_ = false;
  std::optional<Error> bad_row_;          // behind what was given out last
  bool named_ = false, unnamed_ = false;  // rows so far, by whether they name an object
  std::uint64_t header_lines_ = 0;        // in header_
  std::uint64_t lines_before_ = 0;        // of the stream, before the last batch, header included
  std::uint64_t lines_read_ = 0;          // of the stream, with the last batch
};

}  // namespace linchpin::app
