// Reads Jepsen's text logs of a register. A tick is an event's index; lines that are no events of it are skipped.
//
// Operations are collected first and built at the end, since a failed one is dropped after its call has been read.
#include "formats/jepsen_text/format.hpp"

#include <vector>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "formats/lines.hpp"
#include "history/process_names.hpp"
#include "history/text_notation.hpp"

namespace linchpin::formats::jepsen_text {

namespace {

constexpr std::string_view kMark = "jepsen.util - ";
constexpr std::string_view kEventHint =
    "an event is: INFO  jepsen.util - process :type :f value, with :type :invoke, :ok, :fail or :info";

/// What follows the mark of an event's line; nothing: the line is something else.
std::optional<std::string_view> event_of(std::string_view line) {
  if (line.substr(0, 4) != "INFO") return std::nullopt;
  const std::size_t mark = line.find(kMark);
  if (mark == std::string_view::npos) return std::nullopt;
  const std::string_view text = trim(line.substr(mark + kMark.size()));
  if (text.empty() || !is_digit(text[0])) return std::nullopt;  // :nemesis
  return text;
}

enum class Function : std::uint8_t { read, write, cas };

struct Row {
  ProcessId process = 0;
  Function function = Function::read;
  Value first;   // written, or expected by a cas
  Value second;  // new value of a cas
  Value result = Value::unknown();
  Tick call = 0;
  Tick response = kPending;
  Place place;
  bool dropped = false;
};

class Reader {
 public:
  Reader(const core::Source& source, const ReadOptions& options) : source_(source), options_(options), lines_(source) {}

  Result<History> run() {
    if (auto bad = check_text(source_)) return std::move(*bad);
    builder_.set_source(source_.name);
    builder_.set_type(options_.type ? *options_.type : TypeName{.name = "cas-register", .options = {}});
    bool any = false;
    while (lines_.next()) {
      const auto event_text = event_of(lines_.text());
      if (!event_text) continue;
      any = true;
      if (!event(*event_text)) return std::move(*error_);
    }
    if (!any) {
      return Error{.code = ErrorCode::missing_field,
                   .source = source_.name,
                   .line = 1,
                   .column = 1,
                   .message = "the input holds no events",
                   .hint = std::string(kEventHint)};
    }
    builder_.reserve(rows_.size());
    const MethodIndex read = builder_.method("read");
    const MethodIndex write = builder_.method("write");
    const MethodIndex cas = builder_.method("cas");
    for (const Row& row : rows_) {
      if (row.dropped) continue;
      if (row.function != Function::read) builder_.argument(row.first);
      if (row.function == Function::cas) builder_.argument(row.second);
      const MethodIndex method = row.function == Function::read ? read : row.function == Function::write ? write : cas;
      builder_.add(row.process, 0, method, row.result, row.call, row.response, row.place);
    }
    return std::move(builder_).build();
  }

 private:
  bool fail(ErrorCode code, const char* at, std::string message, std::string_view hint = kEventHint) {
    error_ = lines_.error(code, at, std::move(message), std::string(hint));
    return false;
  }

  bool value(std::string_view& text, Value& out) {
    const char* const begin = text.data();
    auto parsed = history::parse_value(text, builder_.pool());
    if (!parsed) {
      const Error& error = parsed.error();
      return fail(error.code, begin + (error.column == 0 ? 0 : error.column - 1), error.message);
    }
    text = trim(text);
    if (!text.empty())
      return fail(ErrorCode::syntax, text.data(), fmt::format("{} follows the value", in_quotes(text)));
    out = *parsed;
    return true;
  }

  bool cas_values(std::string_view text, Row& row) {
    const char* const begin = text.data();
    Value pair;
    if (!value(text, pair)) return false;
    if (!pair.is_list() || builder_.pool().elements_of(pair).size() != 2) {
      return fail(ErrorCode::bad_arguments, begin, "a cas needs two values", "write [old new]");
    }
    row.first = builder_.pool().elements_of(pair)[0];
    row.second = builder_.pool().elements_of(pair)[1];
    return true;
  }

