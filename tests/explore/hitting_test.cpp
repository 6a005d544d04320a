// The strategy `hitting`: its orders strongly hit all tuples, by the definition, and with as many elements as there are
// they are all orders.
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "linchpin/explore.hpp"
#include "stress/planted.hpp"
#include "turns.hpp"

namespace linchpin::hitting_test {
namespace {

/// The orders in which threads take their turns: a digit each turn.
std::vector<std::string> orders(unsigned threads, unsigned turns, unsigned depth) {
  ExploreOptions options;
  options.strategy = ExploreStrategy::hitting;
  options.depth = depth;
  const ExploreResult result = explore_turns(threads, turns, options);
  EXPECT_TRUE(result.ok() && result.complete) << result.to_string();
  return result.outcomes;
}

/// A turn: which thread's, and how many of its turns are before it.
struct Turn {
  unsigned thread = 0, number = 0;
  [[nodiscard]] bool no_later_than(const Turn& other) const { return thread == other.thread && number <= other.number; }
};

bool strongly_hits(const std::string& order, const std::vector<Turn>& tuple) {
  for (std::size_t i = 0; i < tuple.size(); ++i) {
    std::array<unsigned, 4> taken = {};
    bool begun = false;
    for (const char digit : order) {
      const auto thread = static_cast<unsigned>(digit - '0');
      const Turn turn{.thread = thread, .number = taken.at(thread)++};
      begun = begun || (tuple[i].thread == turn.thread && tuple[i].number == turn.number);
      if (begun && std::none_of(tuple.begin() + static_cast<std::ptrdiff_t>(i), tuple.end(),
                                [&](const Turn& x) { return x.no_later_than(turn); })) {
        return false;
      }
    }
  }
  return true;
}

/// How many tuples, of each length up to `depth`, no order hits.
unsigned missed(const std::vector<std::string>& family, unsigned threads, unsigned turns, unsigned depth,
                std::vector<Turn> tuple = {}) {
  unsigned count = 0;
  if (!tuple.empty() && std::none_of(family.begin(), family.end(),
                                     [&](const std::string& order) { return strongly_hits(order, tuple); })) {
    ++count;
  }
  if (tuple.size() == depth) return count;
  for (unsigned element = 0; element < threads * turns; ++element) {
    tuple.push_back({.thread = element / turns, .number = element % turns});
    count += missed(family, threads, turns, depth, tuple);
    tuple.pop_back();
  }
  return count;
}

TEST(Hitting, OrdersHitAllTuples) {
  for (unsigned depth = 1; depth <= 3; ++depth) {
    const auto family = orders(3, 2, depth);
    EXPECT_EQ(missed(family, 3, 2, depth), 0U) << depth;
    EXPECT_GT(missed(family, 3, 2, depth + 1), 0U) << "a smaller family would do for " << depth;
    EXPECT_LT(family.size(), 90U);
  }
}

TEST(Hitting, AsDeepAsThereAreTurnsAreAllOrders) {
  EXPECT_EQ(orders(2, 2, 4).size(), 6U);
  EXPECT_EQ(orders(3, 1, 3).size(), 6U);
  EXPECT_EQ(orders(2, 3, 6).size(), 20U);
}

TEST(Hitting, OperationsAreTakenAsAWhole) {
  ExploreOptions options;
  options.strategy = ExploreStrategy::hitting;
  options.depth = 4;
  options.scenario = "increment, read | increment, read";
  const ExploreResult result = explore(
      as::counter, [] { return std::make_unique<planted::LostUpdate>(); }, options);
  EXPECT_TRUE(result.ok() && result.complete) << result.to_string();  // it needs a preemption within an operation
  EXPECT_EQ(result.histories, 6U);                                    // all orders of four, two and two in order
  EXPECT_EQ(result.schedules, 2U * 4 * 4 * 4);
}

}  // namespace
}  // namespace linchpin::hitting_test
