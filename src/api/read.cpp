// Reading: the facade's read_histories, parse_histories and list_formats, and the choice of a format.
#include "formats/read.hpp"

#include <new>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/reading_limits.hpp"
#include "formats/source.hpp"
#include "formats/text_place.hpp"
#include "linchpin/check.hpp"
#include "linchpin/parsing.hpp"

namespace linchpin {

namespace formats {

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

}  // namespace formats

namespace {

/// All histories of the input that `load` gives.
template <class Load>
Result<std::vector<Result<History>>> all_histories(const std::string& name, const ReadOptions& options, Load load) {
  std::vector<Result<History>> histories;
  try {
    const auto input = load();
    if (!input) {
      if (input.error().code == ErrorCode::too_large) core::return_freed_memory();
      return input.error();
    }
    const auto read = formats::read_source(input->source(), options, [&](Result<History> history) {
      histories.push_back(std::move(history));
      return !options.limits.stop.stop_requested();
    });
    if (!read) return read.error();
    if (options.limits.stop.stop_requested()) {
      return Error{.code = ErrorCode::interrupted, .source = name, .message = "interrupted while it was read"};
    }
    return histories;
  } catch (const std::bad_alloc&) {  // beside the readers: in what they give
  }
  histories = {};
  core::return_freed_memory();
  return core::ReadingLimits(options.limits).error(ErrorCode::too_large, name);
}

}  // namespace

Result<std::vector<Result<History>>> read_histories(const std::string& path, const ReadOptions& options) {
  return all_histories(path, options, [&] { return formats::Input::load(path, options.limits); });
}

Result<std::vector<Result<History>>> parse_histories(std::string_view bytes, const ReadOptions& options,
                                                     const std::string& name) {
  return all_histories(name, options,
                       [&] { return formats::Input::from_bytes(name, std::string(bytes), options.limits); });
}

std::vector<FormatSummary> list_formats() {
  std::vector<FormatSummary> summaries;
  for (const core::Format& format : core::formats()) {
    summaries.push_back(FormatSummary{.name = format.name,
                                      .summary = format.summary,
                                      .readable = format.read != nullptr,
                                      .writable = format.write != nullptr});
  }
  return summaries;
}

}  // namespace linchpin
