// Reads register histories as JSON lines, one history a line. Times are any JSON numbers: each history's are replaced
// by their dense ranks, equal times by equal ticks, which keeps the order of all events and which of them touch.
#include "formats/thesis/format.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <absl/container/inlined_vector.h>
#include <fmt/format.h>
#include <simdjson.h>

#include "formats/json/document.hpp"
#include "formats/lines.hpp"
#include "history/process_names.hpp"

namespace linchpin::formats::thesis {

namespace {

namespace dom = simdjson::dom;

constexpr std::string_view kRowHint =
    R"(a line is: {"ops": [{"thread": 1, "start": 0.5, "end": 2.5, "type": "cas", "args": [0, 1], "ok": true}, ...]})";

class Reader {
 public:
  Reader(const core::Source& source, const ReadOptions& options) : source_(source), options_(options), lines_(source) {}

  void run(const core::Emit& emit) {
    bool any = false;
    while (lines_.next()) {
      const std::string_view line = trim(lines_.text());
      if (line.empty()) continue;
      any = true;
      auto history = read_line(line);
      if (!emit(history ? std::move(*history) : Result<History>(std::move(*error_)))) return;
    }
    if (any) return;
    emit(Error{.code = ErrorCode::truncated,
               .source = source_.name,
               .message = "the input is empty",
               .hint = "was the recording written out, and the right file named?"});
  }

 private:
  /// Fails at the line's start: simdjson's documents do not know their offsets.
  bool fail(ErrorCode code, std::string message, std::string_view hint = kRowHint) {
    error_ = lines_.error(code, lines_.text().data(), std::move(message), std::string(hint));
    return false;
  }
  bool fail_in(std::size_t index, ErrorCode code, std::string_view message) {
    return fail(code, fmt::format("operation {}: {}", index, message));
  }

  std::optional<Result<History>> read_line(std::string_view line) {
    dom::element document;
    const char* const readable = source_.bytes.data() + source_.bytes.size() + source_.padding;
    const bool copy = readable - (line.data() + line.size()) < static_cast<std::ptrdiff_t>(simdjson::SIMDJSON_PADDING);
    if (const auto parsed = parser_.parse(line.data(), line.size(), copy).get(document); parsed != simdjson::SUCCESS) {
      if (parsed == simdjson::CAPACITY || parsed == simdjson::MEMALLOC) {
        fail(ErrorCode::too_large, "the history is too large", "split the recording: each line holds one history");
        return std::nullopt;
      }
      const bool encoding = parsed == simdjson::UTF8_ERROR;
      fail(encoding ? ErrorCode::encoding : ErrorCode::syntax,
           fmt::format("the line is not a JSON value: {}", simdjson::error_message(parsed)),
           encoding ? "save the file as UTF-8" : "is the line whole? each line holds one history");
      return std::nullopt;
    }
    dom::object whole;
    if (document.get(whole) == simdjson::SUCCESS) {
      if (const auto key = json::repeated_key(whole)) {
        fail(ErrorCode::syntax, fmt::format("the key \"{}\" stands twice", *key));
        return std::nullopt;
      }
    }
    dom::array operations;
    if (document["ops"].get(operations) != simdjson::SUCCESS) {
      fail(ErrorCode::missing_field, R"("ops", the list of operations, is missing)");
      return std::nullopt;
    }
    HistoryBuilder builder;
    builder.set_source(source_.name);
    builder.set_type(options_.type ? *options_.type
                                   : TypeName{.name = "cas-register", .options = {{"initial", "undefined"}}});
    if (!collect(operations)) return std::nullopt;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!add(builder, i)) return std::nullopt;
    }
    return std::move(builder).build();
  }

  struct Row {
    dom::element operation;
    double start = 0;
    double end = 0;
  };

  bool time(std::size_t index, dom::element operation, const char* name, double& out) {
    dom::element field;
    if (operation[name].get(field) != simdjson::SUCCESS) {
      return fail_in(index, ErrorCode::missing_field, fmt::format("\"{}\" is missing", name));
    }
    // get<double> converts integers; beyond 2^53 two of them could become one time.
    constexpr double kExact = 9007199254740992.0;
    if (field.get(out) != simdjson::SUCCESS) {
      return fail_in(index, ErrorCode::bad_number, fmt::format("\"{}\" is not a number", name));
    }
    if (field.type() != dom::element_type::DOUBLE && std::abs(out) >= kExact) {
      return fail_in(index, ErrorCode::bad_number, fmt::format("\"{}\" is out of range: times are doubles", name));
    }
    return true;
  }

