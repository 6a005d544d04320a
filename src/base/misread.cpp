// What is thrown where a value is read as what it is not. Recorders make values, so this needs the standard library
// only.
#include <string>

#include "linchpin/specification_interface.hpp"
#include "linchpin/value.hpp"

namespace linchpin::detail {

namespace {

/// A value without its pool: those that live there are told by their kind.
std::string text_of_kind(Value value) {
  switch (value.kind()) {
    case Value::Kind::none: return "none";
    case Value::Kind::nil: return "nil";
    case Value::Kind::unknown: return "'?'";
    case Value::Kind::boolean: return value.boolean() ? "true" : "false";
    case Value::Kind::integer: return "the integer " + std::to_string(value.integer());
    case Value::Kind::big_integer: return "an integer of more than 61 bits";
    case Value::Kind::string: return "a string";
    case Value::Kind::list: return "a list";
  }
  return "no value";
}

}  // namespace

void misread(Value value, const char* wanted) { throw Misread(text_of_kind(value) + " was read as " + wanted); }

void does_not_fit(std::int64_t value) {
  throw Misread(std::to_string(value) + " does not fit into a value of its own: make it with ValuePool::integer");
}

void no_argument(std::size_t i, std::size_t count) {
  throw Misread("argument " + std::to_string(i + 1) + " was read of " + std::to_string(count));
}

}  // namespace linchpin::detail
