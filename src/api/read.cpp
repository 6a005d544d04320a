// Reading: the facade's read_histories, parse_histories and list_formats.
#include "formats/read.hpp"

#include <new>
#include <utility>

#include "core/reading_limits.hpp"
#include "formats/source.hpp"
#include "linchpin/check.hpp"
#include "linchpin/parsing.hpp"

namespace linchpin {

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
