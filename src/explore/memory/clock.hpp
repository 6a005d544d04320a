// Vector clocks: how much of each thread's past is known to have happened.
#pragma once

#include <cstdint>

namespace linchpin::explorer {

/// Logical threads of one scenario, those that it creates itself included. A clock is then 32 bytes.
inline constexpr unsigned kMostThreads = 8;

/// Counts a thread's steps, from 1.
using Moment = std::uint32_t;

struct alignas(32) VectorClock {
  Moment of[kMostThreads];

  void clear() {
    for (Moment& moment : of) moment = 0;
  }
  void join(const VectorClock& other) {
    for (unsigned i = 0; i < kMostThreads; ++i) of[i] = of[i] < other.of[i] ? other.of[i] : of[i];
  }
  [[nodiscard]] bool knows(unsigned thread, Moment moment) const { return moment <= of[thread]; }
};

}  // namespace linchpin::explorer
