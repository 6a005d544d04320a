// Reads the native JSON Lines format (docs/formats/jsonl.md).
//
// Each line is parsed by itself, so a damaged line costs one history and no other. A header line begins a history; a
// header with "operations" is a whole one. Keys that the format does not have are refused: a misspelt "result" must not
// pass for an absent one. Tests: jsonl_test.cpp.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "core/reading_limits.hpp"
#include "formats/json/document.hpp"
#include "formats/jsonl/format.hpp"
#include "formats/text_place.hpp"

namespace linchpin::formats::jsonl {

namespace {

namespace dom = simdjson::dom;
using json::Fault;

constexpr std::string_view kOperationHint =
    R"(an operation is {"process":0,"call":1,"response":2,"method":"enqueue","arguments":[7],"result":null})";
constexpr std::string_view kHeaderHint = R"(a history begins with a line such as {"linchpin":1,"type":"queue"})";
constexpr std::string_view kCompactHint = R"(an operation is [process, call, response, "method", [arguments], result])";

/// Names and values of one history while it is read.
class HistoryReader {
 public:
  HistoryReader(const core::Source& source, const ReadOptions& options, json::Text header)
      : options_(options), limits_(source.limits), header_(header) {
    builder_.set_source(source.name);
  }

  /// The header's fields. @param whole set when it carries the operations itself
  std::optional<Fault> header(const dom::object& object, bool& whole) {
    // Before anything is taken from it: with a second "operations" it is not known which are meant.
    whole = object.at_key("operations").error() == simdjson::SUCCESS;
    if (const auto key = json::repeated_key(object)) return json::repeated(header_.bytes, 0, *key);
    for (const auto [key, value] : object) {
      if (key == "linchpin") {
        std::int64_t version = 0;
        if (value.get(version) != simdjson::SUCCESS || version != 1) {
          return at_key(header_, "linchpin",
                        {0, ErrorCode::unsupported, "not version 1 of the format", "this build reads \"linchpin\":1"});
        }
      } else if (key == "type") {
        TypeName type;
        if (auto fault = type_name(value, type)) return at_key(header_, "type", *fault);
        if (!options_.type) builder_.set_type(std::move(type), place_of("type"));
      } else if (key == "objects") {
        if (auto fault = objects(value)) return at_key(header_, "objects", *fault);
      } else if (key == "annotations") {
        if (auto fault = annotations(value)) return at_key(header_, "annotations", *fault);
      } else if (key == "operations") {
        operations_ = value;
      } else {
        return unknown_key(header_, key, "linchpin, type, objects, annotations, operations");
      }
    }
    if (options_.type) builder_.set_type(*options_.type);
    return whole ? compact(operations_) : std::nullopt;
  }

  /// One operation a line.
  std::optional<Fault> operation(const json::Text& line, const dom::element& element) {
    dom::object object;
    if (element.get(object) != simdjson::SUCCESS) {
      return Fault{0, ErrorCode::syntax, "a line must hold one JSON object", std::string(kOperationHint)};
    }
    Row row;
    for (const auto [key, value] : object) {
      std::optional<dom::element>* const slot = key == "process"     ? &row.process
                                                : key == "call"      ? &row.call
                                                : key == "response"  ? &row.response
                                                : key == "method"    ? &row.method
                                                : key == "arguments" ? &row.arguments
                                                : key == "result"    ? &row.result
                                                : key == "object"    ? &row.object
                                                : key == "fields"    ? &row.fields
                                                                     : nullptr;
      if (slot == nullptr) {
        return unknown_key(line, key, "process, call, response, method, arguments, result, object, fields");
      }
      if (*slot) return json::repeated(line.bytes, 0, key);
      *slot = value;
    }
    std::string_view field;
    auto fault = add(row, Place{.line = clamped(line.line), .column = 1}, kOperationHint, field);
    if (fault && !field.empty()) return at_key(line, field, *fault);
    return fault;
  }

  Result<History> build() && {
    if (limits_ != nullptr) limits_->take(field_names_.size() * builder_.size() * sizeof(Value));
    return std::move(builder_).build();
  }
  [[nodiscard]] const json::Text& text() const { return header_; }

 private:
  /// An operation's fields as they stand in the text; unset: absent.
  struct Row {
    std::optional<dom::element> process, call, response, method, arguments, result, object, fields;
  };

  static std::uint32_t clamped(std::uint64_t number) {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(number, std::numeric_limits<std::uint32_t>::max()));
  }

  static Fault at_key(const json::Text& text, std::string_view key, Fault fault) {
    fault.offset = json::member_offset(text.bytes, 0, key).value_or(0);
    return fault;
  }

