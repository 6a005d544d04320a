#include <fmt/format.h>

#include "core/format.hpp"
#include "formats/read.hpp"
#include "formats/source.hpp"
#include "fuzz/targets.hpp"

namespace linchpin::fuzz {

namespace {

constexpr std::size_t kMostOperations = 2000;  // written back: enough to meet every case, and quick

/// Everything that a history says, in one text. The names of methods and processes count, their numbers do not.
std::string content_of(const History& history) {
  std::string text;
  for (const Object& object : history.objects()) text += fmt::format("{}: {}\n", object.name, object.type.to_string());
  for (OperationIndex i = 0; i < history.size(); ++i) {
    text += fmt::format("{} {} {} {} {}\n", history.process_name(history.process(i)), history.object(i),
                        history.call(i), history.response(i), history.describe(i));
  }
  return text;
}

std::vector<Result<History>> read(std::string_view name, std::string bytes) {
  std::vector<Result<History>> histories;
  const auto input = formats::Input::from_bytes("fuzz", std::move(bytes));
  if (!input) return histories;
  ReadOptions options;
  options.format = name;
  const auto finished = formats::read_source(input->source(), options, [&](Result<History> history) {
    histories.push_back(std::move(history));
    return histories.size() < 64;
  });
  require(finished.has_value() || !finished.error().message.empty(), "an error without a message");
  return histories;
}

/// The native formats say all that a history says; the others keep the operations, but not the clock or the objects.
bool is_native(std::string_view format) { return format == "text" || format == "jsonl" || format == "binary"; }

void write_and_read(const core::Format& format, const History& history) {
  std::string written;
  if (!format.write(history, written)) return;  // it says something that the format has no words for
  const auto again = read(format.name, written);
  require(again.size() == 1, "one history was written, and another number of them read");
  require(again[0].has_value(), again[0] ? "" : "what was written is refused: " + again[0].error().to_string());
  require(history.size() == again[0]->size(), fmt::format("{} lost operations", format.name));
  require(!is_native(format.name) || content_of(history) == content_of(*again[0]),
          fmt::format("written and read back differently:\n{}---\n{}", content_of(history), content_of(*again[0])));
}

}  // namespace

void format(std::string_view name, Bytes bytes) {
  const core::Format* const found = core::find_format(name);
  require(found != nullptr, fmt::format("there is no format {}", name));
  std::string text(bytes.begin(), bytes.end());
  (void)core::detect_format(text);
  for (const Result<History>& history : read(name, text)) {
    if (!history) {
      require(!history.error().message.empty(), "an error without a message");
    } else if (history->size() <= kMostOperations) {
      for (const core::Format& other : core::formats()) {
        if (other.write != nullptr) write_and_read(other, *history);
      }
    }
  }
}

}  // namespace linchpin::fuzz
