#include "algo/number_values.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

using linchpin::Value;
using linchpin::algo::number_in_order;
using linchpin::algo::number_values;
using linchpin::algo::ValueNumber;

namespace {

constexpr ValueNumber kUntouched = 99;

}  // namespace

TEST(NumberValues, NumbersScatteredIntegersInTheirOrder) {
  const std::vector<Value> values{Value::integer(1'000'000'000), Value::integer(-5), Value::none(),
                                  Value::integer(1'000'000'000), Value::integer(70'000)};
  std::vector<ValueNumber> number(values.size(), kUntouched);
  EXPECT_EQ(number_in_order(values, number), 3U);
  EXPECT_EQ(number, (std::vector<ValueNumber>{2, 0, kUntouched, 2, 1}));
}

TEST(NumberValues, LeavesWhatDoesNotFitAWordToHashing) {
  const std::int64_t far = (std::int64_t{1} << 60) - 1;
  std::vector<ValueNumber> number(9, kUntouched);
  const std::vector<Value> wide{Value::integer(far),  Value::integer(-far), Value::integer(0),
                                Value::integer(far),  Value::integer(2),    Value::integer(3),
                                Value::integer(-far), Value::integer(5),    Value::integer(far)};
  EXPECT_FALSE(number_in_order(wide, number));
  EXPECT_EQ(number, std::vector<ValueNumber>(9, kUntouched));
  EXPECT_EQ(number_values(
                wide, [](std::size_t i) { return i != 2; }, number)
                .count,
            6U);
  EXPECT_EQ(number[0], number[3]);
  EXPECT_EQ(number[1], number[6]);
  EXPECT_NE(number[0], number[1]);
  const std::vector<Value> mixed{Value::integer(far), Value::nil()};
  EXPECT_FALSE(number_in_order(mixed, std::span(number).first(2)));
}

TEST(NumberValues, GivesEqualAddedValuesEqualNumbersWhateverTheRange) {
  std::mt19937_64 random(20260101);
  for (const std::int64_t range : {8L, 5'000L, 1L << 40, (1L << 60) - 1}) {
    std::vector<Value> values;
    std::vector<bool> added;
    for (int i = 0; i < 3'000; ++i) {
      const std::int64_t drawn = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(range)) - range / 2;
      const bool again = !values.empty() && random() % 2 == 0;
      values.push_back(again ? values[random() % values.size()] : Value::integer(drawn));
      added.push_back(random() % 2 == 0);
    }
    std::vector<ValueNumber> number(values.size(), kUntouched);
    const auto [count, twice] = number_values(
        values, [&](std::size_t i) { return added[i]; }, number);
    std::map<std::uint64_t, ValueNumber> of_value;
    std::map<ValueNumber, std::uint64_t> of_number;
    std::set<std::uint64_t> added_before;
    std::optional<std::uint32_t> again;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (added[i]) {
        EXPECT_EQ(of_value.emplace(values[i].bits(), number[i]).first->second, number[i]);
      }
      if (added[i] && !added_before.insert(values[i].bits()).second && !again) again = static_cast<std::uint32_t>(i);
      EXPECT_LT(number[i], count);
      EXPECT_EQ(of_number.emplace(number[i], values[i].bits()).first->second, values[i].bits());
    }
    EXPECT_EQ(twice, again);
  }
}

TEST(NumberValues, NumbersWhatIsAddedWhateverItIs) {
  // None is a value of what adds, beside integers that are close, integers that are scattered, and other values.
  for (const Value other : {Value::integer(3), Value::integer(std::int64_t{1} << 50), Value::nil()}) {
    const std::vector<Value> values{Value::integer(1), Value::none(), other, Value::none(), Value::integer(1)};
    std::vector<ValueNumber> number(values.size(), kUntouched);
    const auto [count, twice] = number_values(
        values, [](std::size_t i) { return i < 3; }, number);
    EXPECT_EQ(count, 3U);
    EXPECT_EQ(std::set<ValueNumber>(number.begin(), number.begin() + 3), (std::set<ValueNumber>{0, 1, 2}));
    EXPECT_EQ(number[3], kUntouched);
    EXPECT_EQ(number[4], number[0]);
    EXPECT_FALSE(twice);
  }
  const std::vector<Value> same{Value::none(), Value::none()};
  std::vector<ValueNumber> number(same.size(), kUntouched);
  const auto [count, twice] = number_values(
      same, [](std::size_t) { return true; }, number);
  EXPECT_EQ(count, 1U);
  EXPECT_EQ(twice, 1U);
}
