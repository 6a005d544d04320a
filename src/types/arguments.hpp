// Which values may be arguments: the messages with which all types refuse `none` and `nil`.
//
// `none` is the result of an operation that returns nothing. It is no value, and no argument of any method. `nil` is a
// value like others, except where a type answers nil to say that nothing is there: if nil could be put in, that answer
// would mean two things, and a specification and a monitor could read it differently. For users: docs/types.md.
#pragma once

#include <algorithm>
#include <span>
#include <string>

#include "linchpin/specification_interface.hpp"

namespace linchpin::types {

/// Why the arguments are refused because of one that is no value; empty when they are not.
inline std::string refuse_none(std::span<const Value> arguments) {
  const bool found = std::any_of(arguments.begin(), arguments.end(), [](Value value) { return value.is_none(); });
  return found ? "none stands for the lack of a result and is no value" : "";
}

/// Why the values cannot be put into a container that answers nil when nothing is there; empty when they can.
inline std::string refuse_nil(std::span<const Value> values) {
  const bool found = std::any_of(values.begin(), values.end(), [](Value value) { return value.is_nil(); });
  return found ? "nil is the answer when nothing is there, and cannot be put in; record another value for it" : "";
}

/// Both: for a method that puts `values` in.
inline std::string refuse_putting(const Operation& operation, std::span<const Value> values) {
  if (std::string why = refuse_none(operation.arguments); !why.empty()) return why;
  if (std::string why = refuse_none(values); !why.empty()) return why;
  return refuse_nil(values);
}

}  // namespace linchpin::types
