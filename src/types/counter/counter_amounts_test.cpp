// The search for counters with different amounts against the oracle.
#include "types/counter/amounts.hpp"

#include <array>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "support/drawn.hpp"
#include "support/search_check.hpp"
#include "types/counter/contents.hpp"
#include "types/counter/specification.hpp"

namespace linchpin::counter_amounts_test {
namespace {

using test::below;
using test::Draft;
using test::Drafter;
using test::Random;
using types::Counter;
using types::counter::kAmounts;

Value number(std::int64_t value) { return Value::integer(value); }

test::SketchedOperation operation(std::uint16_t method, std::vector<Value> arguments, Value result, Tick call,
                                  Tick response) {
  return {.method = method, .arguments = std::move(arguments), .result = result, .call = call, .response = response};
}

test::SearchCheck checked(const char* type, std::vector<Value> results) {
  return {.specification = test::specification_of(type),
          .applicable = kAmounts.applicable,
          .decide = [](const history::Subhistory& part,
                       core::Budget& budget) { return kAmounts.decide(part, {.witness = true}, budget); },
          .results = std::move(results)};
}

core::Outcome decide(const test::Built& built) {
  core::Budget budget{Limits{}};
  return kAmounts.decide(built.part, {.witness = true}, budget);
}

/// All methods, with amounts below `amounts`; `tells` in ten return the number.
Drafter drafter(std::size_t amounts, std::size_t tells) {
  return [=](Random& random) {
    std::vector<Value> results;
    for (std::int64_t n = -9; n <= 9; ++n) results.push_back(number(n));
    if (below(random, 20) == 0) results = {Value::unknown()};
    if (below(random, 60) == 0) results = {Value::nil(), Value::boolean(true)};
    const bool none = below(random, 3) == 0;
    const std::vector<Value> amount =
        none ? std::vector<Value>() : std::vector{number(static_cast<std::int64_t>(below(random, amounts)))};
    if (below(random, 10) >= tells) {
      switch (below(random, 3)) {
        case 0:
          return Draft{Counter::kAdd, {number(static_cast<std::int64_t>(below(random, amounts)))}, {Value::none()}};
        case 1: return Draft{Counter::kIncrement, amount, {Value::none()}};
        default: return Draft{Counter::kDecrement, amount, {Value::none()}};
      }
    }
    switch (below(random, 5)) {
      case 0: return Draft{Counter::kFetchAndAdd, amount, results};
      case 1: return Draft{Counter::kFetchAndSubtract, amount, results};
      case 2: return Draft{Counter::kAddAndGet, amount, results};
      case 3: return Draft{Counter::kSubtractAndGet, amount, results};
      default: return Draft{Counter::kRead, {}, results};
    }
  };
}

/// All methods, with amounts about the greatest that are read, and what these sum up to.
Drafter large_drafter(std::size_t tells) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  return [=](Random& random) {
    const auto near = [&](std::int64_t most) {
      const auto times = static_cast<std::int64_t>(below(random, 2 * static_cast<std::size_t>(most) + 1)) - most;
      return times * kMost + static_cast<std::int64_t>(below(random, 3)) - 1;
    };
    const auto amount = [&] {
      const std::int64_t chosen = below(random, 3) == 0 ? 1 : near(1);
      if (below(random, 400) == 0) return test::sketch_pool().integer(std::numeric_limits<std::int64_t>::min());
      return number(chosen > kMost || chosen < -kMost ? (below(random, 100) == 0 ? chosen : kMost) : chosen);
    };
    std::vector<Value> results;
    for (std::int64_t times = -4; times <= 4; ++times) {
      for (std::int64_t beside = -3; beside <= 3; ++beside) results.push_back(number(times * kMost + beside));
    }
    if (below(random, 40) == 0) {
      results = {test::sketch_pool().integer(std::numeric_limits<std::int64_t>::max()),
                 test::sketch_pool().integer(std::numeric_limits<std::int64_t>::min()), Value::boolean(false),
                 test::sketch_pool().integer(std::int64_t{1} << 60)};
    }
    if (below(random, 10) >= tells) {
      const std::uint16_t method =
          std::array{Counter::kAdd, Counter::kIncrement, Counter::kDecrement}[below(random, 3)];
      const Value by = amount();
      return Draft{method, {by}, {below(random, 10) == 0 ? by : Value::none()}};
    }
    const std::uint16_t method = std::array{Counter::kFetchAndAdd, Counter::kFetchAndSubtract, Counter::kAddAndGet,
                                            Counter::kSubtractAndGet, Counter::kRead}[below(random, 5)];
    if (method == Counter::kRead) return Draft{method, {}, results};
    return Draft{method, {amount()}, results};
  };
}

TEST(CounterAmounts, AgreesWithTheOracleWhereAmountsAreLarge) {
  for (const char* const type : {"counter", "counter initial=1099511627776", "counter initial=-1099511627776"}) {
    for (const std::size_t tells : {2U, 6U}) {
      test::SearchCheck check =
          checked(type, {number(std::int64_t{1} << 40), number(0), number(std::int64_t{1} << 41), Value::none()});
      check.random(large_drafter(tells), 10, 4000);
      EXPECT_GT(check.applied, check.drawn / 8);
    }
  }
}

TEST(CounterAmounts, ReadsNumbersThatSeveralAmountsSumUpTo) {
  const Value large = number(std::int64_t{1} << 40);
  const test::Built built = test::build(
      test::specification_of("counter"),
      {operation(Counter::kAdd, {large}, Value::none(), 1, 2), operation(Counter::kAdd, {large}, Value::none(), 3, 4),
       operation(Counter::kRead, {}, number(std::int64_t{1} << 41), 5, 6)});
  EXPECT_EQ(decide(built).verdict, Verdict::linearizable);
}

TEST(CounterAmounts, AgreesWithTheOracleOnRandomHistories) {
  for (const char* const type : {"counter", "counter initial=2"}) {
    for (const std::size_t tells : {2U, 6U}) {
      test::SearchCheck check = checked(type, {number(-1), number(0), number(1), number(2), number(3), Value::nil()});
      check.random(drafter(tells == 2 ? 3 : 6, tells), 12, 8000);
      EXPECT_GT(check.applied, check.drawn / 8);
    }
  }
}

TEST(CounterAmounts, AgreesWithTheOracleOnAllSmallHistories) {
  const auto label = [](std::uint16_t method, std::vector<Value> arguments, Value result) {
    return operation(method, std::move(arguments), result, 0, 0);
  };
  const test::Sketch labels{label(Counter::kAdd, {number(2)}, Value::none()),
                            label(Counter::kDecrement, {}, Value::none()),
                            label(Counter::kFetchAndAdd, {number(2)}, number(-1)),
                            label(Counter::kSubtractAndGet, {}, number(1)),
                            label(Counter::kFetchAndAdd, {}, Value::unknown()),
                            label(Counter::kRead, {}, number(1)),
                            label(Counter::kRead, {}, number(0))};
  const auto specification = test::specification_of("counter");
  test::Oracle oracle(*specification);
  std::size_t linearizable = 0, violations = 0;
  for (std::size_t choice = 0; choice < 7 * 7 * 7; ++choice) {
    test::Sketch sketch{labels[choice % 7], labels[choice / 7 % 7], labels[choice / 49]};
    test::for_all_interleavings(sketch, true, [&](const test::Sketch& each) {
      const test::Built built = test::build(specification, each);
      const core::Outcome outcome = decide(built);
      const bool truth = oracle.linearizable(built.part);
      ++(truth ? linearizable : violations);
      ASSERT_EQ(outcome.verdict, truth ? Verdict::linearizable : Verdict::violation) << test::to_text(built.part);
      if (truth) {
        ASSERT_TRUE(oracle.valid_witness(built.part, outcome.witness)) << test::to_text(built.part);
      }
    });
  }
  EXPECT_GT(linearizable, 1000U);
  EXPECT_GT(violations, 1000U);
}

TEST(CounterAmounts, RefutesANumberThatNoChangesReach) {
  const test::Built built =
      test::build(test::specification_of("counter"), {operation(Counter::kAdd, {number(5)}, Value::none(), 1, 10),
                                                      operation(Counter::kAdd, {number(7)}, Value::none(), 2, 11),
                                                      operation(Counter::kRead, {}, number(13), 3, 4)});
  const core::Outcome outcome = decide(built);
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.blocked, 2U);
}

