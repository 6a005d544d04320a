#include <array>
#include <utility>

#include <fmt/format.h>

#include "formats/fastlin/format.hpp"
#include "formats/fastlin/kinds.hpp"

namespace linchpin::formats::fastlin {

namespace {

constexpr std::string_view kRowHint = "a row is: method value start end";
constexpr std::int64_t kEmpty = -1;

class Reader {
 public:
  Reader(const core::Source& source, const ReadOptions& options) : source_(source), options_(options), lines_(source) {}

  Result<History> run() {
    if (auto bad = check_text(source_)) return std::move(*bad);
    const auto kind = read_kind(kKinds, lines_, options_.type);
    if (!kind) return kind.error();
    kind_ = *kind;
    finder_ = MethodFinder(*kind_);
    builder_.set_source(source_.name);
    builder_.set_type(type_of(*kind_, options_.type));
    builder_.reserve(estimate_rows(source_.bytes));
    for (std::size_t i = 0; i < kind_->methods.size(); ++i) ids_[i] = kUnbound;
    while (lines_.next()) {
      Fields fields(lines_.text(), lines_.end());
      if (fields.done()) continue;
      if (*fields.at() == '#') {
        if (is_second_header(kKinds, lines_, error_)) return std::move(*error_);
        continue;
      }
      if (!row(fields)) return std::move(*error_);
    }
    return std::move(builder_).build();
  }

 private:
  static constexpr MethodIndex kUnbound = 0xffff;

  struct Number {
    std::int64_t number = 0;
    std::string_view text;
  };

  bool row(Fields& fields) {
    const std::string_view word = fields.take();
    const std::size_t which = finder_.find(word, lines_.end());
    if (which == kind_->methods.size()) return no_method(word);
    const RowMethod& method = kind_->methods[which];
    Number value, start, end;
    if (!number(fields, "the value", value) || !number(fields, "the start", start) || !number(fields, "the end", end)) {
      return false;
    }
    Value result;
    if (!fields.done()) {
      if (!five_fields(fields, word, method.role, start, end, result)) return false;
    } else if (method.role == Role::test) {
      return fail(ErrorCode::missing_field, word.data(), "contains does not say what it found",
                  "write contains_true or contains_false");
    } else if (method.role != Role::add && method.role != Role::take) {
      result = Value::boolean(method.role != Role::miss);
    }
    if (start.number < 0 || end.number < start.number || end.number >= kPending) return no_interval(start, end);
    if (method.role == Role::take) {
      result = value.number == kEmpty ? Value::nil() : builder_.pool().integer(value.number);
    } else {
      if (method.role == Role::add && value.number == kEmpty) {
        return fail(ErrorCode::bad_number, value.text.data(), "the value -1 cannot be added",
                    "in this format -1 stands for 'empty'; shift the values, or write the native format");
      }
      builder_.argument(builder_.pool().integer(value.number));
    }
    if (ids_[which] == kUnbound) ids_[which] = builder_.method(method.method);
    builder_.add(kNoProcess, 0, ids_[which], result, start.number, end.number, lines_.place(word.data()));
    return true;
  }

  [[gnu::always_inline]] bool number(Fields& fields, std::string_view what, Number& out) {
    const NumberError error = take_number(fields, out.text, out.number);
    return error == NumberError::none || no_number(error, what, out.text);
  }

  /// The rest of a row "method value ret start end" of a set, of which ret and start were taken for start and end.
  bool five_fields(Fields& fields, std::string_view word, Role role, Number& start, Number& end, Value& result) {
    if (kind_->methods.data() != kSetMethods.data()) {
      return fail(ErrorCode::syntax, fields.at(), fmt::format("{} follows the end", in_quotes(fields.rest())),
                  std::string(kRowHint));
    }
    const Number ret = std::exchange(start, end);
    if (!number(fields, "the end", end)) return false;
    if (!fields.done()) {
      return fail(ErrorCode::syntax, fields.at(), fmt::format("{} follows the end", in_quotes(fields.rest())),
                  "a row of a set is: method value start end, or: method value ret start end");
    }
    if (ret.number != 0 && ret.number != 1) {
      return fail(ErrorCode::bad_number, ret.text.data(), fmt::format("the result {} is neither 0 nor 1", ret.text),
                  "a row of a set with five fields is: method value ret start end");
    }
    if (role != Role::test && role != Role::succeed) {
      return fail(ErrorCode::syntax, word.data(), fmt::format("{} carries its result in its name", word),
                  "write contains value ret start end, or contains_true value start end");
    }
    result = Value::boolean(ret.number == 1);
    return true;
  }

  // What is wrong; apart from the reading, which is as fast as its loop is small.

  bool fail(ErrorCode code, const char* at, std::string message, std::string hint) {
    error_ = lines_.error(code, at, std::move(message), std::move(hint));
    return false;
  }

  [[gnu::noinline]] bool no_method(std::string_view word) {
    return fail(ErrorCode::unknown_method, word.data(),
                fmt::format("a {} has no method {}", kind_->name, in_quotes(word)),
                fmt::format("its methods in this format: {}; {}", method_words(*kind_), kRowHint));
  }

  [[gnu::noinline]] bool no_number(NumberError error, std::string_view what, std::string_view text) {
    if (text.empty()) {
      return fail(ErrorCode::missing_field, text.data(), fmt::format("{} is missing", what), std::string(kRowHint));
    }
    error_ = number_error(lines_, error, text, what);
    error_->hint += fmt::format("; {}", kRowHint);
    return false;
  }

  [[gnu::noinline]] bool no_interval(const Number& start, const Number& end) {
    for (const Number& time : {start, end}) {
      if (time.number >= 0 && time.number < kPending) continue;
      return fail(ErrorCode::bad_number, time.text.data(), fmt::format("the time {} is out of range", time.text),
                  "times are integers from 0 to 2^63 - 2");
    }
    return fail(ErrorCode::response_before_call, end.text.data(),
                fmt::format("the operation ends at {}, before its start at {}", end.number, start.number),
                std::string(kRowHint));
  }

  const core::Source& source_;
  const ReadOptions& options_;
  LineReader lines_;
  HistoryBuilder builder_;
  const RowKind* kind_ = nullptr;
  MethodFinder finder_;
  std::array<MethodIndex, kSetMethods.size()> ids_{};
  std::optional<Error> error_;
};

}  // namespace

int detect(std::string_view head) {
  const RowHead found = row_head(kKinds, head);
  if (found.kind == nullptr) return 0;
  if (found.row.empty()) return 40;  // fptlin begins in the same way
  for (const RowMethod& method : found.kind->methods) {
    if (found.row.substr(0, method.word.size()) == method.word) return 90;
  }
  // A wrong method under a right header: still this format, unless a number comes first, as in fptlin.
  return is_digit(found.row[0]) ? 10 : 60;
}

void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit) {
  emit(Reader(source, options).run());
}

}  // namespace linchpin::formats::fastlin
