#include "app/saved_violations.hpp"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "app/operation_table.hpp"
#include "app/verdict_text.hpp"
#include "base/foreign_text.hpp"
#include "base/output_file.hpp"

namespace linchpin::app {

namespace {

namespace fs = std::filesystem;

/// The text with what file systems and shells mind replaced.
std::string tame(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  std::string result(text.substr(0, kLongest));
  for (char& c : result) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
    if (!plain) c = '_';
  }
  return result;
}

std::string stem(const std::string& file) {
  if (file == "-") return "stdin";
  std::string name = fs::path(file).filename().string();
  for (const std::string_view suffix : {".gz", ".zst"}) {
    if (name.ends_with(suffix)) name.erase(name.size() - suffix.size());
  }
  const std::size_t dot = name.rfind('.');
  if (dot != std::string::npos && dot > 0) name.erase(dot);
  return tame(name);
}

/// The history in the native format, with a comment after its first line.
Result<std::string> text_of(const History& history, const std::string& comment) {
  auto text = write_history(history, "text");
  if (!text) return text;
  text->insert(text->find('\n') + 1, comment);
  return text;
}

/// "## " before each line: no header begins so.
std::string commented(const std::string& text) {
  std::string result = "## ";
  for (const char c : text) {
    result += c;
    if (c == '\n') result += "## ";
  }
  return result + "\n";
}

}  // namespace

Result<SavedViolations> SavedViolations::open(std::string directory, base::FilesOfRun others) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error || !fs::is_directory(directory, error)) {
    return Error{
        .code = ErrorCode::io,
        .source = directory,
        .message = error ? fmt::format("cannot make the directory: {}", error.message()) : "it is no directory"};
  }
  SavedViolations saved;
  saved.directory_ = std::move(directory);
  saved.others_ = std::move(others);
  return saved;
}

std::string SavedViolations::free_name(std::string name) {
  std::string candidate = name;
  for (int number = 2; !names_.insert(candidate).second; ++number) candidate = fmt::format("{}-{}", name, number);
  return (fs::path(directory_) / candidate).string();
}

Result<void> SavedViolations::write(const std::string& path, std::string_view text) const {
  if (!others_.holds(path)) return base::write_file(path, text);
  return Error{.code = ErrorCode::bad_option,
               .source = path,
               .message = "would be replaced, but this run reads it or writes it for another purpose",
               .hint = "save in another directory"};
}

Result<std::vector<SavedViolation>> SavedViolations::add(const Origin& origin, const History& history,
                                                         const HistoryVerdict& verdict, const CheckOptions& options) {
  std::vector<SavedViolation> saved;
  const std::string file = origin.file == "-" ? "standard input" : base::foreign_text(origin.file);
  const std::string ties = options.ties == Ties::response_first ? " --ties response-first" : "";
  std::string whole;
  for (const ObjectVerdict& object : verdict.objects) {
    if (!object.violation) continue;
    std::string name = stem(origin.file);
    if (origin.one_of_several) name += fmt::format("-{}", origin.index);
    if (verdict.objects.size() > 1) name += fmt::format("-{}", tame(object.name));
    const std::string path = free_name(name);
    SavedViolation files{.object = object.object, .history = whole, .core = path + ".core.txt"};
    if (whole.empty()) {
      files.history = whole = path + ".history.txt";
      auto text = text_of(
          options.type ? history.with_type(*options.type) : history,
          commented(fmt::format("from {}, history {}; decided with: linchpin check{}", file, origin.index, ties)));
      if (!text) return text.error();
      if (auto written = write(whole, *text); !written) return written.error();
    }
    std::string context;
    for (const OperationIndex i : object.violation->context) {
      context += fmt::format("\ncontext: {} {} {}", tick_text(history.call(i)), tick_text(history.response(i)),
                             history.describe(i));
    }
    const std::string why = fmt::format(
        "operations of {}, history {}, that are a violation on their own{}{}:\n{}{}\n"
        "decided with: linchpin check{}",
        file, origin.index,
        object.name.empty() ? std::string() : fmt::format(", of the object {}", base::foreign_text(object.name)),
        object.violation->start ? fmt::format("; {}", start_of_core(*object.violation->start)) : "",
        base::foreign_text(object.violation->sentence), context, ties);
    // Of the parts that matter the context is needed, too: with it they are a violation for the same reason.
    const std::optional<OperationParts>& parts = object.violation->parts;
    const History core = parts ? *parts->history : history.restricted_to(object.violation->core);
    std::optional<TypeName> type = options.type;
    if (object.violation->start) {
      if (const auto from = TypeName::parse(object.violation->start->type)) type = *from;
    }
    auto text = text_of(type ? core.with_type(*type) : core, commented(why));
    if (!text) return text.error();
    if (auto written = write(files.core, *text); !written) return written.error();
    saved.push_back(std::move(files));
  }
  return saved;
}

}  // namespace linchpin::app
