// Sets of stacks on floors, against the words that they stand for.
#include "types/deque/floors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <tuple>

#include "generate/random.hpp"
#include "types/shared/deque_sets.hpp"

namespace linchpin::types::deque {
namespace {

using algo::ValueNumber;
using generate::Random;
using Half = Floors::Half;
using Word = std::vector<std::uint32_t>;  // the top first, the floor last
constexpr std::uint32_t kFirstFloor = 4;

void spell(const StackSets& sets, Half half, Word& word, std::set<Word>& words) {
  if (half == StackSets::kEmptyStack) words.insert(word);
  for (const StackSets::Edge& edge : sets.tops(half)) {
    word.push_back(edge.top.number());
    spell(sets, edge.below, word, words);
    word.pop_back();
  }
}
std::set<Word> words_of(const StackSets& sets, Half half) {
  std::set<Word> words;
  Word word;
  if (half != StackSets::kNothing) spell(sets, half, word, words);
  return words;
}

/// Sets of one height, of some stacks on some floors.
std::vector<Half> random_halves(Random& random, StackSets& sets, Floors& floors) {
  std::vector<Half> halves(1 + random.below(3), StackSets::kNothing);
  for (Half& half : halves) {
    const std::uint64_t height = 2 + random.below(4);
    for (std::uint64_t stacks = 1 + random.below(5); stacks > 0; --stacks) {
      Half stack = floors.alone(random.below(3));
      for (std::uint64_t k = 0; k < height; ++k) {
        stack = sets.push(ValueNumber(static_cast<std::uint32_t>(random.below(kFirstFloor))), stack);
      }
      half = sets.unite(half, stack);
    }
  }
  return halves;
}

/// All pairs of stacks on one floor, with where they stand: the front first.
std::set<std::tuple<std::size_t, std::size_t, Word>> contents_of(const StackSets& sets, const std::vector<Half>& front,
                                                                 const std::vector<Half>& back) {
  std::set<std::tuple<std::size_t, std::size_t, Word>> contents;
  for (std::size_t a = 0; a < front.size(); ++a) {
    for (std::size_t b = 0; b < back.size(); ++b) {
      for (const Word& left : words_of(sets, front[a])) {
        for (const Word& right : words_of(sets, back[b])) {
          if (left.back() != right.back()) continue;
          Word whole(left.begin(), left.end() - 1);
          whole.insert(whole.end(), right.rbegin() + 1, right.rend());
          contents.emplace(a, b, std::move(whole));
        }
      }
    }
  }
  return contents;
}

TEST(Floors, WhereTheyAreMovedContentsStayAsTheyAre) {
  Random random(20261128);
  std::size_t moved = 0, several = 0;
  for (int round = 0; round < 2'000; ++round) {
    StackSets sets;
    Floors floors(sets, ValueNumber(kFirstFloor));
    std::vector<Half> taking = random_halves(random, sets, floors), giving = random_halves(random, sets, floors);
    const auto before = contents_of(sets, taking, giving);
    const auto height = static_cast<std::uint32_t>(1 + random.below(2));
    const std::vector<std::vector<Half>> nodes = floors.by_height(giving, height);
    const std::vector<Half>& cuts = nodes[height];
    std::vector<std::pair<Half, Half>> starts;
    for (std::size_t at = 0; at < cuts.size(); ++at) starts.emplace_back(cuts[at], floors.alone(at));
    const Floors::ByFloor bottoms = floors.turned(starts);
    floors.replace(taking, bottoms);
    floors.cut(giving, cuts);
    ASSERT_EQ(contents_of(sets, taking, giving), before) << "round " << round;
    moved += before.empty() ? 0 : 1;
    several += cuts.size() > 2 ? 1 : 0;
  }
  EXPECT_GT(moved, 1'000U);
  EXPECT_GT(several, 500U);
}

TEST(Floors, KeepLeavesWhatStandsOnThem) {
  Random random(7);
  for (int round = 0; round < 500; ++round) {
    StackSets sets;
    Floors floors(sets, ValueNumber(kFirstFloor));
    std::vector<Half> halves = random_halves(random, sets, floors);
    const Floors::Numbers kept = random.below(8);
    std::vector<std::set<Word>> wanted;
    for (const Half half : halves) {
      std::set<Word> words = words_of(sets, half);
      Floors::Numbers stood_on = 0;
      for (const Word& word : words) stood_on |= std::uint64_t{1} << (word.back() - kFirstFloor);
      EXPECT_EQ(floors.of(half), stood_on);
      std::erase_if(words, [&](const Word& word) { return ((kept >> (word.back() - kFirstFloor)) & 1) == 0; });
      wanted.push_back(std::move(words));
    }
    floors.keep(halves, kept);
    for (std::size_t at = 0; at < halves.size(); ++at) EXPECT_EQ(words_of(sets, halves[at]), wanted[at]);
  }
}

TEST(Floors, AreNoValuesAtAnEnd) {
  for (const std::uint32_t whole : {0U, 40U}) {
    DequeSets sets;
    sets.keep_whole(whole);
    Floors floors(sets.halves(), ValueNumber(kFirstFloor));
    StackSets& halves = sets.halves();
    const auto set = sets.settled(sets.of_halves({floors.alone(0), halves.push(2, StackSets::kEmptyStack)}));
    EXPECT_TRUE(sets.values_at(0, set).empty());
    EXPECT_EQ(sets.values_at(1, set), std::vector<ValueNumber>{2});
    EXPECT_EQ(sets.pop_any(0, set), DequeSets::kNothing);
  }
}

TEST(StackSets, TellHowManyTheyAreAndWhatIsAtTheirBottom) {
  Random random(11);
  for (int round = 0; round < 1'000; ++round) {
    StackSets sets;
    Floors floors(sets, ValueNumber(kFirstFloor));
    const Half half = random_halves(random, sets, floors)[0];
    const std::set<Word> words = words_of(sets, half);
    EXPECT_NEAR(sets.variety(half), std::log2(words.size()), 1e-4);
    EXPECT_EQ(sets.variety(half) == 0, words.size() == 1);
    EXPECT_EQ(words_of(sets, sets.one_of(half)).size(), 1U);
    const ValueNumber floor(kFirstFloor + static_cast<std::uint32_t>(random.below(3)));
    std::set<Word> popped, pushed;
    for (Word word : words) {
      const bool on_floor = word.back() == floor.number();
      word.push_back(1);
      pushed.insert(word);
      word.resize(word.size() - 2);
      if (on_floor) popped.insert(word);
    }
    // What was done to a part before is known, and used.
    for (int again = 0; again < 2; ++again) {
      EXPECT_EQ(words_of(sets, sets.pop_bottom(floor, half)), popped);
      EXPECT_EQ(words_of(sets, sets.push_bottom(1, half)), pushed);
    }
    EXPECT_EQ(sets.pop_bottom(1, sets.push_bottom(1, half)), half);
  }
}

}  // namespace
}  // namespace linchpin::types::deque
