// Schedules at random: at each choice one of the alternatives, all as likely. Finds what needs many preemptions in long
// scenarios now and then, promises nothing, and never ends by itself. The draws of a schedule depend on its number
// only, so that schedules can be shared out. Compare: pct.hpp, which promises a chance.
#pragma once

#include "explore/schedule/strategy.hpp"

namespace linchpin::explorer {

/// xorshift64*: the same numbers on every machine.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 1) {}
  unsigned below(unsigned bound) {
    state_ ^= state_ >> 12U;
    state_ ^= state_ << 25U;
    state_ ^= state_ >> 27U;
    return static_cast<unsigned>((state_ * 0x2545f4914f6cdd1dULL >> 33U) % bound);
  }

 private:
  std::uint64_t state_;
};

class Random final : public Strategy {
 public:
  /// From the schedule of that number on.
  explicit Random(std::uint64_t seed, std::uint64_t first = 0) : seed_(seed), next_(first), generator_(seed) {}
  bool begin() override {
    generator_ = Generator(seed_ + 0x9e3779b97f4a7c15ULL * next_++);
    for (int i = 0; i < 4; ++i) generator_.below(2);  // neighbouring seeds begin alike
    return true;
  }
  unsigned choose(const Situation& situation) override { return generator_.below(situation.alternatives); }

 private:
  std::uint64_t seed_, next_;
  Generator generator_;
};

}  // namespace linchpin::explorer
