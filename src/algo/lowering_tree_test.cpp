#include "algo/lowering_tree.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/none.hpp"

using linchpin::algo::LoweringTree;

// Sizes around the powers of the fan-out, where levels begin and end.
TEST(LoweringTree, AgreesWithScanning) {
  std::mt19937 random(3);
  for (const std::uint32_t size : {1U, 2U, 15U, 16U, 17U, 255U, 256U, 257U, 300U, 4095U, 4096U, 4097U, 5000U}) {
    LoweringTree tree(size);
    std::vector<std::int32_t> keys(size, LoweringTree::kHighest);
    for (int round = 0; round < 400; ++round) {
      const std::uint32_t first = random() % size;
      const std::uint32_t length = random() % (random() % 3 == 0 ? size : 40);
      const std::uint32_t last = std::min(size - 1, first + length);
      const std::int32_t key = 400 - round + static_cast<std::int32_t>(random() % 60);
      tree.lower(first, last, key);
      for (std::uint32_t i = first; i <= last; ++i) keys[i] = std::min(keys[i], key);
      for (int question = 0; question < 4; ++question) {
        const std::uint32_t from = random() % size;
        const std::int32_t bound =
            question == 0 ? LoweringTree::kHighest - 1 : 400 - round + static_cast<std::int32_t>(random() % 120);
        std::uint32_t next = from;
        while (next < size && keys[next] <= bound) ++next;
        ASSERT_EQ(tree.next_above(from, bound), next < size ? next : linchpin::kNone) << size << " " << round;
        std::uint32_t previous = from + 1;
        while (previous > 0 && keys[previous - 1] <= bound) --previous;
        ASSERT_EQ(tree.previous_above(from, bound), previous > 0 ? previous - 1 : linchpin::kNone);
      }
    }
    ASSERT_EQ(tree.next_above(size, 0), linchpin::kNone);
  }
}
