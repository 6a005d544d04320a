// Reads the acts of a whole part. Most operations of a container have returned a value, or added one and say no more:
// what those do is in a table by method, and nothing branches on which of them it is, which is as good as random. All
// others are read one by one.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "history/acts.hpp"
#include "history/subhistory.hpp"

namespace linchpin::types {

/// What a method does that adds its first argument and returned nothing, or takes or looks at what it returned;
/// `unclear`: neither of these.
struct UsualAct {
  ActKind kind = ActKind::unclear;
  bool at_front = false;
};

/// @param usual   by method
/// @param act_of  (operation, pending): the act of any operation
template <class ActOf>
[[nodiscard]] history::Acts read_usual_acts(const history::Subhistory& part, std::span<const UsualAct> usual,
                                            bool two_ends, ActOf act_of) {
  history::Acts acts(part.size(), two_ends);
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    const UsualAct own = usual[part.method[i]];
    const Value result = part.history->result(part.operation[i]);
    const bool adds = own.kind == ActKind::add;
    const std::array<const Value*, 2> told_by = {&result, part.arguments(i).data()};
    const Value value = *told_by[adds ? 1 : 0];
    if (own.kind != ActKind::unclear && !part.pending(i) && names_something(value) && adds == result.is_none()) {
      acts.kind[i] = own.kind;
      acts.value[i] = value;
      if (two_ends) acts.at_front[i] = own.at_front ? 1 : 0;
    } else {
      acts.set(i, act_of(part.view(i), part.pending(i)));
    }
  }
  return acts;
}

}  // namespace linchpin::types
