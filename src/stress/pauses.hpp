// Random pauses of a thread in a stress run.
#pragma once

#include <cstdint>

#include "linchpin/stress/plan.hpp"

namespace linchpin::stress_plan {

struct Pauses {
  std::uint64_t state;      // of its random numbers: apart from those that choose operations
  std::uint32_t threshold;  // pauses at points where 32 random bits are below
};

/// Gives way to other threads, or waits for up to a few microseconds.
void pause(Pauses& pauses);

/// While it lives, the calling thread pauses at stress points.
class PausesHere {
 public:
  explicit PausesHere(Pauses& own) { current_pauses = &own; }
  ~PausesHere() { current_pauses = nullptr; }
  PausesHere(const PausesHere&) = delete;
  PausesHere& operator=(const PausesHere&) = delete;
};

/// A moment of waiting for another thread, of which `tries` have been.
void wait_a_little(unsigned tries);

}  // namespace linchpin::stress_plan
