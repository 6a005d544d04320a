// What an operation of a stack, or at one end of a deque, needs and what it changes, for the search over sets of
// stacks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "linchpin/value.hpp"

namespace linchpin::types {

struct StackAct {
  enum class Kind : std::uint8_t {
    push,
    pop,
    pop_any,  ///< a pending pop: whatever is on top
    // The rest are pure.
    look,      ///< `value` is on top
    empty,     ///< there is nothing
    height,    ///< there are `height` values
    nonempty,  ///< there is something
    free,      ///< always legal
    never,     ///< legal in no state
  };
  static constexpr std::uint32_t kAnyHeight = 0xffffffffU;

  Kind kind = Kind::never;
  std::uint32_t value = 0;            ///< its number
  std::uint32_t height = kAnyHeight;  ///< what the height has to be before the operation

  [[nodiscard]] bool pure() const { return kind >= Kind::look; }
  [[nodiscard]] bool pops() const { return kind == Kind::pop || kind == Kind::pop_any; }
  /// Whether it can tell a stack from the same one with something pushed and popped again around it.
  [[nodiscard]] bool feels_height() const {
    return kind == Kind::height ? height != 0 : !pure() && height != kAnyHeight;
  }
  bool operator==(const StackAct&) const = default;
};

struct StackActs {
  std::vector<StackAct> of;   ///< by local index
  std::vector<Value> values;  ///< by number
  bool feel_height = false;   ///< some act does
  bool repeated = false;      ///< some value is pushed twice
  std::string obstacle;       ///< why these histories are not understood; empty when they are
};

}  // namespace linchpin::types
