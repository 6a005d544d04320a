#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "support/thoroughness.hpp"
#include "types/bag/monitor.hpp"
#include "types/bag/specification.hpp"

namespace bag_monitor_test {

namespace {

using linchpin::kPending;
using linchpin::Tick;
using linchpin::Value;
using linchpin::Verdict;
using linchpin::types::Bag;
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

const auto kBag = specification_of("bag");

SketchedOperation add(std::int64_t value, Tick call = 0, Tick response = 0) {
  return {.method = Bag::kAdd, .arguments = {Value::integer(value)}, .call = call, .response = response};
}
/// A value of -1 stands for "empty".
SketchedOperation take(std::int64_t value, Tick call = 0, Tick response = 0) {
  return {.method = Bag::kTake,
          .result = value < 0 ? Value::nil() : Value::integer(value),
          .call = call,
          .response = response};
}
SketchedOperation pending_take(Tick call) {
  return {.method = Bag::kTake, .result = Value::unknown(), .call = call, .response = kPending};
}
SketchedOperation contains(std::int64_t value, bool found, Tick call = 0, Tick response = 0) {
  return {.method = Bag::kContains,
          .arguments = {Value::integer(value)},
          .result = Value::boolean(found),
          .call = call,
          .response = response};
}
SketchedOperation remove(std::int64_t value, bool found, Tick call = 0, Tick response = 0) {
  SketchedOperation operation = contains(value, found, call, response);
  operation.method = Bag::kRemove;
  return operation;
}

linchpin::core::Outcome decided(const Sketch& sketch) {
  const Built built = build(kBag, sketch);
  EXPECT_TRUE(linchpin::types::bag::applicable(built.part).applies);
  linchpin::core::Budget budget{linchpin::Limits{}};
  return linchpin::types::bag::decide(built.part, {.witness = true}, budget);
}
Verdict verdict(const Sketch& sketch) { return decided(sketch).verdict; }
std::string why(const Sketch& sketch) { return linchpin::types::bag::applicable(build(kBag, sketch).part).why; }

}  // namespace

TEST(BagMonitor, TakesInAnyOrder) {
  EXPECT_EQ(verdict({add(1, 1, 2), add(2, 3, 4), take(2, 5, 6), take(1, 7, 8), take(-1, 9, 10)}),
            Verdict::linearizable);
  EXPECT_EQ(verdict({add(1, 1, 2), add(1, 3, 4), take(1, 5, 6), take(1, 7, 8)}), Verdict::linearizable);
}

TEST(BagMonitor, RejectsWhatIsNotThere) {
  EXPECT_EQ(decided({take(1, 1, 2)}).sentence, "take() -> 1, but nobody had added 1");
  EXPECT_EQ(decided({add(1, 1, 2), take(1, 3, 4), take(1, 5, 6)}).sentence, "1 is added once and removed twice");
  const auto outcome = decided({add(1, 1, 2), add(1, 3, 4), take(1, 5, 6), take(1, 7, 8), contains(1, true, 9, 10)});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(
      outcome.sentence,
      "contains(1) -> true finds nothing: every 1 was removed by then (2 adds called before its return, 2 removes "
      "returned)");
}

TEST(BagMonitor, SaysWhatWasInsideDuringAnEmptyTake) {
  EXPECT_EQ(decided({add(7, 1, 2), take(-1, 3, 4), take(7, 5, 6)}).sentence,
            "take() -> nil found the bag empty, but at every moment of it a value was inside: 7");
  EXPECT_EQ(verdict({add(7, 1, 3), take(-1, 2, 4), take(7, 5, 6)}), Verdict::linearizable);
  EXPECT_EQ(decided({add(7, 1, 2), remove(7, false, 3, 4)}).sentence,
            "remove(7) -> false, but 7 was inside during the whole call");
}

// The greedy that is right for sets is not here: the zero must come before the second add.
TEST(BagMonitor, LeavesZeroTestsOnRepeatedValuesToTheSearch) {
  EXPECT_EQ(why({add(1, 0, 1), take(1, 2, 9), contains(1, false, 3, 8), add(1, 4, 5)}),
            "value 1 is added twice, and something found it missing");
  EXPECT_EQ(why({add(1, 0, 1), add(1, 4, 5), take(-1, 6, 7)}),
            "value 1 is added twice, and take() -> nil found nothing inside");
  EXPECT_EQ(why({add(1, 0, 1), add(1, 4, 5), add(2, 6, 7), contains(2, false, 8, 9)}),
            "no value that is added twice is found missing");
}

TEST(BagMonitor, PendingTakesMatterOnlyWhereSomethingWasFoundMissing) {
  EXPECT_EQ(verdict({add(1, 1, 2), pending_take(3), take(1, 4, 5)}), Verdict::linearizable);
  EXPECT_EQ(verdict({add(1, 1, 2), take(-1, 3, 4), pending_take(5)}), Verdict::violation);
  // One pending take may or may not be enough: left to the search.
  const auto outcome = decided({add(1, 1, 2), add(2, 3, 4), pending_take(5), take(-1, 6, 7)});
  EXPECT_EQ(outcome.verdict, Verdict::unknown);
  EXPECT_EQ(outcome.reason, linchpin::Reason::not_applicable);
}

TEST(BagMonitor, AgreesWithTheOracleOnAllSmallHistories) {
  CrossCheck cross(linchpin::types::bag::kMonitor, kBag);
  const Sketch labels{add(1),         add(2), take(1), take(2), take(-1), contains(1, true), contains(1, false),
                      remove(1, true)};
  cross.exhaustive(labels, 2, true);
  cross.exhaustive(labels, 3, true);
  if (thorough()) cross.exhaustive(labels, 4, true);
  EXPECT_GT(cross.linearizable, 1000U);
  EXPECT_GT(cross.violations, 1000U);
}

}  // namespace bag_monitor_test
