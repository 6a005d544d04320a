// Draws the arguments of generated operations.
#pragma once

#include <bit>
#include <cstdint>

#include "generate/random.hpp"
#include "linchpin/value.hpp"

namespace linchpin::generate {

/// How values and keys are drawn.
struct ValueSource {
  std::uint64_t values = 0;    ///< 0: no value is drawn twice; else uniform among 1..values
  std::uint64_t keys = 8;      ///< uniform among 1..keys
  bool scattered = false;      ///< unique values in random order (priorities) instead of ascending
  std::uint64_t expected = 1;  ///< how many unique values may be drawn; more would repeat when scattered
};

class Draw {
 public:
  Draw(const ValueSource& source, std::uint64_t seed)
      : random(seed),
        source_(source),
        half_(static_cast<unsigned>(std::bit_width(source.expected) + 1) / 2 + 1),
        salt_(random.next()) {}

  Random random;

  [[nodiscard]] bool unique() const { return source_.values == 0; }
  /// How many different values there are; 0: unlimited.
  [[nodiscard]] std::uint64_t universe() const { return source_.values; }

  /// A value to write or to add.
  Value value() {
    if (!unique()) return Value::integer(static_cast<std::int64_t>(1 + random.below(source_.values)));
    return Value::integer(static_cast<std::int64_t>(source_.scattered ? 1 + scatter(drawn_++) : ++drawn_));
  }
  /// A value that may have been drawn before, to ask for.
  Value known_value() {
    if (!unique()) return value();
    const std::uint64_t which = random.below(drawn_ + 1);
    return Value::integer(static_cast<std::int64_t>(source_.scattered ? 1 + scatter(which) : 1 + which));
  }
  Value key() { return Value::integer(static_cast<std::int64_t>(1 + random.below(source_.keys))); }

 private:
  /// A bijection of 2 * half_ bits: four rounds of a Feistel network (Luby and Rackoff 1988).
  [[nodiscard]] std::uint64_t scatter(std::uint64_t number) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_) - 1;
    std::uint64_t left = (number >> half_) & mask;
    std::uint64_t right = number & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint64_t mixed = (right + salt_ + round) * 0x9e3779b97f4a7c15ULL;
      const std::uint64_t next = left ^ ((mixed ^ (mixed >> 29)) * 0xbf58476d1ce4e5b9ULL >> 40 & mask);
      left = right;
      right = next;
    }
    return (left << half_) | right;
  }

  ValueSource source_;
  unsigned half_;  // bits of half a scattered value
  std::uint64_t salt_;
  std::uint64_t drawn_ = 0;  // unique values so far
};

}  // namespace linchpin::generate