  bool collect(dom::array operations) {
    rows_.clear();
    times_.clear();
    for (const dom::element operation : operations) {
      const std::size_t index = rows_.size();
      dom::object fields;
      if (operation.get(fields) != simdjson::SUCCESS) return fail_in(index, ErrorCode::syntax, "it is not an object");
      if (const auto key = json::repeated_key(fields)) {
        return fail_in(index, ErrorCode::syntax, fmt::format("the key \"{}\" stands twice", *key));
      }
      Row row{.operation = operation};
      if (!time(index, operation, "start", row.start) || !time(index, operation, "end", row.end)) return false;
      if (row.end < row.start) {
        return fail_in(index, ErrorCode::response_before_call,
                       fmt::format("it ends at {}, before its start at {}", row.end, row.start));
      }
      rows_.push_back(row);
      times_.push_back(row.start);
      times_.push_back(row.end);
    }
    std::sort(times_.begin(), times_.end());
    times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
    return true;
  }

  [[nodiscard]] Tick rank(double time) const {
    return std::lower_bound(times_.begin(), times_.end(), time) - times_.begin();
  }

  bool value(std::size_t index, dom::element element, ValuePool& pool, Value& out) {
    switch (element.type()) {
      case dom::element_type::INT64: out = pool.integer(std::int64_t(element)); return true;
      case dom::element_type::STRING: out = pool.string(std::string_view(element)); return true;
      case dom::element_type::BOOL: out = Value::boolean(bool(element)); return true;
      case dom::element_type::NULL_VALUE: out = Value::nil(); return true;
      case dom::element_type::UINT64:
        return fail_in(index, ErrorCode::bad_number, "an argument does not fit in 64 bits");
      default: return fail_in(index, ErrorCode::bad_arguments, "an argument is no integer, string, boolean or null");
    }
  }

  bool add(HistoryBuilder& builder, std::size_t index) {
    const dom::element operation = rows_[index].operation;
    std::int64_t thread = 0;
    if (const auto got = operation["thread"].get(thread); got != simdjson::SUCCESS) {
      return got == simdjson::NO_SUCH_FIELD ? fail_in(index, ErrorCode::missing_field, "\"thread\" is missing")
                                            : fail_in(index, ErrorCode::bad_number, "\"thread\" is not an integer");
    }
    if (thread < 0 || thread >= history::kNamedProcess) {
      return fail_in(index, ErrorCode::bad_number, fmt::format("the thread {} is out of range", thread));
    }
    std::string_view type;
    if (operation["type"].get(type) != simdjson::SUCCESS) {
      return fail_in(index, ErrorCode::missing_field, "\"type\" is missing");
    }
    const bool read = type == "read";
    const bool cas = type == "cas";
    if (!read && !cas && type != "write") {
      return fail_in(index, ErrorCode::unknown_method,
                     fmt::format("this format has no method {}; it has read, write and cas", in_quotes(type)));
    }
    dom::array arguments;
    if (operation["args"].get(arguments) != simdjson::SUCCESS) {
      return fail_in(index, ErrorCode::missing_field, "\"args\" is missing");
    }
    absl::InlinedVector<Value, 4> values;
    for (const dom::element argument : arguments) {
      Value converted;
      if (!value(index, argument, builder.pool(), converted)) return false;
      values.push_back(converted);
    }
    const std::size_t expected = cas ? 2 : 1;
    if (values.size() != expected) {
      return fail_in(index, ErrorCode::bad_arguments,
                     fmt::format("{} has {} arguments here, not {}", type, expected, values.size()));
    }
    Value result = read ? values[0] : Value::none();
    if (cas) {
      bool ok = false;
      if (operation["ok"].get(ok) != simdjson::SUCCESS) {
        return fail_in(index, ErrorCode::missing_field, R"(a cas needs "ok", true or false)");
      }
      result = Value::boolean(ok);
    }
    if (!read) {
      for (const Value argument : values) builder.argument(argument);
    }
    const Place place{.line = lines_.place(lines_.text().data()).line, .column = 1};
    builder.add(static_cast<ProcessId>(thread), 0, builder.method(type), result, rank(rows_[index].start),
                rank(rows_[index].end), place);
    return true;
  }

  const core::Source& source_;
  const ReadOptions& options_;
  LineReader lines_;
  dom::parser parser_;
  std::vector<Row> rows_;
  std::vector<double> times_;  // of this history, ascending and distinct
  std::optional<Error> error_;
};

}  // namespace

int detect(std::string_view head) {
  const std::string_view line = first_line(head);
  if (!line.starts_with('{')) return 0;
  const auto holds = [line](std::string_view word) { return line.find(word) != std::string_view::npos; };
  if (!holds("\"ops\"")) return 0;
  return holds("\"thread\"") && holds("\"args\"") ? 95 : 50;
}

void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit) {
  Reader(source, options).run(emit);
}

}  // namespace linchpin::formats::thesis
