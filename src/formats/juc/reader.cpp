// Reads event JSON of java.util.concurrent histories (docs/formats/juc.md).
//
// The order of the events is time; an operation's tick is its event's index. Unlike the native formats this one is
// another tool's, which writes more fields than are needed here: those are passed over. Tests: juc_test.cpp.
#include <charconv>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "formats/json/document.hpp"
#include "formats/juc/format.hpp"
#include "formats/text_place.hpp"

namespace linchpin::formats::juc {

namespace {

namespace dom = simdjson::dom;
using json::Fault;

constexpr std::string_view kEventHint =
    R"(an event is {"kind":"call","sid":0,"invocation":{"id":0,"method":{"name":"offer"},"arguments":[1]}} or )"
    R"({"kind":"return","sid":0,"invocation":{"id":0},"value":"true"})";

class DocumentReader {
 public:
  DocumentReader(const core::Source& source, const ReadOptions& options, json::Text text)
      : options_(options), text_(text), counter_(text.bytes, text.line) {
    builder_.set_source(source.name);
  }

  std::optional<Fault> run(const dom::element& element) {
    dom::object object;
    if (element.get(object) != simdjson::SUCCESS) {
      return Fault{0, ErrorCode::syntax, "a history is a JSON object", R"({"schema":{...},"events":[...]})"};
    }
    if (const auto key = json::repeated_key(object)) return json::repeated(text_.bytes, 0, *key);
    if (auto fault = type(object)) return fault;
    dom::array events;
    const auto found = object.at_key("events").get(events);
    if (found == simdjson::NO_SUCH_FIELD) {
      return Fault{0, ErrorCode::missing_field, "the history has no \"events\"", std::string(kEventHint)};
    }
    const std::size_t begin = json::member_offset(text_.bytes, 0, "events").value_or(0);
    if (found != simdjson::SUCCESS) {
      return Fault{begin, ErrorCode::syntax, "\"events\" is not a list", std::string(kEventHint)};
    }
    const std::vector<std::size_t> offsets = json::element_offsets(text_.bytes, begin);
    builder_.reserve(offsets.size() / 2 + 1);
    Tick tick = 0;
    for (const dom::element event : events) {
      const auto index = static_cast<std::size_t>(tick);
      const std::size_t offset = index < offsets.size() ? offsets[index] : begin;
      if (auto fault = this->event(event, tick++, offset)) {
        fault->offset = offset;
        return fault;
      }
    }
    return std::nullopt;
  }

  Result<History> build() && { return std::move(builder_).build(); }

 private:
  struct Call {
    OperationIndex operation = 0;
    std::int64_t process = 0;
    bool no_result = false;  // the method is void
    bool open = false;
  };

  /// "java.util.concurrent.ArrayBlockingQueue" with arguments [20] is the type "ArrayBlockingQueue capacity=20".
  std::optional<Fault> type(const dom::object& object) {
    if (options_.type) {
      builder_.set_type(*options_.type);
      return std::nullopt;
    }
    const std::size_t place = json::member_offset(text_.bytes, 0, "schema").value_or(0);
    dom::object schema;
    std::string_view name;
    const bool has_schema = object.at_key("schema").get(schema) == simdjson::SUCCESS;
    if (!has_schema || schema.at_key("class").get(name) != simdjson::SUCCESS) {
      return Fault{place, ErrorCode::missing_field, "the history does not name its class",
                   R"(add "schema":{"class":"java.util.concurrent.ConcurrentLinkedQueue"} or give a type)"};
    }
    const std::size_t last = name.find_last_of(".$");
    TypeName type{.name = std::string(last == std::string_view::npos ? name : name.substr(last + 1)), .options = {}};
    if (type.name.empty() || type.name.find_first_of(" \t\r\n=") != std::string::npos) {
      return Fault{place, ErrorCode::syntax, fmt::format("\"{}\" is not the name of a class", name),
                   "for example java.util.concurrent.LinkedBlockingQueue"};
    }
    dom::array arguments;
    std::int64_t capacity = 0;
    if (type.name == "ArrayBlockingQueue" && schema.at_key("arguments").get(arguments) == simdjson::SUCCESS) {
      for (const dom::element argument : arguments) {
        if (argument.get(capacity) != simdjson::SUCCESS) continue;
        type.options.emplace_back("capacity", fmt::to_string(capacity));
        break;
      }
    }
    builder_.set_type(std::move(type));
    return std::nullopt;
  }

