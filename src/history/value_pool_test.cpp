// Values are read as what they are, and lists know whether a part of them was lost.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "history/list_table.hpp"
#include "linchpin/value.hpp"

namespace linchpin {
namespace {

template <class Read>
std::string misread(Read&& read) {
  try {
    static_cast<void>(read());
  } catch (const Misread& misread) {
    return misread.what();
  }
  return "";
}

TEST(Value, IsReadAsWhatItIs) {
  ValuePool pool;
  const Value text = pool.string("seven");
  const Value list = pool.list({Value::integer(7)});
  const Value large = pool.integer(std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(Value::integer(-7).integer(), -7);
  EXPECT_TRUE(Value::boolean(true).boolean());
  EXPECT_EQ(pool.integer_of(large), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(pool.integer_of(Value::integer(7)), 7);
  EXPECT_EQ(misread([&] { return Value().integer(); }), "none was read as an integer");
  EXPECT_EQ(misread([&] { return text.integer(); }), "a string was read as an integer");
  EXPECT_EQ(misread([&] { return large.integer(); }), "an integer of more than 61 bits was read as an integer");
  EXPECT_EQ(misread([&] { return Value::nil().boolean(); }), "nil was read as a boolean");
  EXPECT_EQ(misread([&] { return pool.integer_of(list); }), "a list was read as an integer");
  EXPECT_EQ(misread([&] { return pool.text_of(Value::boolean(false)); }), "false was read as a string");
  EXPECT_EQ(misread([&] { return pool.elements_of(Value::unknown()); }), "'?' was read as a list");
}

TEST(Value, HoldsOnlyAnIntegerThatFits) {
  constexpr std::int64_t kBound = std::int64_t{1} << 60;
  EXPECT_EQ(Value::integer(kBound - 1).integer(), kBound - 1);
  EXPECT_EQ(Value::integer(-kBound).integer(), -kBound);
  for (const std::int64_t value : {kBound, -kBound - 1, std::numeric_limits<std::int64_t>::min()}) {
    EXPECT_NE(misread([&] { return Value::integer(value); }), "") << value;
    ValuePool pool;
    EXPECT_EQ(pool.integer_of(pool.integer(value)), value);
  }
}

TEST(ValuePool, KnowsWhichListsAreLostInPart) {
  ValuePool pool;
  const Value whole = pool.list({Value::integer(1), pool.list({Value::nil()})});
  EXPECT_FALSE(pool.partial(whole));
  EXPECT_FALSE(pool.partial(Value::unknown())) << "it is lost as a whole";
  EXPECT_FALSE(pool.has_partial());
  const Value flat = pool.list({Value::integer(1), Value::unknown()});
  const Value deep = pool.list({whole, pool.list({flat})});
  EXPECT_TRUE(pool.partial(flat));
  EXPECT_TRUE(pool.partial(deep));
  EXPECT_FALSE(pool.partial(whole));
  EXPECT_TRUE(pool.has_partial());
  ValuePool other;
  EXPECT_FALSE(other.has_partial());
  EXPECT_TRUE(other.partial(other.import(deep, pool)));
}

TEST(ValuePool, HoldsTheEmptyListBeforeAnyOther) {
  ValuePool pool;
  const Value empty = pool.list({});
  EXPECT_TRUE(pool.elements_of(empty).empty());
  EXPECT_EQ(pool.list({}), empty);
  EXPECT_NE(pool.list({Value::integer(1)}), empty);
}

TEST(ValuePool, TakesATableOfListsAndKnowsWhetherOneStandsTwice) {
  // Tables of all kinds of lists, some as long as a block and longer, into pools with lists of their own.
  std::mt19937_64 random(11);
  for (int round = 0; round < 60; ++round) {
    std::set<std::vector<std::int64_t>> wanted;
    std::vector<std::vector<std::int64_t>> table;
    for (std::size_t i = 0; i < 400; ++i) {
      std::vector<std::int64_t> list(i % 97 == 0 ? random() % 40'000 : random() % 12);
      const std::uint64_t values = 1 + random() % 6;
      for (std::int64_t& element : list) element = static_cast<std::int64_t>(random() % values);
      if (!table.empty() && random() % 3 == 0) list = table[random() % table.size()], list.push_back(9);
      if (wanted.insert(list).second) table.push_back(list);
    }
    const auto values_of = [](const std::vector<std::int64_t>& list) {
      std::vector<Value> values;
      for (const std::int64_t element : list) values.push_back(Value::integer(element));
      return values;
    };
    ValuePool pool;
    const bool indexed = round % 3 == 0, twice = round % 2 == 0;
    if (indexed) pool.list({Value::integer(-1), Value::integer(-2)});
    if (indexed && twice) pool.list(values_of(table[random() % table.size()]));
    if (!indexed && twice) table.push_back(table[random() % table.size()]);
    ListTable lists(pool);
    lists.reserve(table.size());
    std::vector<Value> held;
    for (const auto& list : table) held.push_back(lists.add(values_of(list)));
    ASSERT_EQ(lists.all_differ(), !twice) << "round " << round;
    if (twice) continue;
    for (std::size_t i = 0; i < table.size(); ++i) {
      const std::vector<Value> values = values_of(table[i]);
      const auto elements = pool.elements_of(held[i]);
      ASSERT_TRUE(std::equal(elements.begin(), elements.end(), values.begin(), values.end()));
      ASSERT_EQ(pool.list(values), held[i]) << "what is looked for later is found";
    }
    EXPECT_NE(pool.list({Value::integer(7'777)}), held[0]);
  }
}

TEST(ValuePool, KeepsListsThatGrowAndBranch) {
  // Lists that begin alike share their elements; what is put behind one must not change another.
  std::mt19937_64 random(7);
  ValuePool pool;
  std::map<std::vector<std::int64_t>, Value> known;
  std::vector<std::vector<std::int64_t>> growing(20);
  for (int round = 0; round < 3'000; ++round) {
    std::vector<std::int64_t>& list = growing[random() % growing.size()];
    if (random() % 10 == 0) list = growing[random() % growing.size()];
    if (random() % 8 == 0 && !list.empty()) list.resize(random() % list.size());
    list.push_back(static_cast<std::int64_t>(random() % 3));
    if (list.size() > 60) list.clear();
    std::vector<Value> elements;
    for (const std::int64_t element : list) elements.push_back(Value::integer(element));
    const Value value = pool.list(elements);
    ASSERT_EQ(known.try_emplace(list, value).first->second, value) << "equal lists have equal bits";
  }
  std::set<std::uint64_t> different;
  for (const auto& [list, value] : known) {
    different.insert(value.bits());
    const auto elements = pool.elements_of(value);
    ASSERT_TRUE(std::equal(elements.begin(), elements.end(), list.begin(), list.end(),
                           [](Value held, std::int64_t put) { return held == Value::integer(put); }));
  }
  EXPECT_EQ(different.size(), known.size());
}

}  // namespace
}  // namespace linchpin
