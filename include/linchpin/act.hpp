// What an operation does to a container, or tells of it.
//
// One vocabulary for all who decide containers: the types of the library say so of their operations, and so do
// containers of a caller's own (linchpin/framework.hpp).
#pragma once

#include <cstdint>

#include "linchpin/value.hpp"

namespace linchpin {

enum class ActKind : std::uint8_t {
  add,        ///< put the value in
  look,       ///< saw the value, and left it there
  take,       ///< took the value out; pending: or did not happen
  empty,      ///< saw that nothing is inside: legal whenever nothing is, whatever happened before
  omitted,    ///< pending, and changes nothing where it is legal: need not be there
  lost_take,  ///< took whichever value was there for it, or found nothing: its result is lost; pending: or did not
              ///< happen
  missing,    ///< saw that the value is not inside
  count,      ///< told how many values are inside, where that is not 0
  free,       ///< changes nothing and tells nothing: its result is lost, or it gave up
  never,      ///< legal in no state
  unclear,    ///< none of these, or it cannot be told which
};

struct Act {
  ActKind kind = ActKind::unclear;
  Value value = Value::none();  ///< of add, look, take and missing
  bool at_front = false;        ///< where a container has two ends: at which one
  std::int64_t least = 0;       ///< of `count`: the fewest that may be inside
  std::int64_t most = 0;        ///< of `count`: the most
};

/// Whether something is taken out, if the operation took effect.
[[nodiscard]] constexpr bool is_take(ActKind kind) { return kind == ActKind::take || kind == ActKind::lost_take; }

/// Whether a result can tell the value from others, and from "nothing is there".
[[nodiscard]] inline bool names_something(Value value) {
  return !value.is_nil() && !value.is_unknown() && !value.is_none();
}

}  // namespace linchpin
