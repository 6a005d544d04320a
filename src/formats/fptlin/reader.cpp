#include "formats/fptlin/format.hpp"

#include <array>

#include <fmt/format.h>

#include "formats/row_kinds.hpp"
#include "history/process_names.hpp"

namespace linchpin::formats::fptlin {

namespace {

constexpr std::array kQueueMethods{RowMethod{"ENQ", "ENQ", Role::add}, RowMethod{"DEQ", "DEQ", Role::take},
                                   RowMethod{"PEEK", "PEEK", Role::take}};
constexpr std::array kStackMethods{RowMethod{"PUSH", "PUSH", Role::add}, RowMethod{"POP", "POP", Role::take},
                                   RowMethod{"PEEK", "PEEK", Role::take}};
constexpr std::array kPriorityQueueMethods{RowMethod{"INSERT", "INSERT", Role::add},
                                           RowMethod{"POLL", "POLL", Role::take},
                                           RowMethod{"PEEK", "PEEK", Role::take}};
constexpr std::array kExchangeMethods{RowMethod{"READ_MODIFY_WRITE", "read_modify_write", Role::exchange}};
constexpr std::array kSemaphoreMethods{RowMethod{"INCR", "increment", Role::step},
                                       RowMethod{"DECR", "decrement", Role::step}};
constexpr std::array kSetMethods{RowMethod{"INSERT", "INSERT", Role::test}, RowMethod{"REMOVE", "REMOVE", Role::test},
                                 RowMethod{"CONTAINS", "CONTAINS", Role::test}};

constexpr std::array kKinds{
    RowKind{"stack", "lifo atomic-stack", "stack", kStackMethods},
    RowKind{"queue", "fifo fifo-queue atomic-queue", "queue", kQueueMethods},
    RowKind{"priorityqueue", "pqueue pq heap", "priority-queue order=largest", kPriorityQueueMethods},
    RowKind{"rmw", "read-modify-write", "rmw initial=0", kExchangeMethods},
    RowKind{"semaphore", "counting-semaphore", "semaphore initial=0", kSemaphoreMethods},
    RowKind{"set", "", "set", kSetMethods}};

constexpr std::string_view kRowHint = "a row is: process start end METHOD values...";
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
    ids_.fill(kUnbound);
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

  bool fail(ErrorCode code, const char* at, std::string message, std::string hint) {
    error_ = lines_.error(code, at, std::move(message), std::move(hint));
    return false;
  }

  bool number(Fields& fields, std::string_view what, std::int64_t& out, std::string_view& field, std::int64_t least,
              std::int64_t most) {
    NumberError error = take_number(fields, field, out);
    if (error == NumberError::none && (out < least || out > most)) error = NumberError::out_of_range;
    if (error == NumberError::none) return true;
    if (field.empty()) {
      return fail(ErrorCode::missing_field, field.data(), fmt::format("{} is missing", what), std::string(kRowHint));
    }
    error_ = number_error(lines_, error, field, what);
    error_->hint = fmt::format(
        "{}; {}",
        least == INT64_MIN ? "give a 64-bit integer" : fmt::format("give an integer from {} to {}", least, most),
        kRowHint);
    return false;
  }

  bool flag(Fields& fields, Value& out) {
    std::int64_t ok = 0;
    std::string_view field;
    if (!number(fields, "the outcome", ok, field, 0, 1)) return false;
    out = Value::boolean(ok == 1);
    return true;
  }

  bool row(Fields& fields) {
    std::int64_t process = 0;
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::string_view field;
    const Place place = lines_.place(fields.at());
    if (!number(fields, "the process", process, field, 0, history::kNamedProcess - 1)) return false;
    if (!number(fields, "the start", start, field, 0, kPending - 1)) return false;
    if (!number(fields, "the end", end, field, 0, kPending - 1)) return false;
    if (end < start) {
      return fail(ErrorCode::response_before_call, field.data(),
                  fmt::format("the operation ends at {}, before its start at {}", end, start), std::string(kRowHint));
    }
    if (fields.done())
      return fail(ErrorCode::missing_field, fields.at(), "the method is missing", std::string(kRowHint));
    const std::string_view word = fields.take();
    const std::size_t which = finder_.find(word, lines_.end());
    if (which == kind_->methods.size()) {
      return fail(ErrorCode::unknown_method, word.data(),
                  fmt::format("a {} has no method {}", kind_->name, in_quotes(word)),
                  fmt::format("its methods in this format: {}; {}", method_words(*kind_), kRowHint));
    }
    Value result;
    if (!values(fields, kind_->methods[which].role, result)) return false;
    if (!fields.done()) {
      return fail(ErrorCode::syntax, fields.at(),
                  fmt::format("{} follows the row's last field", in_quotes(fields.rest())), std::string(kRowHint));
    }
    if (ids_[which] == kUnbound) ids_[which] = builder_.method(kind_->methods[which].method);
    builder_.add(static_cast<ProcessId>(process), 0, ids_[which], result, start, end, place);
    return true;
  }

  bool values(Fields& fields, Role role, Value& result) {
    if (role == Role::step) return flag(fields, result);
    std::int64_t value = 0;
    std::string_view field;
    if (!number(fields, role == Role::exchange ? "the old value" : "the value", value, field, INT64_MIN, INT64_MAX)) {
      return false;
    }
    ValuePool& pool = builder_.pool();
    switch (role) {
      case Role::take: result = value == kEmpty ? Value::nil() : pool.integer(value); return true;
      case Role::exchange:
        result = pool.integer(value);
        if (!number(fields, "the new value", value, field, INT64_MIN, INT64_MAX)) return false;
        break;
      case Role::test: builder_.argument(pool.integer(value)); return flag(fields, result);
      default:
        if (value == kEmpty) {
          return fail(ErrorCode::bad_number, field.data(), "the value -1 cannot be added",
                      "in this format -1 stands for 'empty'; shift the values, or write the native format");
        }
    }
    builder_.argument(pool.integer(value));
    return true;
  }

  const core::Source& source_;
  const ReadOptions& options_;
  LineReader lines_;
  HistoryBuilder builder_;
  const RowKind* kind_ = nullptr;
  MethodFinder finder_;
  std::array<MethodIndex, 3> ids_{};
  std::optional<Error> error_;
};

}  // namespace

int detect(std::string_view head) {
  const RowHead found = row_head(kKinds, head);
  if (found.kind == nullptr) return 0;
  if (found.row.empty()) return 30;  // fastlin begins in the same way, and is met more often
  return is_digit(found.row[0]) ? 90 : 20;
}

void read(const core::Source& source, const ReadOptions& options, const core::Emit& emit) {
  emit(Reader(source, options).run());
}

}  // namespace linchpin::formats::fptlin
