#include "support/thoroughness.hpp"
#include "types/counter/monitor.hpp"

#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "types/counter/specification.hpp"

namespace counter_monitor_test {

namespace {

using linchpin::Value;
using linchpin::types::Counter;
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

SketchedOperation operation(std::uint16_t method, Value result, linchpin::Tick call = 0, linchpin::Tick response = 0) {
  return {.method = method, .arguments = {}, .result = result, .call = call, .response = response};
}

}  // namespace

TEST(CounterMonitor, RejectsANumberThatGoesBack) {
  const Built built = build(specification_of("counter"), {operation(Counter::kIncrement, Value::none(), 1, 10),
                                                          operation(Counter::kRead, Value::integer(1), 2, 3),
                                                          operation(Counter::kRead, Value::integer(0), 4, 5)});
  linchpin::core::Budget budget{linchpin::Limits{}};
  const auto outcome = linchpin::types::counter::decide(built.part, {}, budget);
  EXPECT_EQ(outcome.verdict, linchpin::Verdict::violation);
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(outcome.sentence, "read() -> 1 returned before read() -> 0 was called, but the counter only counts up");
}

TEST(CounterMonitor, ShowsWhatWasCountedLessLater) {
  // However many changes there are, what was counted less afterwards is enough.
  Sketch sketch;
  for (int i = 0; i < 20; ++i) {
    sketch.push_back(operation(Counter::kFetchAndAdd, Value::integer(i), 10 * i + 1, 10 * i + 2));
  }
  sketch.push_back(operation(Counter::kAddAndGet, Value::integer(22), 201, 202));
  sketch.push_back(operation(Counter::kFetchAndAdd, Value::integer(20), 211, 212));
  const Built built = build(specification_of("counter"), sketch);
  linchpin::core::Budget budget{linchpin::Limits{}};
  const auto outcome = linchpin::types::counter::decide(built.part, {}, budget);
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{20, 21}));
  EXPECT_EQ(outcome.sentence,
            "add_and_get() -> 22 returned before fetch_and_add() -> 20 was called, but the counter only counts up");
}

TEST(CounterMonitor, SaysWhyItDoesNotApply) {
  const auto both = build(specification_of("counter"), {operation(Counter::kIncrement, Value::none(), 1, 2),
                                                        operation(Counter::kDecrement, Value::none(), 3, 4)});
  EXPECT_EQ(linchpin::types::counter::applicable(both.part).why, "the amounts of the changes differ");
}

TEST(CounterMonitor, AgreesWithTheOracleOnAllSmallHistories) {
  CrossCheck cross(linchpin::types::counter::kMonitor, specification_of("counter"));
  const Sketch labels{
      operation(Counter::kIncrement, Value::none()),       operation(Counter::kFetchAndAdd, Value::integer(0)),
      operation(Counter::kFetchAndAdd, Value::integer(1)), operation(Counter::kAddAndGet, Value::integer(2)),
      operation(Counter::kRead, Value::integer(0)),        operation(Counter::kRead, Value::integer(1)),
      operation(Counter::kRead, Value::integer(2))};
  cross.exhaustive(labels, 3, true);
  if (thorough()) cross.exhaustive(labels, 4, true);
  EXPECT_GT(cross.linearizable, 500U);
  EXPECT_GT(cross.violations, 500U);
}

TEST(CounterMonitor, AgreesWithTheOracleOnRandomHistories) {
  for (const char* const type : {"counter", "counter initial=-3"}) {
    const auto specification = specification_of(type);
    CrossCheck cross(linchpin::types::counter::kMonitor, specification);
    cross.random(
        [](Random& random) -> Drafter {
          const bool down = below(random, 3) == 0;
          const auto amount = static_cast<std::int64_t>(1 + below(random, 2));
          return [down, amount](Random& generator) {
            std::vector<Value> results;
            for (std::int64_t number = -14; number <= 14; ++number) results.push_back(Value::integer(number));
            if (below(generator, 15) == 0) results = {Value::unknown()};
            const Value change = Value::integer(below(generator, 12) == 0    ? 0
                                                : below(generator, 100) == 0 ? 5
                                                                             : amount);
            switch (below(generator, 5)) {
              case 0: return Draft{down ? Counter::kDecrement : Counter::kIncrement, {change}, {Value::none()}};
              case 1: return Draft{down ? Counter::kFetchAndSubtract : Counter::kFetchAndAdd, {change}, results};
              case 2: return Draft{down ? Counter::kSubtractAndGet : Counter::kAddAndGet, {change}, results};
              default: return Draft{Counter::kRead, {}, results};
            }
          };
        },
        {Value::integer(-3), Value::integer(0), Value::integer(1), Value::integer(2)}, 12, 50'000);
    EXPECT_GT(cross.linearizable, cross.histories / 5);
    EXPECT_GT(cross.violations, cross.histories / 10);
    EXPECT_EQ(cross.undecided, 0U);
  }
}

}  // namespace counter_monitor_test