  std::optional<Fault> event(const dom::element& element, Tick tick, std::size_t offset) {
    const auto missing = [](std::string_view field) {
      return Fault{0, ErrorCode::missing_field, fmt::format("the event has no {}", field), std::string(kEventHint)};
    };
    dom::object event;
    if (element.get(event) != simdjson::SUCCESS) {
      return Fault{0, ErrorCode::syntax, "an event is a JSON object", std::string(kEventHint)};
    }
    std::string_view kind;
    std::int64_t process = 0;
    std::int64_t id = 0;
    dom::object invocation;
    if (const auto key = json::repeated_key(event)) return json::repeated(text_.bytes, offset, *key);
    if (event.at_key("kind").get(kind) != simdjson::SUCCESS) return missing("\"kind\"");
    if (event.at_key("sid").get(process) != simdjson::SUCCESS) return missing("integer \"sid\"");
    if (event.at_key("invocation").get(invocation) != simdjson::SUCCESS) return missing("\"invocation\"");
    if (const auto key = json::repeated_key(invocation)) {
      return json::repeated(text_.bytes, json::member_offset(text_.bytes, offset, "invocation").value_or(offset), *key);
    }
    if (invocation.at_key("id").get(id) != simdjson::SUCCESS) return missing("integer \"id\" in its invocation");
    if (kind == "call") return call(invocation, process, id, tick, offset);
    if (kind == "return") return response(event, process, id, tick);
    return Fault{0, ErrorCode::syntax, fmt::format("\"{}\" is no kind of event", kind), "\"call\" or \"return\""};
  }

  std::optional<Fault> call(const dom::object& invocation, std::int64_t process, std::int64_t id, Tick tick,
                            std::size_t offset) {
    dom::object method;
    std::string_view name;
    dom::array arguments;
    if (invocation.at_key("method").get(method) != simdjson::SUCCESS ||
        method.at_key("name").get(name) != simdjson::SUCCESS) {
      return Fault{0, ErrorCode::missing_field, "the call names no method", std::string(kEventHint)};
    }
    if (invocation.at_key("arguments").get(arguments) != simdjson::SUCCESS) {
      return Fault{0, ErrorCode::missing_field, "the call has no list of \"arguments\"", std::string(kEventHint)};
    }
    const auto [call, fresh] = calls_.try_emplace(id);
    if (!fresh) {
      return Fault{0, ErrorCode::duplicate_id, fmt::format("two operations have the id {}", id),
                   "every operation needs an id of its own"};
    }
    const auto [open, idle] = open_.try_emplace(process, id);
    if (!idle) {
      return Fault{0, ErrorCode::overlapping_operations,
                   fmt::format("thread {} calls {} while its operation {} is open", process, name, open->second),
                   "a thread runs one operation at a time"};
    }
    bool no_result = false;
    if (method.at_key("void").get(no_result) != simdjson::SUCCESS) no_result = false;
    for (const dom::element argument : arguments) {
      Value value;
      Fault fault;
      if (!json::to_value(argument, builder_.pool(), json::Maps::as_lists, value, fault)) return fault;
      builder_.argument(value);
    }
    const OperationIndex operation = builder_.add(process_id(process), builder_.object(""), builder_.method(name),
                                                  Value::unknown(), tick, kPending, counter_.at(offset));
    call->second = Call{operation, process, no_result, true};
    return std::nullopt;
  }

