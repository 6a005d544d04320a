// Operations that consist of parts, as transactions do, of which some may be left out to show why a history is wrong.
//
// A legal order of such operations stays one if from all of them are left out
//   - a part that changes nothing, in one operation;
//   - all parts that change a key to a value or find it there; so also all parts of a key.
// What is left of an operation is an operation of the type. Without any part it does nothing.
// A type says so by a member `parts` (registry.cpp). Tests: tests/cross/fewer_parts_test.cpp.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "linchpin/specification_interface.hpp"

namespace linchpin::core {

struct Part {
  bool changes = false;
  Value key;
  Value value;  ///< that it changes the key to, or finds there
};

struct Parts {
  /// The parts of an operation that say something; nothing: it cannot be taken apart, and so no other one can.
  std::optional<std::vector<Part>> (*of)(const Specification& specification, const Operation& operation);
  /// The one argument of the operation that has these parts and no others, and returned. @pre they are of `from`
  Value (*operation_of)(std::span<const Part> parts, const ValuePool& from, ValuePool& pool);
  /// Whether it is open what every key holds at first: then a history that is wrong from there on is so from any state.
  bool (*starts_anywhere)(const Specification& specification);
};

}  // namespace linchpin::core
