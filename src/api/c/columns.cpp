// Whole columns of operations at once: for callers whose arrays are large, and for whom a call costs much (Python).
// All indices are looked at before anything is appended, so that an error leaves the history as it was.
// Tests: tests/c/columns_test.c.
#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/c/objects.hpp"

namespace {

using linchpin::Error;
using linchpin::ErrorCode;
using linchpin::Value;

constexpr std::int64_t kMostProcess = (std::int64_t{1} << 31) - 1;

std::int64_t at(const linchpin_column& column, std::size_t i) {
  std::int64_t number = 0;
  std::memcpy(&number, reinterpret_cast<const char*>(column.data) + static_cast<std::ptrdiff_t>(i) * column.stride,
              sizeof(number));
  return number;
}

/// The columns as this version knows them: those of an older header lack fields at the end.
linchpin_columns known(const linchpin_columns* given) {
  linchpin_columns columns{};
  std::memcpy(&columns, given, std::min(given->size, sizeof(columns)));
  return columns;
}

Error wrong(std::string message, std::string hint) {
  return {.code = ErrorCode::bad_arguments, .message = std::move(message), .hint = std::move(hint)};
}

bool within(std::int64_t index, std::size_t count) {
  return index >= 0 && static_cast<std::uint64_t>(index) < static_cast<std::uint64_t>(count);
}

bool needs_number(std::int64_t kind) { return kind == LINCHPIN_RESULT_INTEGER || kind == LINCHPIN_RESULT_BOOLEAN; }

class Columns {
 public:
  explicit Columns(const linchpin_columns& columns) : columns_(columns) {}

  /// What is wrong with them; nothing: they can be appended.
  [[nodiscard]] std::optional<Error> fault(std::size_t count) const {
    for (std::size_t m = 0; m < columns_.method_count; ++m) {
      const linchpin_method& method = columns_.methods[m];
      if (method.arguments > columns_.argument_count) {
        return wrong(fmt::format("{} takes {} arguments, and there are {} columns of them", method.name,
                                 method.arguments, columns_.argument_count),
                     "a column for each argument that a method takes");
      }
    }
    for (std::size_t a = 0; a < columns_.argument_count; ++a) {
      if (columns_.arguments[a].data == nullptr && count > 0) {
        return wrong(fmt::format("the column {} of arguments has no data", a), "pass the array");
      }
    }
    if (count > 0 &&
        (columns_.call.data == nullptr || columns_.response.data == nullptr || columns_.method.data == nullptr)) {
      return wrong("operations without a column of calls, responses or methods", "these three are needed");
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (auto fault = fault_at(i)) return fault;
    }
    return std::nullopt;
  }

  std::size_t append_to(linchpin::HistoryBuilder& into, std::size_t count) const {
    const std::size_t first = into.size();
    into.reserve(first + count);
    std::vector<linchpin::MethodIndex> methods;
    for (std::size_t m = 0; m < columns_.method_count; ++m) methods.push_back(into.method(columns_.methods[m].name));
    std::vector<linchpin::ObjectIndex> objects;
    if (columns_.object.data != nullptr) {
      for (std::size_t o = 0; o < columns_.object_count; ++o) objects.push_back(into.object(columns_.objects[o]));
    }
    for (std::size_t i = 0; i < count; ++i) {
      const auto m = static_cast<std::size_t>(at(columns_.method, i));
      for (std::size_t a = 0; a < columns_.methods[m].arguments; ++a) {
        into.argument(into.pool().integer(at(columns_.arguments[a], i)));
      }
      const linchpin::ObjectIndex object = columns_.object.data == nullptr ? 0 : objects[at(columns_.object, i)];
      const linchpin::Tick response = at(columns_.response, i);
      const Value result = response == LINCHPIN_PENDING ? Value::none() : result_at(i, into.pool());
      into.add(process_at(i), object, methods[m], result, at(columns_.call, i), response);
    }
    return first;
  }

 private:
  [[nodiscard]] std::int64_t kind_at(std::size_t i) const {
    if (columns_.kind.data != nullptr) return at(columns_.kind, i);
    return columns_.methods[at(columns_.method, i)].result;
  }

  [[nodiscard]] linchpin::ProcessId process_at(std::size_t i) const {
    const std::int64_t number = columns_.process.data == nullptr ? -1 : at(columns_.process, i);
    return number < 0 ? linchpin::kNoProcess : static_cast<linchpin::ProcessId>(number);
  }

  [[nodiscard]] Value result_at(std::size_t i, linchpin::ValuePool& pool) const {
    switch (kind_at(i)) {
      case LINCHPIN_RESULT_INTEGER: return pool.integer(at(columns_.result, i));
      case LINCHPIN_RESULT_BOOLEAN: return Value::boolean(at(columns_.result, i) != 0);
      case LINCHPIN_RESULT_NIL: return Value::nil();
      case LINCHPIN_RESULT_UNKNOWN: return Value::unknown();
      default: return Value::none();
    }
  }

  [[nodiscard]] std::optional<Error> fault_at(std::size_t i) const {
    const std::int64_t method = at(columns_.method, i);
    if (!within(method, columns_.method_count)) {
      return wrong(fmt::format("operation {} has the method {}, and there are {}", i, method, columns_.method_count),
                   "methods are counted from 0");
    }
    if (columns_.object.data != nullptr && !within(at(columns_.object, i), columns_.object_count)) {
      return wrong(fmt::format("operation {} is on the object {}, and there are {}", i, at(columns_.object, i),
                               columns_.object_count),
                   "objects are counted from 0");
    }
    if (columns_.process.data != nullptr && at(columns_.process, i) > kMostProcess) {
      return Error{.code = ErrorCode::bad_number,
                   .message = fmt::format("operation {} is of the process {}", i, at(columns_.process, i)),
                   .hint = "processes are numbers below 2^31"};
    }
    if (at(columns_.response, i) == LINCHPIN_PENDING) return std::nullopt;
    const std::int64_t kind = kind_at(i);
    if (kind < LINCHPIN_RESULT_NONE || kind > LINCHPIN_RESULT_UNKNOWN) {
      return wrong(fmt::format("operation {} has the kind of result {}", i, kind),
                   "0: nothing, 1: the number beside it, 2: whether that is not 0, 3: nil, 4: unknown");
    }
    if (needs_number(kind) && columns_.result.data == nullptr) {
      return wrong(fmt::format("operation {} returns a number, and there is no column of results", i),
                   "pass the column, or say that the method returns nothing");
    }
    return std::nullopt;
  }

  const linchpin_columns& columns_;
};

}  // namespace

size_t linchpin_append(linchpin_builder* builder, const linchpin_columns* columns, size_t count) {
  return linchpin::c::kept(builder, LINCHPIN_NONE, [&] {
    const linchpin_columns given = known(columns);
    const Columns reader(given);
    if (auto fault = reader.fault(count)) {
      if (!builder->error) builder->error = std::move(*fault);
      return LINCHPIN_NONE;
    }
    const std::size_t first = reader.append_to(builder->builder, count);
    if (count > 0) builder->note_object(given.object.data != nullptr, linchpin::OperationIndex(first));
    return first;
  });
}
