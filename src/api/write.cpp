// The facade's writing half: a history in a format of the registry.
#include <fmt/format.h>

#include "core/format.hpp"
#include "linchpin/check.hpp"

namespace linchpin {

namespace {

std::string writable_formats() {
  std::string names;
  for (const core::Format& format : core::formats()) {
    if (format.write == nullptr) continue;
    if (!names.empty()) names += ", ";
    names += format.name;
  }
  return names;
}

}  // namespace

Result<std::string> write_history(const History& history, std::string_view format) {
  const core::Format* const found = core::find_format(format);
  if (found == nullptr) {
    return Error{.code = ErrorCode::unknown_format,
                 .message = fmt::format("no format is called '{}'", format),
                 .hint = fmt::format("formats that can be written: {}", writable_formats())};
  }
  if (found->write == nullptr) {
    return Error{.code = ErrorCode::unsupported,
                 .message = fmt::format("histories cannot be written in the format {}", found->name),
                 .hint = fmt::format("formats that can be written: {}", writable_formats())};
  }
  std::string text;
  if (auto written = found->write(history, text); !written) return written.error();
  return text;
}

}  // namespace linchpin
