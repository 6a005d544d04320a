// What the operations of a deque need and what they change, for the search over sets of contents.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "history/subhistory.hpp"
#include "types/deque/deque_sets.hpp"

namespace linchpin::types::deque {

struct EndAct {
  enum class Kind : std::uint8_t {
    push,
    pop,
    pop_any,  ///< a pending pop: whatever is at the end
    // The rest are pure.
    look,      ///< `value` is at the end
    empty,     ///< there is nothing
    size,      ///< there are `size` values, more than none
    nonempty,  ///< there is something
    free,      ///< always legal
    never,     ///< legal in no state
  };

  Kind kind = Kind::never;
  End end = 0;
  std::uint32_t value = 0;  ///< its number
  std::uint32_t size = 0;

  [[nodiscard]] bool pure() const { return kind >= Kind::look; }
  [[nodiscard]] bool pops() const { return kind == Kind::pop || kind == Kind::pop_any; }
  bool operator==(const EndAct&) const = default;
};

struct EndActs {
  std::vector<EndAct> of;     ///< by local index
  std::vector<Value> values;  ///< by number
  bool repeated = false;      ///< some value is pushed twice
  /// Some act feels how many values there are: ends that meet do.
  static constexpr bool feel_height = true;
  std::string obstacle;  ///< why these histories are not understood; empty when they are
};

/// Reads the operations of a deque. O(n).
[[nodiscard]] EndActs read_end_acts(const history::Subhistory& part);

}  // namespace linchpin::types::deque