  /// Of a field of the header.
  [[nodiscard]] Place place_of(std::string_view key) const {
    const std::size_t offset = json::member_offset(header_.bytes, 0, key).value_or(0);
    return {.line = clamped(header_.line), .column = clamped(offset + 1)};
  }

  static Fault unknown_key(const json::Text& text, std::string_view key, std::string_view known) {
    return at_key(
        text, key,
        {0, ErrorCode::syntax, fmt::format("there is no field \"{}\"", key), fmt::format("fields: {}", known)});
  }

  static std::optional<Fault> type_name(const dom::element& value, TypeName& out) {
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) {
      return Fault{0, ErrorCode::syntax, "a type is a string", R"(for example "queue" or "queue capacity=3")"};
    }
    auto type = TypeName::parse(text);
    if (!type) return Fault{0, type.error().code, type.error().message, type.error().hint};
    out = std::move(*type);
    return std::nullopt;
  }

  std::optional<Fault> objects(const dom::element& value) {
    dom::object object;
    if (value.get(object) != simdjson::SUCCESS) {
      return Fault{0, ErrorCode::syntax, "\"objects\" is an object", R"(for example {"a":"queue","b":"stack"})"};
    }
    for (const auto [name, type] : object) {
      const std::size_t before = declared_;
      const ObjectIndex index = builder_.object(name);
      if (index < before) {
        return Fault{0, ErrorCode::syntax, fmt::format("object \"{}\" is declared twice", name), "keep one of them"};
      }
      ++declared_;
      TypeName parsed;
      if (type.is_null()) continue;
      if (auto fault = type_name(type, parsed)) return fault;
      if (!options_.type) builder_.set_type(index, std::move(parsed), place_of("objects"));
    }
    return std::nullopt;
  }

  std::optional<Fault> annotations(const dom::element& value) {
    const Fault bad{0, ErrorCode::syntax, "\"annotations\" is a list of objects",
                    R"(for example [{"begin":3,"end":9,"text":"partition","process":"n1","colour":"red"}])"};
    dom::array list;
    if (value.get(list) != simdjson::SUCCESS) return bad;
    for (const dom::element element : list) {
      dom::object object;
      if (element.get(object) != simdjson::SUCCESS) return bad;
      if (const auto key = json::repeated_key(object)) return json::repeated(header_.bytes, 0, *key);
      Annotation annotation;
      bool begins = false;
      for (const auto [key, field] : object) {
        std::string_view text;
        std::int64_t tick = 0;
        const bool is_text = field.get(text) == simdjson::SUCCESS;
        const bool is_tick = field.get(tick) == simdjson::SUCCESS;
        if (key == "begin" && is_tick) {
          annotation.begin = tick;
          begins = true;
        } else if (key == "end" && is_tick) {
          annotation.end = tick;
        } else if (key == "text" && is_text) {
          annotation.text = text;
        } else if (key == "process" && is_text) {
          annotation.process = text;
        } else if (key == "colour" && is_text) {
          annotation.colour = text;
        } else {
          return bad;
        }
      }
      if (!begins) return Fault{0, ErrorCode::missing_field, "an annotation lacks \"begin\"", bad.hint};
      builder_.annotate(std::move(annotation));
    }
    return std::nullopt;
  }

  /// "operations": all operations in the header.
  std::optional<Fault> compact(const dom::element& value) {
    const std::size_t begin = json::member_offset(header_.bytes, 0, "operations").value_or(0);
    dom::array list;
    if (value.get(list) != simdjson::SUCCESS) {
      return Fault{begin, ErrorCode::syntax, "\"operations\" is a list", std::string(kCompactHint)};
    }
    const std::vector<std::size_t> offsets = json::element_offsets(header_.bytes, begin);
    builder_.reserve(offsets.size());
    std::size_t next = 0;
    for (const dom::element element : list) {
      const std::size_t offset = next < offsets.size() ? offsets[next] : begin;
      ++next;
      dom::array fields;
      if (element.get(fields) != simdjson::SUCCESS) {
        return Fault{offset, ErrorCode::syntax, "an operation is a list", std::string(kCompactHint)};
      }
      Row row;
      const std::array<std::optional<dom::element>*, 8> slots{&row.process,   &row.call,   &row.response, &row.method,
                                                              &row.arguments, &row.result, &row.object,   &row.fields};
      std::size_t count = 0;
      for (const dom::element field : fields) {
        if (count == slots.size()) {
          return Fault{offset, ErrorCode::syntax, "an operation has at most 8 parts", std::string(kCompactHint)};
        }
        *slots[count++] = field;
      }
      std::string_view field;
      if (auto fault = add(row, {clamped(header_.line), clamped(offset + 1)}, kCompactHint, field)) {
        fault->offset = offset;
        return fault;
      }
    }
    return std::nullopt;
  }

