// How specifications read results, and other small things that the types share.
//
// A result is what a recorder wrote down, and recorders differ: "done" may be nothing, nil, true, or the argument
// repeated. Each type's README says which results it accepts. Specifications use these functions to say so.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "linchpin/history.hpp"
#include "linchpin/specification_interface.hpp"

namespace linchpin::types {

/// The specification's name: the type's own name (not an alias) with the options as given.
inline std::string full_name(std::string_view name, const TypeName& type) {
  return TypeName{.name = std::string(name), .options = type.options}.to_string();
}

inline bool is_integer(Value value) {
  return value.kind() == Value::Kind::integer || value.kind() == Value::Kind::big_integer;
}

/// Whether the operation may have returned the number, which need not be in the pool.
inline bool returns_number(const Operation& operation, std::int64_t number) {
  if (operation.result_unknown()) return true;
  return is_integer(operation.result) && operation.pool->integer_of(operation.result) == number;
}

inline bool says_true(const Operation& operation) { return operation.result == Value::boolean(true); }
inline bool says_false(const Operation& operation) { return operation.result == Value::boolean(false); }

/// The outcome of an operation on argument 0 that did something or found nothing to do: `did` iff it returned true; a
/// bare acknowledgement and an unknown result fit both.
inline bool fits_outcome(const Operation& operation, bool did) {
  if (says_true(operation)) return did;
  if (says_false(operation)) return !did;
  return operation.acknowledged(0);
}

/// The outcome of an operation that needs something and says whether it took effect: a bare acknowledgement says that
/// it did, false that it did not.
inline bool fits_attempt(const Operation& operation, bool did) {
  if (operation.result_unknown()) return true;
  return says_false(operation) ? !did : did && operation.acknowledged();
}

/// Whether the operation returned a definite number other than zero, or something that is no number.
inline bool returns_nonzero(const Operation& operation) {
  return !operation.result_unknown() && !returns_number(operation, 0);
}

/// "a, b, c"
inline std::string join(std::span<const Value> values, const ValuePool& pool) {
  std::string text;
  for (const Value value : values) {
    if (!text.empty()) text += ", ";
    text += pool.to_text(value);
  }
  return text;
}

/// The option's value for a content that the type describes as a row of values in brackets; `start_value` of a type.
inline std::string initial_content(std::string_view state) {
  constexpr std::size_t kLongest = 1'000;  // nobody reads more
  const std::size_t begin = state.find_first_of("[{"), end = state.find_last_of("]}");
  if (begin == std::string_view::npos || end == std::string_view::npos || end - begin < 2 || end > kLongest) return {};
  std::string value = "[";
  for (const char each : state.substr(begin + 1, end - begin - 1)) {
    if (each != ' ') value += each;
  }
  return value + "]";
}

}  // namespace linchpin::types
