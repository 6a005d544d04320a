// What a check may spend, and how it reads equal ticks.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>

namespace linchpin {

/// How a check may spend. One limit for the whole check, polled often enough to be kept within 5 %.
struct Limits {
  std::optional<std::chrono::duration<double>> time;  ///< wall clock
  std::optional<std::size_t> memory;                  ///< bytes resident in the process
  std::stop_token stop = {};                          ///< asks for an early end: unknown, cancelled
};

/// How equal ticks are read.
enum class Ties : std::uint8_t {
  concurrent,      ///< the default: equal ticks never order operations
  response_first,  ///< at one tick responses come before calls: for clocks that promise it
};

}  // namespace linchpin
