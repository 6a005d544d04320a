#include "support/thoroughness.hpp"
#include "types/set/monitor.hpp"

#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "types/set/specification.hpp"

namespace set_monitor_test {

namespace {

using linchpin::Value;
using linchpin::Verdict;
using linchpin::types::Set;
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

const auto kSet = specification_of("set");

SketchedOperation operation(std::uint16_t method, std::int64_t element, bool result, linchpin::Tick call = 0,
                            linchpin::Tick response = 0) {
  return {.method = method,
          .arguments = {Value::integer(element)},
          .result = Value::boolean(result),
          .call = call,
          .response = response};
}

linchpin::core::Outcome decided(const Sketch& sketch) {
  const Built built = build(kSet, sketch);
  EXPECT_TRUE(linchpin::types::set::applicable(built.part).applies);
  linchpin::core::Budget budget{linchpin::Limits{}};
  return linchpin::types::set::decide(built.part, {.witness = true}, budget);
}

}  // namespace

// Histories on which other tools are known to answer wrongly.
TEST(SetMonitor, DecidesHistoriesThatMisledOtherTools) {
  EXPECT_EQ(decided({operation(Set::kContains, 5, false, 1, 2)}).verdict, Verdict::linearizable);
  EXPECT_EQ(decided({operation(Set::kRemove, 0, false, 1, 2)}).verdict, Verdict::linearizable);
  EXPECT_EQ(decided({operation(Set::kAdd, 1, true, 1, 2), operation(Set::kContains, 1, false, 3, 4)}).verdict,
            Verdict::violation);
}

TEST(SetMonitor, NeedsOnlyWhatHappenedSinceTheElementWasKnownToBeThere) {
  Sketch sketch;
  linchpin::Tick now = 0;
  for (int round = 0; round < 10; ++round) {
    sketch.push_back(operation(Set::kAdd, 7, true, now + 1, now + 2));
    sketch.push_back(operation(Set::kRemove, 7, true, now + 3, now + 4));
    now += 4;
  }
  sketch.push_back(operation(Set::kAdd, 7, true, now + 1, now + 2));
  sketch.push_back(operation(Set::kAdd, 7, true, now + 3, now + 4));
  const auto outcome = decided(sketch);
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{20, 21}));
  EXPECT_EQ(outcome.sentence,
            "add(7) -> true needs 7 to be out of the set, but it was in at the return: no remove(7) could take "
            "effect in time");
}

TEST(SetMonitor, DoesNotApplyWhenAnAddDoesNotTellWhatItDid) {
  SketchedOperation add = operation(Set::kAdd, 1, true, 1, 2);
  add.result = Value::none();
  EXPECT_EQ(linchpin::types::set::applicable(build(kSet, {add}).part).why,
            "add(1) does not tell whether the element was there");
}

TEST(SetMonitor, AgreesWithTheOracleOnAllSmallHistories) {
  CrossCheck cross(linchpin::types::set::kMonitor, kSet);
  Sketch labels;
  for (const std::uint16_t method : {Set::kAdd, Set::kRemove, Set::kContains}) {
    labels.push_back(operation(method, 1, true));
    labels.push_back(operation(method, 1, false));
  }
  cross.exhaustive(labels, 3, true);
  if (thorough()) cross.exhaustive(labels, 4, true);
  EXPECT_GT(cross.linearizable, 500U);
  EXPECT_GT(cross.violations, 500U);
}

TEST(SetMonitor, AgreesWithTheOracleOnRandomHistories) {
  CrossCheck cross(linchpin::types::set::kMonitor, kSet);
  cross.random(
      [](Random& random) -> Drafter {
        return [elements = 1 + below(random, 3), odd = below(random, 10) == 0](Random& generator) {
          const auto method = static_cast<std::uint16_t>(below(generator, 3));
          std::vector<Value> results{Value::boolean(true), Value::boolean(false)};
          if (odd && below(generator, 4) == 0) results = {Value::unknown()};
          return Draft{method, {Value::integer(static_cast<std::int64_t>(below(generator, elements)))}, results};
        };
      },
      {Value::boolean(true), Value::boolean(false)}, 12);
  EXPECT_GT(cross.linearizable, cross.histories / 5);
  EXPECT_GT(cross.violations, cross.histories / 10);
  EXPECT_EQ(cross.undecided, 0U);
}

}  // namespace set_monitor_test
