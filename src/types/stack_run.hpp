// The stack monitor's decision on a container's history, for types that hold stacks: deques. Written in
// types/stack/run.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "algo/container.hpp"
#include "core/budget.hpp"

namespace linchpin::types {

struct StackRun {
  enum class Result : std::uint8_t { linearizable, violation, spent };
  Result result = Result::spent;
  std::vector<std::uint32_t> witness;  ///< where wanted
  std::vector<std::uint32_t> core;     ///< whole values, not linearizable on their own, not yet shrunk
};

/// Whether the values can be nested. Every pending remove is known or left out; marks what does not matter. O(n log n).
[[nodiscard]] StackRun run_stack(algo::ContainerHistory& history, bool want_witness, core::Budget& budget);

}  // namespace linchpin::types
