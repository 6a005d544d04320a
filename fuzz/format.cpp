#include <memory>
#include <vector>

#include <fmt/format.h>

#include "core/format.hpp"
#include "formats/read.hpp"
#include "formats/source.hpp"
#include "fuzz/targets.hpp"
#include "history/events.hpp"

namespace linchpin::fuzz {

namespace {

constexpr std::size_t kMostWrittenBack = 2000;  // written back: enough to meet every case, and quick

std::string content_of(const History& history, OperationIndex i) {
  std::string text = fmt::format("{} {} {} {} {}", history.process_name(history.process(i)), history.object(i).number(),
                                 history.call(i), history.response(i), history.describe(i));
  for (const Field& field : history.fields()) {
    if (!field.values[i.number()].is_none()) {
      text += fmt::format(" {}={}", field.name, history.pool().to_text(field.values[i.number()]));
    }
  }
  return text;
}

/// Everything that a history says, in one text. The names of methods and processes count, their numbers do not.
std::string content_of(const History& history) {
  std::string text;
  for (const Object& object : history.objects()) text += fmt::format("{}: {}\n", object.name, object.type.to_string());
  for (const Annotation& note : history.annotations()) {
    text += fmt::format("annotation {} {} {} {} {}\n", note.begin, note.end ? std::to_string(*note.end) : "-",
                        note.process, note.colour, note.text);
  }
  for (OperationIndex i = 0; i < history.size(); ++i) text += content_of(history, i) + '\n';
  return text;
}

std::vector<Result<History>> read(ReadOptions options, std::string bytes) {
  std::vector<Result<History>> histories;
  const auto input = formats::Input::from_bytes("fuzz", std::move(bytes));
  if (!input) return histories;
  const auto finished = formats::read_source(input->source(), options, [&](Result<History> history) {
    histories.push_back(std::move(history));
    return histories.size() < 64;
  });
  require(finished.has_value() || !finished.error().message.empty(), "an error without a message");
  return histories;
}

/// What operations did in which order, in one text: what is left of a history where a format knows no clock, no names
/// of processes, no types, and where nothing returned is the same as a result that was lost.
std::string order_of(const History& history) {
  std::string text;
  std::vector<std::size_t> number(history.size());  // by operation: its place among the calls
  std::size_t calls = 0;
  for (const history::HistoryEvent event : history::sort_events(history, Ties::concurrent)) {
    const OperationIndex i = event.operation();
    if (event.is_response()) {
      text += fmt::format("{} returns\n", number[i.number()]);
      continue;
    }
    number[i.number()] = calls++;
    text += fmt::format("{}.{}", history.objects()[history.object(i).number()].name,
                        history.method_name(history.method(i)));
    for (const Value argument : history.arguments(i)) text += fmt::format(" {}", history.pool().to_text(argument));
    const Value result = history.result(i);
    if (!result.is_none() && !result.is_unknown()) text += fmt::format(" -> {}", history.pool().to_text(result));
    text += '\n';
  }
  return text;
}

/// The native formats say all that a history says.
bool is_native(std::string_view format) { return format == "text" || format == "jsonl" || format == "binary"; }

/// @param written  what the format made of the history
void read_back(const core::Format& format, const History& history, std::string written) {
  ReadOptions options;
  options.format = format.name;
  // As the writer of Jepsen's EDN says: without these, failed CAS are dropped, and objects are part of the values.
  options.fail = FailPolicy::constraint;
  options.independent = history.objects().size() > 1 || !history.objects()[0].name.empty();
  const auto again = read(options, written);
  require(again.size() == 1,
          fmt::format("{}: one history was written, and {} were read:\n{}", format.name, again.size(), written));
  require(again[0].has_value(), fmt::format("{}: what was written is refused: {}\n{}", format.name,
                                            again[0] ? "" : again[0].error().to_string(), written));
  require(history.size() == again[0]->size(), fmt::format("{}: {} operations were written, and {} read:\n{}",
                                                          format.name, history.size(), again[0]->size(), written));
  if (is_native(format.name)) {
    require(content_of(history) == content_of(*again[0]),
            fmt::format("{}: written and read back differently:\n{}---\n{}", format.name, content_of(history),
                        content_of(*again[0])));
  } else if (format.name == "jepsen") {
    require(order_of(history) == order_of(*again[0]),
            fmt::format("{}: written and read back in another order:\n{}---\n{}", format.name, order_of(history),
                        order_of(*again[0])));
  }
}

/// Long histories are written part by part: two parts, each with half of the operations.
void write_in_parts(const core::Format& format, const History& history) {
  std::vector<OperationIndex> first;
  std::vector<OperationIndex> second;
  for (OperationIndex i = 0; i < history.size(); ++i) (i < history.size() / 2 ? first : second).push_back(i);
  const History head = history.restricted_to(first);
  const History tail = history.restricted_to(second);
  std::string written;
  if (format.append != nullptr && format.write(head, written) && format.append(tail, written)) {
    read_back(format, history, written);
  }
  if (format.parts == nullptr) return;
  written.clear();
  const std::unique_ptr<core::PartsWriter> parts = format.parts();
  const auto keep = [&](std::string_view piece) {
    written += piece;
    return true;
  };
  if (parts->add(head) && parts->add(tail) && parts->finish(keep)) read_back(format, history, std::move(written));
}

void write(const core::Format& format, const History& history) {
  std::string written;
  if (!format.write(history, written)) return;  // it says something that the format has no words for
  read_back(format, history, std::move(written));
  if (history.size() > 1) write_in_parts(format, history);
}

}  // namespace

void format(std::string_view name, Bytes bytes) {
  require(core::find_format(name) != nullptr, fmt::format("there is no format {}", name));
  std::string text(bytes.begin(), bytes.end());
  (void)core::detect_format(text);
  // The length chooses the options: no byte of the input stands for anything but itself.
  ReadOptions options;
  options.format = name;
  options.independent = text.size() % 2 == 1;
  options.fail = text.size() % 3 == 1 ? FailPolicy::constraint : FailPolicy::format_default;
  if (text.size() % 5 == 1) options.field = "time";
  for (const Result<History>& history : read(options, text)) {
    if (!history) {
      require(!history.error().message.empty(), "an error without a message");
    } else if (history->size() <= kMostWrittenBack) {
      for (const core::Format& other : core::formats()) {
        if (other.write != nullptr) write(other, *history);
      }
    }
  }
}

}  // namespace linchpin::fuzz