TEST(CounterAmounts, SaysThatAResultIsNoNumber) {
  const test::Built built = test::build(test::specification_of("counter"),
                                        {operation(Counter::kAdd, {number(3)}, Value::none(), 1, 2),
                                         operation(Counter::kAdd, {number(4)}, Value::none(), 3, 4),
                                         operation(Counter::kFetchAndAdd, {number(5)}, Value::nil(), 5, 6)});
  const core::Outcome outcome = decide(built);
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.core, std::vector<std::uint32_t>{2});
  EXPECT_EQ(outcome.sentence, "fetch_and_add(5) -> nil returned no number");
}

// Forty additions that never return, of which every third took effect, as reads show.
TEST(CounterAmounts, GoesThroughManyAdditionsThatNeverReturn) {
  const auto history = [](std::int64_t unit, std::int64_t off) {
    test::Sketch sketch;
    std::int64_t sum = 0;
    for (Tick k = 0; k < 40; ++k) {
      const std::int64_t amount = unit * (1 + k % 5);
      sketch.push_back(operation(Counter::kAdd, {number(amount)}, Value::none(), 4 * k, kPending));
      if (k % 3 == 0) sum += amount;
      sketch.push_back(operation(Counter::kRead, {}, number(sum + (k == 39 ? off : 0)), 4 * k + 1, 4 * k + 3));
    }
    return test::build(test::specification_of("counter"), sketch);
  };
  const auto verdict = [&](std::int64_t unit, std::int64_t off) { return decide(history(unit, off)).verdict; };
  for (const std::int64_t unit : {1, 2, 1000}) EXPECT_EQ(verdict(unit, 0), Verdict::linearizable) << unit;
  EXPECT_EQ(verdict(2, -1), Verdict::violation);  // an odd number
  EXPECT_EQ(verdict(1000, 1), Verdict::violation);
  const test::Built built = history(3, 0);
  const core::Outcome outcome = decide(built);
  std::int64_t sum = 0;
  for (const std::uint32_t x : outcome.witness) {
    const Operation each = built.part.view(x);
    if (each.method == Counter::kRead) {
      EXPECT_EQ(each.result, number(sum));
    } else {
      sum += each.pool->integer_of(each.argument(0));
    }
  }
  EXPECT_GE(outcome.witness.size(), 40U);
}

