#include "algo/bitset.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>

#include "base/none.hpp"

using linchpin::algo::Bitset;

TEST(Bitset, AgreesWithAnOrderedSet) {
  std::mt19937 random(2);
  for (const std::uint32_t size : {1U, 2U, 63U, 64U, 65U, 128U, 4095U, 4096U, 4097U, 5000U}) {
    for (const bool full : {false, true}) {
      Bitset bits(size, full);
      std::set<std::uint32_t> members;
      for (std::uint32_t i = 0; full && i < size; ++i) members.insert(i);
      for (int round = 0; round < 400; ++round) {
        const std::uint32_t i = random() % size;
        if (random() % 2 == 0) {
          bits.insert(i);
          members.insert(i);
        } else {
          const std::uint32_t last = std::min<std::uint32_t>(size - 1, i + random() % (random() % 4 == 0 ? size : 70));
          bits.erase_range(i, last);
          members.erase(members.lower_bound(i), members.upper_bound(last));
        }
        const std::uint32_t at = random() % size;
        ASSERT_EQ(bits.contains(at), members.contains(at));
        const auto above = members.lower_bound(at);
        ASSERT_EQ(bits.next(at), above == members.end() ? linchpin::kNone : *above);
        const auto below = members.upper_bound(at);
        ASSERT_EQ(bits.previous(at), below == members.begin() ? linchpin::kNone : *std::prev(below));
      }
      ASSERT_EQ(bits.next(size), linchpin::kNone);
    }
  }
}

TEST(Bitset, BecomesWhatIsInNoneOfSomeSets) {
  std::mt19937 random(4);
  for (const std::uint32_t size : {1U, 63U, 64U, 65U, 4096U, 5000U}) {
    Bitset left(size, false), right(size, false), outside(size, random() % 2 == 0);
    for (std::uint32_t i = 0; i < size; ++i) {
      if (random() % 2 == 0) left.insert(i);
      if (random() % 2 == 0) right.insert(i);
    }
    const std::array sets{left.words(), right.words()};
    outside.assign_outside(sets);
    std::uint32_t next = outside.next(0);
    for (std::uint32_t i = 0; i < size; ++i) {
      ASSERT_EQ(outside.contains(i), !left.contains(i) && !right.contains(i));
      if (!outside.contains(i)) continue;
      ASSERT_EQ(next, i);
      next = outside.next(i + 1);
    }
    ASSERT_EQ(next, linchpin::kNone);
    outside.assign_outside({});
    ASSERT_EQ(outside.next(0), 0U);
    ASSERT_EQ(outside.previous(size - 1), size - 1);
  }
}