  std::optional<Fault> response(const dom::object& event, std::int64_t process, std::int64_t id, Tick tick) {
    const auto call = calls_.find(id);
    if (call == calls_.end() || !call->second.open) {
      return Fault{0, ErrorCode::return_without_call, fmt::format("a return from operation {}, which is not open", id),
                   "every return follows the call with the same id"};
    }
    if (call->second.process != process) {
      return Fault{
          0, ErrorCode::return_without_call,
          fmt::format("thread {} returns from operation {}, which thread {} called", process, id, call->second.process),
          "call and return carry the same \"sid\""};
    }
    Value result;
    dom::element value;
    if (event.at_key("value").get(value) == simdjson::SUCCESS) {
      Fault fault;
      if (!result_value(value, result, fault)) return fault;
    } else if (!call->second.no_result) {
      return Fault{0, ErrorCode::missing_field, "the return has no \"value\"",
                   "only methods marked \"void\":true return without one"};
    }
    call->second.open = false;
    open_.erase(process);
    builder_.respond(call->second.operation, tick, result);
    return std::nullopt;
  }

  /// Java's String.valueOf of a result, taken back where it is null, a boolean or an integer.
  bool result_value(const dom::element& element, Value& out, Fault& fault) {
    std::string_view text;
    if (element.get(text) != simdjson::SUCCESS) {
      return json::to_value(element, builder_.pool(), json::Maps::as_lists, out, fault);
    }
    std::int64_t number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text == "null") {
      out = Value::nil();
    } else if (text == "true" || text == "false") {
      out = Value::boolean(text == "true");
    } else if (!text.empty() && parsed.ec == std::errc() && parsed.ptr == text.data() + text.size()) {
      out = builder_.pool().integer(number);
    } else {
      out = builder_.pool().string(text);
    }
    return true;
  }

  ProcessId process_id(std::int64_t number) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    return number >= 0 && number <= kMost ? static_cast<ProcessId>(number) : builder_.process(fmt::to_string(number));
  }

  const ReadOptions& options_;
  json::Text text_;
  LineCounter counter_;
  HistoryBuilder builder_;
  absl::flat_hash_map<std::int64_t, Call> calls_;         // by id
  absl::flat_hash_map<std::int64_t, std::int64_t> open_;  // by thread: the id of its open operation
};

/// Reads one text; false when the receiver wants no more.
bool read_document(json::Parser& parser, const json::Text& text, const core::Source& source, const ReadOptions& options,
                   const core::Emit& emit) {
  dom::element element;
  if (auto fault = parser.parse(text.bytes, element)) return emit(json::error_at(text, source.name, std::move(*fault)));
  DocumentReader reader(source, options, text);
  if (auto fault = reader.run(element)) return emit(json::error_at(text, source.name, std::move(*fault)));
  return emit(std::move(reader).build());
}

/// Whether the input is one document over several lines: its first line ends inside it, and the next does not begin
/// another.
bool is_one_document(std::string_view input) {
  const std::size_t begin = std::min(input.find_first_not_of(" \t\r\n"), input.size());
  const std::size_t end = std::min(input.find('\n', begin), input.size());
  const std::size_t next = input.find_first_not_of("\r\n", end);
  if (next == std::string_view::npos || input[next] == '{') return false;
  const auto fault = json::first_fault(input.substr(begin, end - begin));
  return fault && fault->code == ErrorCode::truncated;
}

}  // namespace

int detect(std::string_view head) {
  const std::size_t begin = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (begin == std::string_view::npos || head[begin] != '{') return 0;
  const bool schema = head.find("\"schema\"") != std::string_view::npos;
  const bool events = head.find("\"events\"") != std::string_view::npos;
  const bool threads = head.find("\"sid\"") != std::string_view::npos;
  return events && threads ? 95 : schema || events || threads ? 60 : 0;
}

void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit) {
  std::string_view rest = source.bytes;
  if (rest.starts_with("\xef\xbb\xbf")) rest.remove_prefix(3);
  json::Parser parser(source);
  if (is_one_document(rest)) {
    read_document(parser, {rest, 1}, source, options, emit);
    return;
  }
  bool any = false;
  for (std::uint64_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    any = true;
    if (!read_document(parser, {line, number}, source, options, emit)) return;
  }
  if (!any) {
    emit(Error{.code = ErrorCode::truncated,
               .source = source.name,
               .line = 1,
               .column = 1,
               .message = "the input holds no history",
               .hint = "one JSON object a line, with \"schema\" and \"events\""});
  }
}

}  // namespace linchpin::formats::juc