  static Fault missing(std::string_view field, std::string_view hint) {
    return {0, ErrorCode::missing_field, fmt::format("the operation has no {}", field), std::string(hint)};
  }

  static std::optional<Fault> tick(const dom::element& value, std::string_view field, Tick& out) {
    if (value.get(out) == simdjson::SUCCESS && out != kPending) return std::nullopt;
    return Fault{0, ErrorCode::bad_number, fmt::format("the {} is not a tick", field),
                 "ticks are 64-bit integers; null as response: the operation never returned"};
  }

  /// Appends the operation; `field` names what a fault is about, where that stands in the text.
  std::optional<Fault> add(const Row& row, Place place, std::string_view hint, std::string_view& field) {
    if (!row.method) return missing("method", hint);
    if (!row.call) return missing("call", hint);
    if (!row.response) return missing("response", hint);
    Tick call = 0;
    Tick response = kPending;
    field = "call";
    if (auto fault = tick(*row.call, field, call)) return fault;
    field = "response";
    if (!row.response->is_null()) {
      if (auto fault = tick(*row.response, field, response)) return fault;
    }
    field = "method";
    std::string_view name;
    if (row.method->get(name) != simdjson::SUCCESS) {
      return Fault{0, ErrorCode::syntax, "the method is not a string", std::string(hint)};
    }
    const MethodIndex method = method_index(name);
    field = "process";
    ProcessId process = kNoProcess;
    if (row.process && !row.process->is_null()) {
      if (auto fault = process_id(*row.process, process)) return fault;
    }
    field = "object";
    ObjectIndex object = 0;
    if (auto fault = object_index(row.object, object)) return fault;
    Fault fault;
    field = "arguments";
    if (row.arguments) {
      dom::array list;
      if (row.arguments->get(list) != simdjson::SUCCESS) {
        return Fault{0, ErrorCode::syntax, "the arguments are not a list", std::string(hint)};
      }
      for (const dom::element element : list) {
        Value value;
        if (!json::to_value(element, builder_.pool(), json::Maps::refused, value, fault)) return fault;
        builder_.argument(value);
      }
    }
    field = "result";
    Value result;
    if (row.result && !json::to_value(*row.result, builder_.pool(), json::Maps::refused, result, fault)) return fault;
    const OperationIndex operation = builder_.add(process, object, method, result, call, response, place);
    field = "fields";
    return row.fields ? fields(*row.fields, operation) : std::nullopt;
  }

  /// What the operation carries beside its arguments and its result.
  std::optional<Fault> fields(const dom::element& value, OperationIndex operation) {
    if (value.is_null()) return std::nullopt;
    dom::object object;
    if (value.get(object) != simdjson::SUCCESS) {
      return Fault{0, ErrorCode::syntax, "\"fields\" is an object", R"(for example {"server":"n1","revision":12})"};
    }
    if (const auto name = json::repeated_key(object)) {
      return Fault{0, ErrorCode::syntax, fmt::format("the field \"{}\" stands twice in an operation", *name),
                   "keep one of them"};
    }
    for (const auto [name, element] : object) {
      if (element.is_null()) continue;
      Value given;
      Fault fault;
      if (!json::to_value(element, builder_.pool(), json::Maps::refused, given, fault)) return fault;
      builder_.field(operation, name, given);
      field_names_.insert(std::string(name));
    }
    return std::nullopt;
  }

  /// Most lines name one of a few methods: the last ones are looked at before the builder's table.
  MethodIndex method_index(std::string_view name) {
    for (const auto& [known, index] : recent_) {
      if (known == name) return index;
    }
    const MethodIndex index = builder_.method(name);
    if (recent_.size() < 8) recent_.emplace_back(name, index);
    return index;
  }

  std::optional<Fault> process_id(const dom::element& value, ProcessId& out) {
    std::int64_t number = 0;
    std::string_view name;
    if (value.get(number) == simdjson::SUCCESS) {
      constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
      out = number >= 0 && number <= kMost ? static_cast<ProcessId>(number) : builder_.process(fmt::to_string(number));
    } else if (value.get(name) == simdjson::SUCCESS) {
      out = builder_.process(name);
    } else {
      return Fault{0, ErrorCode::syntax, "a process is an integer or a string", std::string(kOperationHint)};
    }
    return std::nullopt;
  }

