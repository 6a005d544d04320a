// Reads the event logs of Violin and LiMo. A tick is an event's index, so no two are equal.
//
// The id in brackets names the open call and is free again after its return, so the calls of one id do not overlap: it
// serves as the process, whether the recorder meant a thread or an operation. One exception is met in practice, a call
// written twice in a row. When nothing has returned since the first of two equal calls, they are interchangeable: it
// does not matter which of them a return belongs to. Both are then read, the second without a process.
#include "formats/violin/format.hpp"

#include <vector>

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "base/names.hpp"
#include "formats/lines.hpp"

namespace linchpin::formats::violin {

namespace {

constexpr std::string_view kEventHint = "an event is: [id] call METHOD(value), or: [id] return value";
constexpr std::string_view kAdds = "add push enq enqueue";
constexpr std::string_view kRemovals = "remove pop deq dequeue";
constexpr std::string_view kObjectPrefix = "atomic-";

class Reader {
 public:
  Reader(const core::Source& source, const ReadOptions& options) : source_(source), options_(options), lines_(source) {}

  Result<History> run() {
    if (auto bad = check_text(source_)) return std::move(*bad);
    builder_.set_source(source_.name);
    builder_.reserve(estimate_rows(source_.bytes) / 2 + 1);
    while (lines_.next()) {
      Fields fields(lines_.text());
      if (fields.done()) continue;
      if (*fields.at() == '#' ? !header(fields) : !event(fields)) return std::move(*error_);
    }
    if (options_.type) builder_.set_type(*options_.type);
    return std::move(builder_).build();
  }

 private:
  /// A call that has not returned.
  struct Open {
    OperationIndex operation = 0;
    Tick call = 0;
    MethodIndex method = 0;
    Value argument = Value::none();
    std::optional<OperationIndex> twin;  // an equal call that followed
    bool open = false;
    bool removal = false;
    std::optional<Value> expected;  // of "call pop(1)": the value that it will return
  };

  bool fail(ErrorCode code, const char* at, std::string message, std::string_view hint) {
    error_ = lines_.error(code, at, std::move(message), std::string(hint));
    return false;
  }

  bool header(Fields& fields) {
    fields.skip(1);
    if (fields.take() != "@object") return true;
    const char* const at = fields.at();
    std::string_view name = fields.take();
    if (name.empty() || !fields.done()) {
      return fail(ErrorCode::missing_field, at, "'# @object' names no object", "for example '# @object atomic-queue'");
    }
    if (typed_) {
      return fail(ErrorCode::syntax, name.data(), "a second '# @object' line", "a file holds one object's history");
    }
    typed_ = true;
    if (name.substr(0, kObjectPrefix.size()) == kObjectPrefix) name.remove_prefix(kObjectPrefix.size());
    builder_.set_type(TypeName{.name = std::string(name), .options = {}});
    return true;
  }

  bool event(Fields& fields) {
    const char* const begin = fields.at();
    const std::string_view rest = fields.rest();
    const std::size_t close = rest.find(']');
    if (*begin != '[') {
      return fail(ErrorCode::syntax, begin, fmt::format("{} does not begin an event", in_quotes(rest)), kEventHint);
    }
    if (close == std::string_view::npos)
      return fail(ErrorCode::syntax, begin, "the id does not end", "close it with ]");
    const std::string_view id = trim(rest.substr(1, close - 1));
    if (id.empty()) return fail(ErrorCode::missing_field, begin, "the id is empty", kEventHint);
    fields.skip(close + 1);
    fields.skip_blanks();
    const std::string_view kind = fields.take();
    if (kind == "call") return call(id, fields, lines_.place(begin));
    if (kind == "return") return returned(id, fields);
    if (kind.empty()) return fail(ErrorCode::missing_field, kind.data(), "the event's kind is missing", kEventHint);
    return fail(ErrorCode::syntax, kind.data(), fmt::format("{} is neither call nor return", in_quotes(kind)),
                kEventHint);
  }

  struct Method {
    std::string_view word;  // in the source
    MethodIndex index = 0;
    bool removal = false;
  };

  /// The method called `word`; null: this format has no such one.
  const Method* find_method(std::string_view word) {
    for (const Method& method : methods_) {
      if (method.word == word) return &method;
    }
    const bool removal = base::is_listed(kRemovals, word);
    if (!removal && !base::is_listed(kAdds, word)) return nullptr;
    return &methods_.emplace_back(Method{word, builder_.method(word), removal});
  }

  /// The call that `id` names, open or not, and the id as a process. Small numbers, the usual ids, need no hashing.
  Open& slot(std::string_view id, ProcessId& process) {
    constexpr std::uint32_t kFew = 1U << 16;
    std::uint32_t number = 0;
    const bool canonical = id[0] != '0' || id.size() == 1;
    if (canonical && id.size() <= 5 && parse_number(id, number) == NumberError::none && number < kFew) {
      process = number;
      if (number >= numbered_.size()) numbered_.resize(2 * std::size_t{number} + 64);
      return numbered_[number];
    }
    process = builder_.process(id);
    return named_[process];
  }

