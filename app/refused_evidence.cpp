#include "app/refused_evidence.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "app/output.hpp"
#include "app/report.hpp"
#include "linchpin/check.hpp"
#include "linchpin/message.hpp"

namespace linchpin::app {

namespace {

/// The path of the file, or why there is none.
Result<std::string> keep(const History& history) {
  const auto failure = [](const std::string& what) { return Error{.code = ErrorCode::io, .message = what}; };
  const Result<std::string> text = write_history(history, "text");
  if (!text) return text.error();
  std::error_code error;
  const std::filesystem::path directory = std::filesystem::temp_directory_path(error);
  if (error) return failure(error.message());
  std::string path = directory / "linchpin-refused-XXXXXX";
  const int descriptor = mkstemp(path.data());
  if (descriptor < 0) return failure(std::generic_category().message(errno));
  std::FILE* const file = fdopen(descriptor, "wb");
  const bool written = std::fwrite(text->data(), 1, text->size(), file) == text->size();
  if (std::fclose(file) != 0 || !written) return failure("it could not be written");
  return path;
}

}  // namespace

void report_refused_evidence(const Origin& origin, const History& history, const HistoryVerdict& verdict,
                             const std::optional<TypeName>& type) {
  std::string answers;
  for (const ObjectVerdict& object : verdict.objects) {
    if (object.refused_evidence.empty()) continue;
    answers += (answers.empty() ? "" : "; ") + refused_text(object);
  }
  if (answers.empty()) return;
  const Result<std::string> kept = keep(type ? history.with_type(*type) : history);
  const std::string where = kept ? fmt::format("please report this defect of linchpin, with the file {}", *kept)
                                 : fmt::format(
                                       "please report this defect of linchpin, with the history, which could "
                                       "not be kept ({})",
                                       kept.error().message);
  print_error(fmt::format("{}: {}; {}\n", label(origin), answers, where));
}

}  // namespace linchpin::app