// Long enough for the search to get stuck, to look at windows and to go back; too long for the oracle.
TEST(CounterAmounts, AgreesWithTheSearchOverContentsOnLongerHistories) {
  const auto specification = test::specification_of("counter");
  const auto states = specification->make_states();
  Random random(test::environment_number("LINCHPIN_CROSS_SEED", 7));
  std::size_t linearizable = 0, violations = 0;
  const std::size_t count = test::random_histories(600);
  for (std::size_t i = 0; i < count; ++i) {
    if (states->bound() > 100'000) states->retain({});
    test::Sketch sketch = test::random_sketch(random, *states, drafter(2 + below(random, 5), 1 + below(random, 5)),
                                              {.operations = 24 + below(random, 24),
                                               .most_open = 2 + below(random, 6),
                                               .pending = std::array{0.1, 0.2, 0.3}[below(random, 3)]});
    if (below(random, 2) == 0) test::mutate(random, sketch, {number(3), number(7), number(12)}, false);
    if (!test::valid(sketch) || !test::takes(*specification, sketch)) continue;
    const test::Built built = test::build(specification, sketch);
    core::Budget budget{Limits{}};
    const Verdict exact = types::counter::kContents.decide(built.part, {.witness = false}, budget).verdict;
    ASSERT_EQ(decide(built).verdict, exact) << test::to_text(built.part);
    ++(exact == Verdict::linearizable ? linearizable : violations);
  }
  EXPECT_GT(linearizable, count / 20);
  EXPECT_GT(violations, count / 20);
}

TEST(CounterAmounts, LeavesWhatMayWrapAroundToOthers) {
  const test::Built built = test::build(test::specification_of("counter"),
                                        {operation(Counter::kAdd, {number(std::int64_t{1} << 45)}, Value::none(), 1, 2),
                                         operation(Counter::kIncrement, {}, Value::none(), 3, 4)});
  EXPECT_EQ(kAmounts.applicable(built.part).why, "the numbers are too big");
}

/// Where it went back it still tells of the furthest place.
TEST(CounterAmounts, SayHowFarTheyGot) {
  generate::Plan plan;
  plan.type = *TypeName::parse("counter");
  plan.all_methods = true;
  plan.operations = 2000;
  plan.processes = 48;
  plan.in_flight = 32;
  plan.values = 5;
  plan.seed = 1;
  const auto history = test::drawn(plan, {});
  ASSERT_TRUE(history);
  const std::array specifications{test::specification_of("counter")};
  const history::Subhistory part = history::split_by_object(*history, specifications, Ties::concurrent)->at(0);
  const auto search = kAmounts.start(part, {.witness = true});
  core::Budget budget{Limits{}};
  std::size_t turns = 0, stayed = 0, passed = 0;
  for (; turns < 200 && !search->run(20'000, budget); ++turns) {
    const core::Outcome outcome = search->outcome();
    stayed += search->passed() == passed ? 1 : 0;
    EXPECT_GE(search->passed(), passed);
    passed = search->passed();
    ASSERT_TRUE(outcome.blocked);
    // All that returned before it is in the order.
    std::vector<bool> placed(part.size(), false);
    for (const std::uint32_t x : outcome.longest) placed[x] = true;
    std::size_t before = 0;
    for (std::uint32_t x = 0; x < part.size(); ++x) {
      if (part.response[x] >= part.response[*outcome.blocked]) continue;
      ++before;
      ASSERT_TRUE(placed[x]) << x;
    }
    EXPECT_EQ(before, passed);
  }
  EXPECT_GT(turns, 10U);
  EXPECT_GT(stayed, 0U) << "it never went back";
}

}  // namespace
}  // namespace linchpin::counter_amounts_test
