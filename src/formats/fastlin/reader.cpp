#include <array>

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
    builder_.set_source(source_.name);
    builder_.set_type(type_of(*kind_, options_.type));
    builder_.reserve(estimate_rows(source_.bytes));
    for (std::size_t i = 0; i < kind_->methods.size(); ++i) ids_[i] = kUnbound;
    while (lines_.next()) {
      Fields fields(lines_.text());
      if (fields.done() || *fields.at() == '#') continue;
      if (!row(fields)) return std::move(*error_);
    }
    return std::move(builder_).build();
  }

 private:
  static constexpr MethodIndex kUnbound = 0xffff;

  bool fail(ErrorCode code, const char* at, std::string message, std::string hint) {
    error_ = lines_.error(code, at, std::move(message), std::move(hint));
    return false;
  }

  bool number(Fields& fields, std::string_view what, std::int64_t& out, std::string_view& field) {
    const NumberError error = take_number(fields, field, out);
    if (error == NumberError::none) return true;
    if (field.empty()) {
      return fail(ErrorCode::missing_field, field.data(), fmt::format("{} is missing", what), std::string(kRowHint));
    }
    error_ = number_error(lines_, error, field, what);
    error_->hint += fmt::format("; {}", kRowHint);
    return false;
  }

  bool row(Fields& fields) {
    const std::string_view word = fields.take();
    std::size_t which = 0;
    while (which < kind_->methods.size() && kind_->methods[which].word != word) ++which;
    if (which == kind_->methods.size()) {
      return fail(ErrorCode::unknown_method, word.data(),
                  fmt::format("a {} has no method {}", kind_->name, in_quotes(word)),
                  fmt::format("its methods in this format: {}; {}", method_words(*kind_), kRowHint));
    }
    // Value, start and end; or value, ret, start and end.
    std::array<std::int64_t, 4> numbers{};
    std::array<std::string_view, 4> texts;
    constexpr std::array<std::string_view, 3> kNames{"the value", "the start", "the end"};
    for (std::size_t i = 0; i < 3; ++i) {
      if (!number(fields, kNames[i], numbers[i], texts[i])) return false;
    }
    bool old_row = false;
    if (!fields.done()) {
      if (kind_->methods.data() != kSetMethods.data()) {
        return fail(ErrorCode::syntax, fields.at(), fmt::format("{} follows the end", in_quotes(fields.rest())),
                    std::string(kRowHint));
      }
      if (!number(fields, "the end", numbers[3], texts[3])) return false;
      if (!fields.done()) {
        return fail(ErrorCode::syntax, fields.at(), fmt::format("{} follows the end", in_quotes(fields.rest())),
                    "a row of a set is: method value start end, or: method value ret start end");
      }
      old_row = true;
    }
    const std::size_t start = old_row ? 2 : 1;
    for (std::size_t i = start; i < start + 2; ++i) {
      if (numbers[i] >= 0 && numbers[i] < kPending) continue;
      return fail(ErrorCode::bad_number, texts[i].data(), fmt::format("the time {} is out of range", texts[i]),
                  "times are integers from 0 to 2^63 - 2");
    }
    if (numbers[start + 1] < numbers[start]) {
      return fail(ErrorCode::response_before_call, texts[start + 1].data(),
                  fmt::format("the operation ends at {}, before its start at {}", numbers[start + 1], numbers[start]),
                  std::string(kRowHint));
    }
    Value result;
    const RowMethod& method = kind_->methods[which];
    if (old_row) {
      if (numbers[1] != 0 && numbers[1] != 1) {
        return fail(ErrorCode::bad_number, texts[1].data(), fmt::format("the result {} is neither 0 nor 1", texts[1]),
                    "a row of a set with five fields is: method value ret start end");
      }
      if (method.role != Role::test && method.role != Role::succeed) {
        return fail(ErrorCode::syntax, word.data(), fmt::format("{} carries its result in its name", word),
                    "write contains value ret start end, or contains_true value start end");
      }
      result = Value::boolean(numbers[1] == 1);
    } else if (method.role == Role::test) {
      return fail(ErrorCode::missing_field, word.data(), "contains does not say what it found",
                  "write contains_true or contains_false");
    } else if (method.role != Role::add && method.role != Role::take) {
      result = Value::boolean(method.role != Role::miss);
    }
    if (method.role == Role::take) {
      result = numbers[0] == kEmpty ? Value::nil() : builder_.pool().integer(numbers[0]);
    } else {
      if (method.role == Role::add && numbers[0] == kEmpty) {
        return fail(ErrorCode::bad_number, texts[0].data(), "the value -1 cannot be added",
                    "in this format -1 stands for 'empty'; shift the values, or write the native format");
      }
      builder_.argument(builder_.pool().integer(numbers[0]));
    }
    if (ids_[which] == kUnbound) ids_[which] = builder_.method(method.method);
    builder_.add(kNoProcess, 0, ids_[which], result, numbers[start], numbers[start + 1], lines_.place(word.data()));
    return true;
  }

  const core::Source& source_;
  const ReadOptions& options_;
  LineReader lines_;
  HistoryBuilder builder_;
  const RowKind* kind_ = nullptr;
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
