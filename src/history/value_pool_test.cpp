// Values are read as what they are, and lists know whether a part of them was lost.
#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace linchpin
