#include "types/priority_queue/order.hpp"

#include <gtest/gtest.h>

#include "history/text_notation.hpp"

namespace linchpin::types {
namespace {

class PriorityOrders : public testing::Test {
 protected:
  Value value(std::string_view text) { return *history::parse_value(text, pool); }
  PriorityOrder order(std::string_view text) {
    auto parsed = PriorityOrder::parse(text);
    EXPECT_TRUE(parsed.has_value()) << text;
    return parsed ? *parsed : PriorityOrder();
  }
  /// "<" where the left one goes first, ">" the right one, "=" the same, "|" incomparable.
  char compare(const PriorityOrder& order, std::string_view left, std::string_view right) {
    const Value a = value(left), b = value(right);
    if (a == b) return '=';
    const bool before = order.before(a, b, pool), after = order.before(b, a, pool);
    EXPECT_FALSE(before && after) << left << " " << right;
    const auto extended = order.extended(a, b, pool);
    EXPECT_TRUE(extended != 0) << left << " " << right;
    EXPECT_EQ(extended<0, order.extended(b, a, pool)> 0) << left << " " << right;
    if (before) {
      EXPECT_TRUE(extended < 0) << left << " " << right;
    }
    if (after) {
      EXPECT_TRUE(extended > 0) << left << " " << right;
    }
    return before ? '<' : after ? '>' : '|';
  }
  ValuePool pool;
};

TEST_F(PriorityOrders, AreTotalWhereThatIsWanted) {
  EXPECT_EQ(compare(order("smallest"), "1", "2"), '<');
  EXPECT_EQ(compare(order("largest"), "1", "2"), '>');
  EXPECT_EQ(compare(order("smallest"), "[1 5]", "[2 1]"), '<');
  EXPECT_TRUE(order("largest").total());
  EXPECT_FALSE(order("componentwise").total());
}

TEST_F(PriorityOrders, CompareComponents) {
  const PriorityOrder pairs = order("componentwise");
  EXPECT_EQ(compare(pairs, "[1 1]", "[1 2]"), '<');
  EXPECT_EQ(compare(pairs, "[1 1]", "[2 2]"), '<');
  EXPECT_EQ(compare(pairs, "[1 2]", "[1 2]"), '=');
  EXPECT_EQ(compare(pairs, "[1 2]", "[2 1]"), '|');
  EXPECT_EQ(compare(pairs, "[1 2 3]", "[1 2]"), '|');
  EXPECT_EQ(compare(pairs, "[1]", "1"), '|');
  EXPECT_EQ(compare(pairs, "1", "2"), '<');
  EXPECT_EQ(compare(pairs, "[a 1]", "[b 1]"), '<');
  EXPECT_EQ(compare(order("componentwise-largest"), "[1 1]", "[1 2]"), '>');
  EXPECT_EQ(compare(order("componentwise-largest"), "[1 2]", "[2 1]"), '|');
}

TEST_F(PriorityOrders, AreSpelledOut) {
  const PriorityOrder diamond = order("high<left<low,high<right,right<low,alone");
  EXPECT_EQ(compare(diamond, "high", "left"), '<');
  EXPECT_EQ(compare(diamond, "low", "high"), '>');
  EXPECT_EQ(compare(diamond, "left", "right"), '|');
  EXPECT_EQ(compare(diamond, "alone", "high"), '|');
  EXPECT_EQ(diamond.elements().size(), 5U);
  EXPECT_EQ(diamond.invalid(value("left"), pool), "");
  EXPECT_EQ(diamond.invalid(value("lift"), pool), "lift is not among the priorities of the type's option order");
  EXPECT_EQ(compare(order("1<02<3"), "1", "2"), '<');
  EXPECT_EQ(compare(order("nil<true"), "nil", "true"), '<');
}

TEST_F(PriorityOrders, ExtendToATotalOrder) {
  for (const std::string_view text : {"a<b,c<d,e", "d<c<b<a", "e<a,d<a,c<a,b<a", "a<b<d,a<c<d,d<e"}) {
    const PriorityOrder given = order(text);
    for (const std::string_view x : {"a", "b", "c", "d", "e"}) {
      for (const std::string_view y : {"a", "b", "c", "d", "e"}) {
        compare(given, x, y);
        for (const std::string_view z : {"a", "b", "c", "d", "e"}) {
          if (compare(given, x, y) == '<' && compare(given, y, z) == '<') {
            EXPECT_EQ(compare(given, x, z), '<');
          }
          if (given.extended(value(x), value(y), pool) < 0 && given.extended(value(y), value(z), pool) < 0) {
            EXPECT_TRUE(given.extended(value(x), value(z), pool) < 0);
          }
        }
      }
    }
  }
}

TEST_F(PriorityOrders, SayWhatIsWrong) {
  const auto error = [](std::string_view text) {
    const auto parsed = PriorityOrder::parse(text);
    return parsed ? std::string() : parsed.error().message;
  };
  EXPECT_EQ(error("biggest"), "type priority-queue: order=biggest is not possible: it is none of these");
  EXPECT_EQ(error("a<b,b<a"), "type priority-queue: order=a<b,b<a is not possible: a would go before itself");
  EXPECT_EQ(error("a<a"), "type priority-queue: order=a<a is not possible: a would go before itself");
  EXPECT_EQ(error("a<,b"), "type priority-queue: order=a<,b is not possible: '' is no priority");
  EXPECT_EQ(error("?<b"), "type priority-queue: order=?<b is not possible: '?' is no priority");
  EXPECT_EQ(error("[1<2"), "type priority-queue: order=[1<2 is not possible: '[1' is no priority");
}

}  // namespace
}  // namespace linchpin::types
