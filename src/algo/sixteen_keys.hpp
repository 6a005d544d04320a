// Sixteen 32-bit keys in a cache line: a node of max_tree.hpp.
//
// A node is always looked at as a whole, four keys at a time; a loop over some of its keys would end unforeseen, at
// some twenty cycles each time. Vectors are those of the compiler, which any processor has or is given. Tests:
// max_tree_test.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace linchpin::algo {

struct alignas(64) SixteenKeys {
  static constexpr std::uint32_t kCount = 16;
  static constexpr std::int32_t kLowest = std::numeric_limits<std::int32_t>::min();

  std::array<std::int32_t, kCount> key;

  [[nodiscard]] static SixteenKeys all(std::int32_t filling) {
    SixteenKeys keys;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
    keys.key.fill(filling);
    return keys;
  }

  [[nodiscard]] std::int32_t greatest() const {
    return across(larger(larger(four(0), four(1)), larger(four(2), four(3))));
  }
  /// The greatest of the first `count`; kLowest for none.
  [[nodiscard]] std::int32_t greatest_of_first(std::uint32_t count) const {
    const Four end = same(static_cast<std::int32_t>(count));
    return greatest_where([&](Four lane, Four) { return lane < end; });
  }
  /// The greatest of the first `count` that are not `excluded`; kLowest for none.
  [[nodiscard]] std::int32_t greatest_of_first_but(std::uint32_t count, std::int32_t excluded) const {
    const Four end = same(static_cast<std::int32_t>(count)), without = same(excluded);
    return greatest_where([&](Four lane, Four keys) { return (lane < end) & (keys != without); });
  }
  /// A bit for each key that is at least `threshold`.
  [[nodiscard]] std::uint32_t at_least(std::int32_t threshold) const {
    const Four bound = same(threshold);
    Four found{}, bit{1, 2, 4, 8};
    for (std::size_t i = 0; i < 4; ++i) {
      found |= (four(i) >= bound) & bit;
      bit <<= 4;
    }
    found |= __builtin_shufflevector(found, found, 2, 3, 0, 1);
    found |= __builtin_shufflevector(found, found, 1, 0, 3, 2);
    return static_cast<std::uint32_t>(found[0]);
  }

 private:
  using Four [[gnu::vector_size(16)]] = std::int32_t;

  [[nodiscard]] Four four(std::size_t i) const {
    Four keys;
    std::memcpy(&keys, &key[4 * i], sizeof keys);
    return keys;
  }
  static Four same(std::int32_t lane) { return Four{lane, lane, lane, lane}; }
  static Four larger(Four a, Four b) { return a > b ? a : b; }
  static std::int32_t across(Four a) {
    a = larger(a, __builtin_shufflevector(a, a, 2, 3, 0, 1));
    a = larger(a, __builtin_shufflevector(a, a, 1, 0, 3, 2));
    return a[0];
  }

  template <class Wanted>
  [[nodiscard]] std::int32_t greatest_where(Wanted&& wanted) const {
    Four best = same(kLowest), lane{0, 1, 2, 3};
    for (std::size_t i = 0; i < 4; ++i) {
      const Four keys = four(i);
      best = larger(best, wanted(lane, keys) ? keys : same(kLowest));
      lane += 4;
    }
    return across(best);
  }
};

}  // namespace linchpin::algo
