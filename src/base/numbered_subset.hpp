// A subset of the integers below a bound, whose members are numbered in their order.
//
// A bit an integer and a count of what is before each word: 12 bytes for 64 integers, so that a million are looked up
// in the L2 cache. Cost O(1) for everything but `number`, O(bound / 64). Compare: an array of numbers takes 21 times
// the memory and a pass over all integers; algo/bitset.hpp finds neighbours and can erase, but does not count. Tests:
// src/history/subhistory_test.cpp, src/types/stack/stack_monitor_test.cpp.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/assert.hpp"

namespace linchpin::base {

class NumberedSubset {
 public:
  explicit NumberedSubset(std::uint32_t bound) : words_(bound / 64 + 1, 0), before_(words_.size(), 0) {}

  /// @pre i < bound; not after `number`
  void insert(std::uint32_t i) {
    LINCHPIN_ASSERT(i / 64 < words_.size());
    words_[i / 64] |= std::uint64_t{1} << (i % 64);
  }

  /// Numbers the members; returns how many there are.
  std::uint32_t number() {
    std::uint32_t sum = 0;
    for (std::size_t word = 0; word < words_.size(); ++word) {
      before_[word] = sum;
      sum += static_cast<std::uint32_t>(std::popcount(words_[word]));
    }
    return sum;
  }

  /// How many members are less than i, which is the number of i if that is one. @pre i <= bound, after `number`
  [[nodiscard]] std::uint32_t below(std::uint32_t i) const {
    LINCHPIN_ASSERT(i / 64 < words_.size());
    const std::uint64_t less = words_[i / 64] & ((std::uint64_t{1} << (i % 64)) - 1);
    return before_[i / 64] + static_cast<std::uint32_t>(std::popcount(less));
  }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> before_;
};

}  // namespace linchpin::base
