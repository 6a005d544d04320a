#include "algo/max_tree.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/none.hpp"

using linchpin::algo::MaxTree;

// Sizes around the powers of the fan-out: a prefix of all leaves needs the topmost level.
TEST(MaxTree, AgreesWithScanning) {
  std::mt19937 random(1);
  for (const std::uint32_t size : {0U,    1U,    2U, 15U, 16U, 17U, 31U,  32U,  255U, 256U,  257U,  300U, 4095U,
                                   4096U, 4097U, 1U, 15U, 16U, 17U, 255U, 256U, 257U, 4095U, 4096U, 4097U}) {
    // With few keys, and with so many that most stand there once.
    const std::uint32_t range = random() % 2 == 0 ? 50 : 1'000'000;
    const auto any_key = [&] { return static_cast<std::int32_t>(random() % range); };
    std::vector<std::int32_t> keys(size);
    for (auto& key : keys) key = any_key();
    MaxTree tree;
    tree.build(keys);
    ASSERT_EQ(tree.size(), size);
    for (int round = 0; round < 300; ++round) {
      if (size > 0) {
        const std::uint32_t i = random() % size;
        keys[i] = random() % 3 == 0 ? MaxTree::kLowest : any_key();
        tree.set(i, keys[i]);
        ASSERT_EQ(tree.at(i), keys[i]);
      }
      const std::uint32_t n = round == 0 ? size : random() % (size + 1), from = random() % (size + 1);
      const std::int32_t threshold = any_key() + any_key() / 5;
      std::int32_t prefix = MaxTree::kLowest, second = prefix;
      bool in_prefix = false, in_suffix = false;
      for (std::uint32_t i = 0; i < size; ++i) {
        if (i < n) prefix = std::max(prefix, keys[i]);
        in_prefix = in_prefix || (i < n && keys[i] >= threshold);
        in_suffix = in_suffix || (i >= from && keys[i] >= threshold);
      }
      std::uint32_t greatest_stand = 0;
      for (std::uint32_t i = 0; i < n; ++i) {
        greatest_stand += keys[i] == prefix ? 1 : 0;
        if (keys[i] < prefix) second = std::max(second, keys[i]);
      }
      ASSERT_EQ(tree.prefix_max(n), prefix);
      const MaxTree::TwoGreatest two = tree.two_greatest_of_prefix(n);
      ASSERT_EQ(two.first, prefix);
      if (greatest_stand == 1) {
        ASSERT_EQ(two.second, second);
      } else {
        ASSERT_LE(two.second, second);
      }
      const std::uint32_t low = tree.find_in_prefix(n, threshold), high = tree.find_in_suffix(from, threshold);
      ASSERT_EQ(low != linchpin::kNone, in_prefix);
      ASSERT_EQ(high != linchpin::kNone, in_suffix);
      if (in_prefix) {
        ASSERT_TRUE(low < n && keys[low] >= threshold);
      }
      if (in_suffix) {
        ASSERT_TRUE(high >= from && high < size && keys[high] >= threshold);
      }
    }
  }
}
