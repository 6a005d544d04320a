// All small histories up to what happens before what.
#pragma once

#include <functional>
#include <vector>

#include "support/sketch.hpp"

namespace linchpin::test {

/// Calls `visit` with one history for each happens-before of the operations: no two neighbouring calls, nor two
/// neighbouring responses, are in descending order.
inline void for_all_interval_orders(Sketch& sketch, const std::function<void(const Sketch&)>& visit) {
  const std::size_t size = sketch.size();
  std::vector<std::uint8_t> stage(size, 0);  // 0: to be called, 1: open, 2: returned
  const std::function<void(Tick, std::size_t, int)> step = [&](Tick now, std::size_t last, int last_kind) {
    if (static_cast<std::size_t>(now) == 2 * size) {
      visit(sketch);
      return;
    }
    for (std::size_t i = 0; i < size; ++i) {
      if (stage[i] == 2 || (stage[i] == last_kind && i < last)) continue;
      const std::uint8_t kind = stage[i]++;
      (kind == 0 ? sketch[i].call : sketch[i].response) = now;
      step(now + 1, i, kind);
      stage[i] = kind;
    }
  };
  step(0, 0, -1);
}

}  // namespace linchpin::test
