// What the operations of one part do to a container, as columns: read once, by the function of the part's type
// (types/<type>/acts.hpp), for all who decide or explain it.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "linchpin/act.hpp"

namespace linchpin::history {

/// By local index.
struct Acts {
  std::vector<ActKind> kind;
  std::vector<Value> value;            ///< of add, look, take and missing; none for the others
  std::vector<std::uint8_t> at_front;  ///< empty where there is one end

  Acts() = default;
  explicit Acts(std::uint32_t size, bool two_ends = false) : kind(size), value(size, Value::none()) {
    if (two_ends) at_front.assign(size, 0);
  }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(kind.size()); }
  [[nodiscard]] bool front(std::uint32_t local) const { return !at_front.empty() && at_front[local] != 0; }
  void set(std::uint32_t local, const Act& act) {
    kind[local] = act.kind;
    value[local] = act.value;
    if (!at_front.empty()) at_front[local] = act.at_front ? 1 : 0;
  }
};

/// The most that a `count` tells, where the result has no upper bound.
inline constexpr std::int64_t kAnyNumber = std::numeric_limits<std::int64_t>::max();

}  // namespace linchpin::history
