#include "formats/read.hpp"

#include <new>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/reading_limits.hpp"
#include "formats/text_place.hpp"

namespace linchpin::formats {

namespace {
constexpr std::size_t kHead = std::size_t{64} << 10;
}

Result<const core::Format*> choose_format(const core::Source& source, const ReadOptions& options) {
  if (!options.format.empty()) {
    if (const core::Format* const named = core::find_format(options.format); named != nullptr) return named;
    return Error{.code = ErrorCode::unknown_format,
                 .source = source.name,
                 .message = fmt::format("there is no format '{}'", options.format),
                 .hint = "`linchpin formats` lists those that there are"};
  }
  if (source.bytes.empty()) {
    return Error{.code = ErrorCode::truncated,
                 .source = source.name,
                 .message = "the input is empty",
                 .hint = "was the recording written out, and the right file named?"};
  }
  if (const core::Format* const found = core::detect_format(source.bytes.substr(0, kHead)); found != nullptr) {
    return found;
  }
  return Error{.code = ErrorCode::unknown_format,
               .source = source.name,
               .message = "the content is in no format that Linchpin knows",
               .hint =
                   "`linchpin formats` lists the formats; name one with --format, or begin the file with "
                   "'# linchpin 1' and '# type: ...' for the native text format"};
}

Result<void> read_source(const core::Source& source, const ReadOptions& options, const core::Emit& emit) {
  const auto format = choose_format(source, options);
  if (!format) return format.error();
  core::ReadingLimits limits(options.limits);
  core::Source limited = source;
  limited.limits = &limits;
  std::optional<Error> ended;
  try {
    (*format)->read(limited, options, emit);
  } catch (const core::ReadingEnded& end) {
    ended = limits.error(end.code(), source.name);
  } catch (const std::bad_alloc&) {
    ended = limits.error(ErrorCode::too_large, source.name);
  }
  if (!ended) return {};
  core::return_freed_memory();
  if (limits.position() != nullptr) {
    LineCounter place(source.bytes);
    place.advance(static_cast<std::size_t>(limits.position() - source.bytes.data()));
    ended->line = place.line();
    ended->column = place.column();
  }
  emit(std::move(*ended));
  return {};
}

}  // namespace linchpin::formats