  bool event(std::string_view text) {
    const char* const begin = text.data();
    Fields fields(text);
    const std::string_view process_field = fields.take();
    std::uint32_t process = 0;
    const NumberError error = parse_number(process_field, process);
    if (error != NumberError::none || process >= history::kNamedProcess) {
      return fail(ErrorCode::bad_number, begin,
                  fmt::format("the process {} is not a number below 2^31", in_quotes(process_field)));
    }
    fields.skip_blanks();
    const std::string_view type = fields.take();
    fields.skip_blanks();
    const std::string_view function_field = fields.take();
    fields.skip_blanks();
    const std::string_view rest = trim(fields.rest());
    if (rest.empty()) {
      return fail(ErrorCode::missing_field, fields.at(), "the event lacks its type, its function or its value");
    }
    Row row;
    if (function_field == ":read") {
      row.function = Function::read;
    } else if (function_field == ":write") {
      row.function = Function::write;
    } else if (function_field == ":cas") {
      row.function = Function::cas;
    } else {
      return fail(ErrorCode::unknown_method, function_field.data(),
                  fmt::format("this format has no function {}", in_quotes(function_field)),
                  "its functions: :read, :write, :cas");
    }
    if (type == ":invoke") return invoke(process, row, rest, begin);
    if (type == ":ok" || type == ":fail" || type == ":info") return complete(process, type, row, rest, begin);
    return fail(ErrorCode::syntax, type.data(), fmt::format("{} is no type of an event", in_quotes(type)));
  }

  bool invoke(std::uint32_t process, Row row, std::string_view rest, const char* begin) {
    const auto found = open_.find(process);
    if (found != open_.end()) {
      if (found->second == kGone) {
        return fail(ErrorCode::after_pending, begin,
                    fmt::format("process {} goes on after an operation that never returned", process),
                    "its :info leaves that operation open for ever: a client that goes on needs a new process");
      }
      return fail(ErrorCode::overlapping_operations, begin,
                  fmt::format("process {} calls again before its last call has completed", process),
                  "a process runs one operation at a time; has the log lost a line?");
    }
    if (row.function == Function::cas && !cas_values(rest, row)) return false;
    if (row.function == Function::write && !value(rest, row.first)) return false;
    row.process = process;
    row.call = tick_++;
    row.place = lines_.place(begin);
    open_.emplace(process, rows_.size());
    rows_.push_back(row);
    return true;
  }

  bool complete(std::uint32_t process, std::string_view type, Row seen, std::string_view rest, const char* begin) {
    const auto found = open_.find(process);
    if (found == open_.end() || found->second == kGone) {
      return fail(ErrorCode::return_without_call, begin,
                  fmt::format("process {} completes, but no call of it is open", process),
                  "write its :invoke before its completion");
    }
    Row& row = rows_[found->second];
    if (row.function != seen.function) {
      return fail(ErrorCode::return_without_call, begin,
                  fmt::format("process {} completes another function than it called", process),
                  "a completion repeats the function of its :invoke");
    }
    const Tick now = tick_++;
    if (type == ":info") {
      found->second = kGone;
      return true;
    }
    open_.erase(found);
    if (type == ":fail") {
      // A failed cas tells that the state was not `old`, where the policy says so; reads and writes did not happen.
      if (row.function != Function::cas || options_.fail == FailPolicy::drop || rest == ":timed-out") {
        row.dropped = true;
        return true;
      }
      row.result = Value::boolean(false);
      row.response = now;
      return true;
    }
    row.response = now;
    if (row.function == Function::read) return value(rest, row.result);
    const char* const value_begin = rest.data();
    const bool read_back = row.function == Function::cas ? cas_values(rest, seen) : value(rest, seen.first);
    if (!read_back) return false;
    if (seen.first != row.first || seen.second != row.second) {
      return fail(ErrorCode::bad_arguments, value_begin, "the completion's value is not that of its :invoke",
                  "a :write and a :cas complete with the value that they were called with");
    }
    row.result = row.function == Function::cas ? Value::boolean(true) : Value::none();
    return true;
  }

  static constexpr std::size_t kGone = SIZE_MAX;  // after :info

  const core::Source& source_;
  const ReadOptions& options_;
  LineReader lines_;
  HistoryBuilder builder_;
  std::vector<Row> rows_;
  absl::flat_hash_map<std::uint32_t, std::size_t> open_;  // by process: index in rows_, or kGone
  Tick tick_ = 0;
  std::optional<Error> error_;
};

}  // namespace

int detect(std::string_view head) {
  const core::Source source{.name = {}, .bytes = head};
  LineReader lines(source);
  while (lines.next()) {
    const auto text = event_of(lines.text());
    if (!text) continue;
    Fields fields(*text);
    fields.take();
    if (fields.take().substr(0, 1) == ":") return 90;
  }
  return 0;
}

void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit) {
  emit(Reader(source, options).run());
}

}  // namespace linchpin::formats::jepsen_text
