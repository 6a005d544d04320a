#include "algo/dense_values.hpp"

#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

#include "history/events.hpp"

using linchpin::Value;
using linchpin::algo::ByValue;
using linchpin::algo::DenseValues;
using linchpin::algo::ValueNumber;

namespace {

template <class Place>
concept LeadsToValues = requires(ByValue<int> column, Place place) {
  column[place];
};

static_assert(LeadsToValues<ValueNumber>);
static_assert(!LeadsToValues<std::uint32_t> && !LeadsToValues<std::size_t>, "an operation of a part is none");
static_assert(!LeadsToValues<linchpin::history::Rank> && !LeadsToValues<linchpin::OperationIndex>);
static_assert(sizeof(ValueNumber) == sizeof(std::uint32_t));

DenseValues numbered(const std::vector<Value>& values) {
  DenseValues dense;
  for (const Value value : values) dense.observe(value);
  dense.prepare();
  for (const Value value : values) dense.add(value);
  return dense;
}

}  // namespace

TEST(DenseValues, NumbersInOrderOfFirstUse) {
  const DenseValues dense = numbered({Value::integer(-3), Value::integer(9), Value::integer(-3), Value::integer(0)});
  EXPECT_EQ(dense.count(), 3U);
  EXPECT_EQ(dense.find(Value::integer(-3)), ValueNumber(0));
  EXPECT_EQ(dense.find(Value::integer(9)), ValueNumber(1));
  EXPECT_EQ(dense.find(Value::integer(0)), ValueNumber(2));
}

TEST(DenseValues, FindsNothingThatWasNotAdded) {
  const DenseValues dense = numbered({Value::integer(4), Value::integer(6)});
  EXPECT_EQ(dense.find(Value::integer(5)), ValueNumber::none());
  EXPECT_EQ(dense.find(Value::integer(1'000'000)), ValueNumber::none());
  EXPECT_EQ(dense.find(Value::integer(-1)), ValueNumber::none());
  EXPECT_EQ(dense.find(Value::nil()), ValueNumber::none());
  EXPECT_EQ(numbered({}).find(Value::integer(0)), ValueNumber::none());
}

TEST(DenseValues, TakesSparseIntegersAndOtherKinds) {
  const std::int64_t far = (std::int64_t{1} << 60) - 1;
  const DenseValues dense =
      numbered({Value::integer(far), Value::integer(-far), Value::nil(), Value::boolean(true), Value::integer(1)});
  EXPECT_EQ(dense.count(), 5U);
  EXPECT_EQ(dense.find(Value::integer(far)), ValueNumber(0));
  EXPECT_EQ(dense.find(Value::nil()), ValueNumber(2));
  EXPECT_EQ(dense.find(Value::boolean(false)), ValueNumber::none());
  EXPECT_EQ(dense.find(Value::integer(1)), ValueNumber(4));
}
