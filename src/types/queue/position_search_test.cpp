// The search by position, for queues in which values repeat.
#include "types/queue/position_search.hpp"

#include <gtest/gtest.h>

#include "support/search_check.hpp"
#include "types/queue/specification.hpp"

namespace linchpin {
namespace {

using test::Draft;
using test::Random;
using types::Queue;

/// Enqueues, dequeues and peeks of few values; those that are left pending lose their results.
test::Drafter drafter(int values, std::size_t peeks) {
  return [=](Random& random) {
    std::vector<Value> all = {Value::nil()};
    for (int v = 1; v <= values; ++v) all.push_back(Value::integer(v));
    const std::size_t kind = test::below(random, 6 + peeks);
    if (kind < 3) {
      const auto value = static_cast<std::int64_t>(test::below(random, static_cast<std::size_t>(values))) + 1;
      return Draft{Queue::kEnqueue, {Value::integer(value)}, {Value::none()}};
    }
    return Draft{kind < 6 ? Queue::kDequeue : Queue::kPeek, {}, all};
  };
}

void cross_check(const test::Drafter& drafter, std::size_t count) {
  test::SearchCheck check{
      .specification = test::specification_of("queue"),
      .applicable = types::queue::positions_applicable,
      .decide = [](const history::Subhistory& part,
                   core::Budget& budget) { return types::queue::decide_positions(part, {.witness = true}, budget); },
      .results = {Value::nil(), Value::integer(1), Value::integer(2), Value::integer(3)}};
  check.random(drafter, 10, count);
  EXPECT_EQ(check.applied > count / 2, true);
}

TEST(PositionSearch, AgreesWithTheOracleWithPeeksAndPendingDequeues) {
  cross_check(drafter(2, 2), 8000);
  cross_check(drafter(3, 3), 4000);
}

TEST(PositionSearch, AgreesWithTheOracleWithoutPeeks) { cross_check(drafter(2, 0), 4000); }

}  // namespace
}  // namespace linchpin
