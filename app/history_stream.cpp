#include "app/history_stream.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/read_some.hpp"
#include "formats/compression.hpp"
#include "formats/read.hpp"

namespace linchpin::app {

namespace {

constexpr std::size_t kRead = 1 << 18;
constexpr std::size_t kFormatHead = 1 << 16;  // what formats are told by
constexpr std::size_t kLongestLine = 1 << 26;

Error io_error(const std::string& name) {
  return Error{.code = ErrorCode::io, .source = name, .message = std::strerror(errno), .hint = ""};
}

std::uint64_t count_lines(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

Result<HistoryStream> HistoryStream::open(const std::string& path, const ReadOptions& options) {
  // Without O_NONBLOCK opening a FIFO would wait for who writes to it.
  const int descriptor = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) {
    const bool absent = errno == ENOENT;
    Error error = io_error(path);
    if (absent) error.hint = "check the path; '-' reads standard input";
    return error;
  }
  return HistoryStream(descriptor, path, options);
}

HistoryStream::HistoryStream(HistoryStream&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      name_(std::move(other.name_)),
      options_(std::move(other.options_)),
      buffer_(std::move(other.buffer_)),
      header_(std::move(other.header_)) {}

HistoryStream::~HistoryStream() {
  if (descriptor_ > STDIN_FILENO) close(descriptor_);
}

Result<bool> HistoryStream::fill() {
  const std::size_t held = buffer_.size();
  buffer_.resize(held + kRead);
  const ssize_t got = base::read_some(descriptor_, buffer_.data() + held, kRead, options_.limits.stop);
  buffer_.resize(held + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  if (got < 0 && errno == ECANCELED) {
    return Error{.code = ErrorCode::interrupted, .source = name_, .message = "interrupted", .hint = ""};
  }
  if (got < 0) return io_error(name_);
  return got > 0;
}

bool HistoryStream::take_header(std::string& lines) {
  std::size_t end = 0;
  while (!in_rows_ && end < lines.size()) {
    const std::size_t newline = std::min(lines.find('\n', end), lines.size() - 1);
    const std::string_view line = std::string_view(lines).substr(end, newline + 1 - end);
    const std::size_t first = line.find_first_not_of(" \t\r\n");
    // The header of JSON Lines is the first object; that of the text format are comments.
    const bool first_object = first != std::string_view::npos && line[first] == '{' && !object_in_header_;
    const bool heads = first == std::string_view::npos || line[first] == '#' || first_object;
    object_in_header_ = object_in_header_ || first_object;
    in_rows_ = !heads;
    if (heads) end = newline + 1;
  }
  header_.append(lines, 0, end);
  lines.erase(0, end);
  header_lines_ = count_lines(header_);
  lines_read_ = std::max(lines_read_, header_lines_);
  return in_rows_;
}

Result<std::optional<History>> HistoryStream::next() {
  if (bad_row_) return *bad_row_;
  while (!ended_) {
    auto more = fill();
    if (!more) return more.error();
    ended_ = !*more;
    std::string rows;
    const std::size_t cut = ended_ ? buffer_.size() : buffer_.rfind('\n') + 1;  // 0: no line has ended
    if (cut == 0 && buffer_.size() > kLongestLine) {
      return Error{.code = ErrorCode::too_large, .source = name_, .message = "a line without an end", .hint = ""};
    }
    rows.assign(buffer_, 0, cut);
    buffer_.erase(0, cut);
    if (!in_rows_ && !take_header(rows) && !ended_) continue;
    if (rows.empty() && (in_rows_ || header_.empty()) && !(ended_ && lines_read_ == 0)) continue;
    lines_before_ = lines_read_;
    lines_read_ += count_lines(rows);
    return parse_what_is_right(rows);
  }
  return std::optional<History>();
}

Result<std::optional<History>> HistoryStream::parse_what_is_right(std::string_view rows) {
  auto batch = parse(rows);
  if (batch || batch.error().line <= lines_before_ + 1) return batch;
  std::size_t end = 0;
  for (std::uint64_t line = lines_before_ + 1; line < batch.error().line; ++line) end = rows.find('\n', end) + 1;
  auto before = parse(rows.substr(0, end));
  if (!before) return batch;  // wrong together: no row alone
  bad_row_ = batch.error();
  return before;
}

Result<std::optional<History>> HistoryStream::parse(std::string_view rows) {
  const std::string bytes = header_ + std::string(rows);
  if (bytes.empty()) {
    return Error{.code = ErrorCode::truncated, .source = name_, .message = "the input is empty", .hint = ""};
  }
  if (format_ == nullptr) {
    format_ = options_.format.empty() ? core::detect_format(bytes.substr(0, kFormatHead))
                                      : core::find_format(options_.format);
  }
  if (formats::detect_compression(bytes) != formats::Compression::none) {
    return Error{.code = ErrorCode::compression,
                 .source = name_,
                 .message = "the history is compressed, and is read as it is written",
                 .hint = "decompress it into a pipe, as zcat or zstdcat does, and read '-'"};
  }
  if (format_ == nullptr || (format_->name != "text" && format_->name != "jsonl")) {
    return Error{.code = ErrorCode::unknown_format,
                 .source = name_,
                 .message = "not a native history, one operation a line",
                 .hint = "linchpin convert makes one of other formats; it begins with '# linchpin 1'"};
  }
  std::optional<Result<History>> batch;
  bool several = false;
  ReadOptions options = options_;
  options.format = format_->name;
  const auto read = formats::read_source({.name = name_, .bytes = bytes}, options, [&](Result<History> history) {
    several = batch.has_value();
    if (!several) batch.emplace(std::move(history));
    return !several;
  });
  if (!read) return read.error();
  if (several || !batch) {
    return Error{.code = ErrorCode::unsupported,
                 .source = name_,
                 .message = several ? "a second history" : "no history",
                 .hint = "a stream is one history"};
  }
  if (!*batch) {
    Error error = std::move(batch->error());
    if (error.line > header_lines_) error.line = line(error.line);
    return error;
  }
  if (auto noted = note_objects(**batch); !noted) return noted.error();
  return std::optional(std::move(**batch));
}

Result<void> HistoryStream::note_objects(const History& batch) {
  if (batch.size() == 0) return {};
  for (const Object& object : batch.objects()) (object.name.empty() ? unnamed_ : named_) = true;
  if (!named_ || !unnamed_) return {};
  return Error{.code = ErrorCode::missing_field,
               .source = name_,
               .line = lines_before_ + 1,
               .message = "from here on rows name an object, or do not, other than those before",
               .hint = "once a history has several objects, every row says which"};
}

}  // namespace linchpin::app
