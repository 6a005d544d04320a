// What Relacy does with the rewritten stack, without its headers: they define macros over the standard library's names.
#pragma once

#include <cstdint>

namespace linchpin::bench::rewritten {

struct Run {
  bool clean;
  std::uint64_t schedules;
};

/// So many schedules at random.
Run at_random(std::uint64_t schedules);
/// All schedules with so many context switches.
Run bounded(unsigned switches);

}  // namespace linchpin::bench::rewritten