  std::optional<Fault> object_index(const std::optional<dom::element>& value, ObjectIndex& out) {
    if (!value || value->is_null()) {
      if (declared_ > 1) {
        return Fault{0, ErrorCode::missing_field, "the operation does not say which object it is on",
                     "the header declares several: add \"object\":\"name\""};
      }
      if (declared_ == 0) out = builder_.object("");
      return std::nullopt;
    }
    std::string_view name;
    if (value->get(name) != simdjson::SUCCESS) {
      return Fault{0, ErrorCode::syntax, "an object's name is a string", std::string(kOperationHint)};
    }
    out = builder_.object(name);
    return std::nullopt;
  }

  const ReadOptions& options_;
  core::ReadingLimits* limits_;
  json::Text header_;
  HistoryBuilder builder_;
  std::vector<std::pair<std::string, MethodIndex>> recent_;
  absl::flat_hash_set<std::string> field_names_;  // each becomes a column
  std::size_t declared_ = 0;                      // objects named in the header
  dom::element operations_;
};

/// The input line by line, and the history that is open.
class FileReader {
 public:
  FileReader(const core::Source& source, const ReadOptions& options, const core::Emit& emit)
      : source_(source), options_(options), emit_(emit), parser_(source) {}

  void run() {
    std::string_view rest = source_.bytes;
    if (rest.starts_with("\xef\xbb\xbf")) rest.remove_prefix(3);
    for (std::uint64_t number = 1; !rest.empty() && !stopped_; ++number) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view bytes = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (bytes.find_first_not_of(" \t\r") != std::string_view::npos) line({bytes, number});
    }
    finish();
    if (!any_ && !stopped_) {
      emit_(Error{.code = ErrorCode::truncated,
                  .source = source_.name,
                  .line = 1,
                  .column = 1,
                  .message = "the input holds no history",
                  .hint = std::string(kHeaderHint)});
    }
  }

 private:
  void line(const json::Text& text) {
    any_ = true;
    dom::element element;
    if (auto fault = parser_.parse(text.bytes, element)) {
      // A damaged header must not let its operations pass for those of the history before it.
      if (text.bytes.find("\"linchpin\"") != std::string_view::npos) finish();
      damaged(text, std::move(*fault));
      return;
    }
    dom::object object;
    dom::element version;
    if (element.get(object) == simdjson::SUCCESS && object.at_key("linchpin").get(version) == simdjson::SUCCESS) {
      finish();
      skipping_ = false;
      bool whole = false;
      reader_.emplace(source_, options_, text);
      if (auto fault = reader_->header(object, whole)) {
        damaged(text, std::move(*fault));
        if (whole) skipping_ = false;
      } else if (whole) {
        finish();
      }
      return;
    }
    if (skipping_) return;
    if (!reader_) {
      damaged(text, {0, ErrorCode::missing_field, "an operation before any header", std::string(kHeaderHint)});
    } else if (auto fault = reader_->operation(text, element)) {
      damaged(text, std::move(*fault));
    }
  }

  /// Gives up the open history; its other lines are passed over.
  void damaged(const json::Text& text, Fault fault) {
    const bool whole = !reader_ && text.bytes.find("\"operations\"") != std::string_view::npos;
    if (skipping_ && !whole) return;
    reader_.reset();
    skipping_ = !whole;
    give(json::error_at(text, source_.name, std::move(fault)));
  }

  void finish() {
    if (!reader_) return;
    const json::Text header = reader_->text();
    auto history = std::move(*reader_).build();
    reader_.reset();
    if (!history && history.error().line == 0) {
      history.error().line = header.line;
      history.error().column = 1;
    }
    give(std::move(history));
  }

  void give(Result<History> history) {
    if (!stopped_) stopped_ = !emit_(std::move(history));
  }

  const core::Source& source_;
  const ReadOptions& options_;
  const core::Emit& emit_;
  json::Parser parser_;
  std::optional<HistoryReader> reader_;  // unset: no history is open
  bool skipping_ = false;                // the open history is in error
  bool stopped_ = false;                 // the receiver wants no more
  bool any_ = false;                     // a line was not blank
};

}  // namespace

int detect(std::string_view head) {
  const std::size_t begin = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  if (begin == std::string_view::npos || head[begin] != '{') return 0;
  const std::string_view line = head.substr(begin, head.find('\n', begin) - begin);
  return line.find("\"linchpin\"") != std::string_view::npos ? 100 : 0;
}

void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit) {
  FileReader(source, options, emit).run();
}

}  // namespace linchpin::formats::jsonl