  /// The value in a call or a return; numbers that do not fit in 64 bits are refused.
  bool checked_value(std::string_view text, Value& out) {
    std::int64_t number = 0;
    const NumberError error = parse_number(text, number);
    if (error == NumberError::out_of_range) {
      error_ = number_error(lines_, error, text, "the value");
      return false;
    }
    if (error == NumberError::none) {
      out = builder_.pool().integer(number);
    } else if (text == "true" || text == "false") {
      out = Value::boolean(text == "true");
    } else {
      out = builder_.pool().string(text);
    }
    return true;
  }

  bool call(std::string_view id, Fields& fields, Place place) {
    fields.skip_blanks();
    std::string_view text = trim(fields.rest());
    const char* const begin = text.data();
    const std::size_t length = length_until(text, [](char c) { return c == '(' || is_blank(c); });
    const std::string_view method = text.substr(0, length);
    if (method.empty()) return fail(ErrorCode::missing_field, begin, "the method is missing", kEventHint);
    text = trim(text.substr(length));
    if (!text.empty() && text[0] == '(') {
      if (text.back() != ')') return fail(ErrorCode::syntax, text.data(), "the bracket is not closed", kEventHint);
      text = trim(text.substr(1, text.size() - 2));
    }
    Open open;
    const Method* const known = find_method(method);
    if (known == nullptr) {
      return fail(ErrorCode::unknown_method, begin, fmt::format("this format has no method {}", in_quotes(method)),
                  "its methods: add, push, enq, enqueue, remove, pop, deq, dequeue");
    }
    if (text == "empty") {
      return fail(ErrorCode::syntax, text.data(), "'empty' cannot be a value", "only a return can say 'empty'");
    }
    open.removal = known->removal;
    open.method = known->index;
    Value argument;
    if (!text.empty() && !checked_value(text, argument)) return false;
    if (open.removal) {
      if (!text.empty()) open.expected = argument;
    } else {
      if (text.empty()) return fail(ErrorCode::missing_field, begin + length, "the value is missing", kEventHint);
      builder_.argument(argument);
    }
    open.argument = argument;
    open.call = tick_;
    open.open = true;
    ProcessId process = kNoProcess;
    Open& first = slot(id, process);
    if (first.open) {
      const bool equal = first.method == open.method && first.argument == argument;
      if (!equal || first.twin || last_return_ > first.call) {
        return fail(ErrorCode::duplicate_id, lines_.text().data() + place.column - 1,
                    fmt::format("[{}] is called again before its return", id),
                    "an id names one open call; use another one, or write the missing return");
      }
      first.twin = builder_.add(kNoProcess, 0, open.method, Value::unknown(), tick_++, kPending, place);
      return true;
    }
    first = open;
    first.operation = builder_.add(process, 0, open.method, Value::unknown(), tick_++, kPending, place);
    return true;
  }

  bool returned(std::string_view id, Fields& fields) {
    fields.skip_blanks();
    const std::string_view text = trim(fields.rest());
    ProcessId process = kNoProcess;
    Open& found = slot(id, process);
    if (!found.open) {
      return fail(ErrorCode::return_without_call, lines_.text().data() + (id.data() - lines_.text().data()),
                  fmt::format("[{}] returns, but no call of it is open", id), "write its call before its return");
    }
    const Open open = found;
    if (open.twin) {
      found.operation = *open.twin;
      found.twin.reset();
    } else {
      found.open = false;
    }
    Value result = open.removal ? Value::nil() : Value::none();
    if (!text.empty() && text != "empty") {
      if (!checked_value(text, result)) return false;
      if (open.expected && *open.expected != result) {
        return fail(ErrorCode::syntax, text.data(), "the return's value is not the one in its call",
                    "a removal's value stands in its call or in its return");
      }
    } else if (text == "empty" && (!open.removal || open.expected)) {
      return fail(ErrorCode::syntax, text.data(), "'empty' is no answer to this call", "only a removal returns it");
    } else if (open.expected) {
      result = *open.expected;
    }
    last_return_ = tick_++;
    builder_.respond(open.operation, last_return_, result);
    return true;
  }

  const core::Source& source_;
  const ReadOptions& options_;
  LineReader lines_;
  HistoryBuilder builder_;
  std::vector<Method> methods_;  // those seen so far: at most eight spellings, but for case
  std::vector<Open> numbered_;   // by id
  absl::flat_hash_map<ProcessId, Open> named_;
  Tick tick_ = 0;
  Tick last_return_ = -1;
  bool typed_ = false;
  std::optional<Error> error_;
};

}  // namespace

int detect(std::string_view head) {
  const core::Source source{.name = {}, .bytes = head};
  LineReader lines(source);
  while (lines.next()) {
    Fields fields(lines.text());
    if (fields.done()) continue;
    if (*fields.at() == '#') {
      fields.skip(1);
      if (fields.take() == "@object") return 95;
      continue;
    }
    const std::string_view rest = fields.rest();
    if (rest[0] != '[') return 0;
    const std::size_t close = rest.find(']');
    if (close == std::string_view::npos) return 0;
    fields.skip(close + 1);
    const std::string_view kind = fields.take();
    return kind == "call" || kind == "return" ? 85 : 0;
  }
  return 0;
}

void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit) {
  emit(Reader(source, options).run());
}

}  // namespace linchpin::formats::violin
