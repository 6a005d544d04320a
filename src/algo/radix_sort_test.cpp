#include "algo/radix_sort.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

using linchpin::algo::radix_sort;

namespace {

using Words = std::vector<std::uint64_t>;

Words sorted_by_comparing(Words words, unsigned low, unsigned high) {
  const auto key = [&](std::uint64_t word) { return low == high ? 0 : (word << (64 - high)) >> (64 - high + low); };
  std::stable_sort(words.begin(), words.end(), [&](std::uint64_t a, std::uint64_t b) { return key(a) < key(b); });
  return words;
}

void expect_sorted(const Words& words, unsigned low, unsigned high) {
  Words mine = words;
  Words buffer;
  radix_sort(mine, low, high, buffer);
  EXPECT_EQ(mine, sorted_by_comparing(words, low, high)) << words.size() << " words by bits " << low << " to " << high;
}

}  // namespace

TEST(RadixSort, SortsStablyByAnyBitsOfAnyNumberOfWords) {
  std::mt19937_64 random(20261122);
  for (const std::size_t size : {0U, 1U, 2U, 100U, 128U, 129U, 3'000U, 70'000U}) {
    Words words(size);
    for (std::uint64_t& word : words) word = random();
    for (const auto& [low, high] : {std::pair{0U, 64U}, {32U, 64U}, {5U, 16U}, {7U, 19U}, {20U, 20U}, {13U, 55U}}) {
      expect_sorted(words, low, high);
    }
  }
}

TEST(RadixSort, SortsWhatIsNearlyInOrderOrUnevenlySpread) {
  std::mt19937_64 random(7);
  Words nearly, few, uneven;
  for (std::uint64_t i = 0; i < 40'000; ++i) {
    nearly.push_back((3 * i + random() % 100) << 16 | i);
    few.push_back((random() % 3) << 40 | i);
    uneven.push_back((i % 1'000 == 0 ? random() >> 20 : random() % 5'000) << 17 | i);
  }
  expect_sorted(nearly, 16, 40);
  expect_sorted(few, 16, 60);
  expect_sorted(uneven, 17, 61);
  expect_sorted(Words(5'000, 42), 0, 64);
}
