// Random numbers that do not depend on the standard library: one seed, one history.
//
// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014); the standard
// library's distributions are not used because their results differ between implementations.
#pragma once

#include <cstdint>

#include "base/assert.hpp"

namespace linchpin::generate {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  /// Uniform in [0, bound); the bias is below bound / 2^64. @pre bound > 0
  std::uint64_t below(std::uint64_t bound) {
    LINCHPIN_ASSERT(bound > 0);
    if (bound <= 0xffffffffU) return ((next() >> 32) * bound) >> 32;
    return next() % bound;
  }
  /// Uniform in [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  bool chance(double probability) { return unit() < probability; }

 private:
  std::uint64_t state_;
};

}  // namespace linchpin::generate
