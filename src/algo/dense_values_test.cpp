#include "algo/dense_values.hpp"

#include <gtest/gtest.h>

#include "base/none.hpp"

using linchpin::Value;
using linchpin::algo::DenseValues;

namespace {

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
  EXPECT_EQ(dense.find(Value::integer(-3)), 0U);
  EXPECT_EQ(dense.find(Value::integer(9)), 1U);
  EXPECT_EQ(dense.find(Value::integer(0)), 2U);
}

TEST(DenseValues, FindsNothingThatWasNotAdded) {
  const DenseValues dense = numbered({Value::integer(4), Value::integer(6)});
  EXPECT_EQ(dense.find(Value::integer(5)), linchpin::kNone);
  EXPECT_EQ(dense.find(Value::integer(1'000'000)), linchpin::kNone);
  EXPECT_EQ(dense.find(Value::integer(-1)), linchpin::kNone);
  EXPECT_EQ(dense.find(Value::nil()), linchpin::kNone);
  EXPECT_EQ(numbered({}).find(Value::integer(0)), linchpin::kNone);
}

TEST(DenseValues, TakesSparseIntegersAndOtherKinds) {
  const std::int64_t far = (std::int64_t{1} << 60) - 1;
  const DenseValues dense =
      numbered({Value::integer(far), Value::integer(-far), Value::nil(), Value::boolean(true), Value::integer(1)});
  EXPECT_EQ(dense.count(), 5U);
  EXPECT_EQ(dense.find(Value::integer(far)), 0U);
  EXPECT_EQ(dense.find(Value::nil()), 2U);
  EXPECT_EQ(dense.find(Value::boolean(false)), linchpin::kNone);
  EXPECT_EQ(dense.find(Value::integer(1)), 4U);
}
