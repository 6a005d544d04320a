// A data type of one's own: a register that keeps the largest integer written.
#pragma once

#include <algorithm>
#include <array>

#include "linchpin/specification.hpp"

struct MaxRegister {
  using State = std::int64_t;
  enum : std::uint16_t { kWrite, kRead };
  static constexpr std::array methods{linchpin::Method{"write_max", 1}, linchpin::Method{"read_max", 0}};
  static State initial() { return 0; }
  static bool step(State& state, const linchpin::Operation& operation) {
    if (operation.method == kRead) return operation.returns(linchpin::Value::integer(state));
    state = std::max(state, operation.argument(0).integer());
    return operation.acknowledged(0);
  }
};
