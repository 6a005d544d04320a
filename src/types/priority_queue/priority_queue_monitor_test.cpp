#include <gtest/gtest.h>

#include "support/container_reference.hpp"
#include "support/cross_check.hpp"
#include "support/medium_check.hpp"
#include "types/priority_queue/monitor.hpp"
#include "types/priority_queue/specification.hpp"

namespace {

using linchpin::Value;
using linchpin::Verdict;
using linchpin::types::kPriorityQueueMonitor;
using linchpin::types::PriorityQueue;
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

const auto kSmallest = specification_of("priority-queue");
const auto kLargest = specification_of("priority-queue order=largest");
const auto kFifo = specification_of("priority-queue ties=fifo");

SketchedOperation insert(std::int64_t value, linchpin::Tick call = 0, linchpin::Tick response = linchpin::kPending) {
  return {.method = PriorityQueue::kInsert,
          .arguments = {Value::integer(value)},
          .result = Value::none(),
          .call = call,
          .response = response};
}
SketchedOperation insert_at(std::int64_t value, std::int64_t priority, linchpin::Tick call = 0,
                            linchpin::Tick response = linchpin::kPending) {
  SketchedOperation operation = insert(value, call, response);
  operation.arguments.push_back(Value::integer(priority));
  return operation;
}
/// A value of -1 stands for "empty".
Value seen(std::int64_t value) { return value < 0 ? Value::nil() : Value::integer(value); }
SketchedOperation poll(std::int64_t value, linchpin::Tick call = 0, linchpin::Tick response = 0) {
  return {.method = PriorityQueue::kPoll, .arguments = {}, .result = seen(value), .call = call, .response = response};
}
SketchedOperation peek(std::int64_t value, linchpin::Tick call = 0, linchpin::Tick response = 0) {
  return {.method = PriorityQueue::kPeek, .arguments = {}, .result = seen(value), .call = call, .response = response};
}
SketchedOperation pending_poll(linchpin::Tick call) {
  return {.method = PriorityQueue::kPoll, .arguments = {}, .result = Value::unknown(), .call = call};
}

linchpin::core::Outcome decided(const std::shared_ptr<const linchpin::Specification>& specification,
                                const Sketch& sketch) {
  const Built built = build(specification, sketch);
  EXPECT_TRUE(kPriorityQueueMonitor.applicable(built.part).applies);
  linchpin::core::Budget budget{linchpin::Limits{}};
  return kPriorityQueueMonitor.decide(built.part, {.witness = true}, budget);
}
Verdict verdict(const Sketch& sketch) { return decided(kSmallest, sketch).verdict; }

/// Drafts of one history: values in random order of priority; with `classes` there are only so many priorities.
Drafter drafts(Random& random, std::size_t most, bool peeks, bool empties, bool faults, std::size_t classes) {
  std::vector<std::int64_t> values(1 + below(random, most));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int64_t>(i + 1);
  std::shuffle(values.begin(), values.end(), random);
  return spread(random, [next = std::size_t{0}, values, peeks, empties, faults, classes](Random& generator) mutable {
    if (next < values.size() && below(generator, 2) == 0) {
      std::vector<Value> arguments{Value::integer(values[next++])};
      if (classes > 0) arguments.push_back(Value::integer(static_cast<std::int64_t>(below(generator, classes))));
      return Draft{PriorityQueue::kInsert, arguments, {Value::none()}};
    }
    std::vector<Value> results;
    for (std::size_t i = 0; i < std::min(values.size(), next + 2); ++i) results.push_back(Value::integer(values[i]));
    if (faults && below(generator, 8) == 0) results.push_back(Value::integer(77));
    if (empties || results.empty()) results.push_back(Value::nil());
    if (below(generator, 40) == 0) return Draft{PriorityQueue::kIsEmpty, {}, {Value::boolean(true)}};
    const bool look = peeks && below(generator, 3) == 0;
    return Draft{look ? PriorityQueue::kPeek : PriorityQueue::kPoll, {}, results};
  });
}

std::vector<Value> results() {
  return {Value::nil(), Value::integer(1), Value::integer(2), Value::integer(3), Value::integer(4)};
}

void check_random(const std::shared_ptr<const linchpin::Specification>& specification, std::size_t count) {
  CrossCheck cross(kPriorityQueueMonitor, specification);
  cross.random(
      [](Random& random) {
        const bool peeks = below(random, 2) == 0;
        const bool empties = below(random, 2) == 0;
        return drafts(random, 6, peeks, empties, below(random, 4) == 0, below(random, 4));
      },
      results(), 13, count);
  EXPECT_GT(cross.linearizable, cross.histories / 5);
  EXPECT_GT(cross.violations, cross.histories / 10);
  EXPECT_EQ(cross.undecided, 0U);
}

void check_medium(const std::shared_ptr<const linchpin::Specification>& specification, ContainerReference::Kind kind,
                  bool largest_first) {
  MediumCheck check(kPriorityQueueMonitor, specification, [&](const linchpin::history::Subhistory& part) {
    return ContainerReference(part, kind, largest_first).linearizable();
  });
  check.random(
      [](Random& random) {
        const bool peeks = below(random, 3) != 0;
        return drafts(random, 50, peeks, below(random, 4) != 0, false, below(random, 5));
      },
      results());
  EXPECT_GT(check.linearizable, check.histories / 5);
  EXPECT_GT(check.violations, check.histories / 20);
  EXPECT_EQ(check.undecided, 0U);
}

}  // namespace

TEST(PriorityQueueMonitor, SaysWhoGoesFirst) {
  const auto outcome = decided(kSmallest, {insert(2, 1, 2), insert(1, 3, 4), poll(2, 5, 6), poll(1, 7, 8)});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.sentence,
            "poll returned 2 although 1, which goes first, was in the queue during the whole call: inserted before, "
            "polled after");
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_TRUE(outcome.core_minimal);
  EXPECT_EQ(decided(kLargest, {insert(2, 1, 2), insert(1, 3, 4), poll(2, 5, 6), poll(1, 7, 8)}).verdict,
            Verdict::linearizable);
}

TEST(PriorityQueueMonitor, TakesPrioritiesBesideValues) {
  EXPECT_EQ(verdict({insert_at(1, 9, 1, 2), insert_at(2, 8, 3, 4), poll(2, 5, 6), poll(1, 7, 8)}),
            Verdict::linearizable);
  EXPECT_EQ(decided(kSmallest, {insert_at(1, 9, 1, 2), insert_at(2, 8, 3, 4), peek(1, 5, 6)}).sentence,
            "peek returned 1 (priority 9) although 2 (priority 8), which goes first, was in the queue during the whole "
            "call: inserted before, not polled by then");
}

TEST(PriorityQueueMonitor, ServesEqualPrioritiesInOrderOfInsertionOnlyWhereAsked) {
  const Sketch sketch{insert_at(1, 5, 1, 2), insert_at(2, 5, 3, 4), poll(2, 5, 6), poll(1, 7, 8)};
  EXPECT_EQ(verdict(sketch), Verdict::linearizable);
  const auto outcome = decided(kFifo, sketch);
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.sentence,
            "equal priorities leave in the order of insertion, and by the times of the calls 1 (priority 5) goes "
            "before 2 (priority 5), and 2 (priority 5) goes before 1 (priority 5)");
}

TEST(PriorityQueueMonitor, SaysWhatWasInsideDuringAnEmptyPoll) {
  EXPECT_EQ(decided(kSmallest, {insert(7, 1, 2), poll(-1, 3, 4), poll(7, 5, 6)}).sentence,
            "poll returned empty although 7 was in the queue during the whole call: inserted before, polled after");
}

TEST(PriorityQueueMonitor, KeepsValuesThatAreOnlyInsideForAMoment) {
  // 2 has no certain stay, yet its poll needs a moment without 1.
  EXPECT_EQ(verdict({insert(1, 1, 2), insert(2, 3, 6), poll(2, 4, 5), poll(1, 7, 8)}), Verdict::violation);
}

TEST(PriorityQueueMonitor, SaysWhyItDoesNotApply) {
  const auto why = [](const Sketch& sketch) {
    return kPriorityQueueMonitor.applicable(build(kSmallest, sketch).part).why;
  };
  EXPECT_EQ(why({insert(7, 1, 2), insert(7, 3, 4)}), "value 7 is inserted twice");
  EXPECT_EQ(why({insert(7, 1, 2), insert(8, 3, 4)}), "no value is inserted twice");
}

// Histories on which other tools are known to answer wrongly, or not at all.
TEST(PriorityQueueMonitor, DecidesHistoriesThatMisledOtherTools) {
  EXPECT_EQ(decided(kLargest, {poll(-1, 10, 11)}).verdict, Verdict::linearizable);
  EXPECT_EQ(decided(kLargest, {insert(1, 1, 2), peek(1, 3, 4)}).verdict, Verdict::linearizable);
  EXPECT_EQ(decided(kLargest, {insert(1, 1, 2), poll(-1, 3, 4)}).verdict, Verdict::violation);
  EXPECT_EQ(decided(kLargest, {insert(1, 1, 1), poll(1, 2, 2)}).verdict, Verdict::linearizable);
  EXPECT_EQ(decided(kLargest, {insert(1, 1, 6), peek(1, 2, 3), poll(-1, 4, 5)}).verdict, Verdict::violation);
}

TEST(PriorityQueueMonitor, LetsPendingPollsTakeWhatIsInTheWay) {
  EXPECT_EQ(verdict({insert(1, 1, 2), insert(2, 3, 4), pending_poll(5), poll(2, 6, 7)}), Verdict::linearizable);
  EXPECT_EQ(verdict({insert(1, 1, 2), insert(2, 3, 4), poll(2, 6, 7), pending_poll(8)}), Verdict::violation);
  EXPECT_EQ(verdict({insert(1, 1, 2), insert(2, 3, 4), insert(3, 5, 6), pending_poll(7), poll(3, 8, 9)}),
            Verdict::violation);
}

TEST(PriorityQueueMonitor, AgreesWithTheOracleOnAllSmallHistories) {
  const Sketch labels{insert(1), insert(2), insert(3), poll(1), poll(2), poll(-1), peek(1), peek(2)};
  const Sketch classes{insert_at(1, 1), insert_at(2, 1), insert_at(3, 0), poll(1), poll(2), poll(3), poll(-1), peek(1)};
  for (const auto& [specification, set] :
       {std::pair{kSmallest, labels}, {kLargest, labels}, {kSmallest, classes}, {kFifo, classes}}) {
    CrossCheck cross(kPriorityQueueMonitor, specification);
    cross.exhaustive(set, 2, true);
    cross.exhaustive(set, 3, true);
    if (std::getenv("LINCHPIN_CROSS_COUNT") != nullptr) cross.exhaustive(set, 4, true);
    EXPECT_GT(cross.linearizable, 1000U);
    EXPECT_GT(cross.violations, 1000U);
    EXPECT_EQ(cross.undecided, 0U);
  }
}

// All interleavings of six operations, which is what cycles of three equal values need.
TEST(PriorityQueueMonitor, AgreesWithTheOracleOnAllInterleavings) {
  const bool thorough = std::getenv("LINCHPIN_CROSS_COUNT") != nullptr;
  std::vector<std::pair<std::shared_ptr<const linchpin::Specification>, Sketch>> sets{
      {kFifo, {insert_at(1, 1), insert_at(2, 1), poll(1), poll(2), peek(1)}},
      {kSmallest, {insert(1), insert(2), peek(2), poll(2), poll(1)}}};
  if (thorough) {
    sets = {{kFifo, {insert_at(1, 1), insert_at(2, 1), insert_at(3, 1), poll(1), poll(2), poll(3)}},
            {kFifo, {insert_at(1, 1), insert_at(2, 1), insert_at(3, 0), poll(1), poll(2), poll(3)}},
            {kFifo, {insert_at(1, 1), insert_at(2, 1), peek(1), peek(2), poll(1), poll(2)}},
            {kFifo, {insert_at(1, 1), insert_at(2, 1), insert_at(3, 1), peek(1), poll(2), poll(1)}},
            {kSmallest, {insert(1), insert(2), insert(3), poll(1), poll(2), poll(3)}},
            {kSmallest, {insert(1), insert(2), peek(1), peek(2), poll(1), poll(2)}},
            {kSmallest, {insert(1), insert(2), peek(2), poll(-1), poll(1), poll(2)}}};
  }
  for (auto& [specification, set] : sets) {
    CrossCheck cross(kPriorityQueueMonitor, specification);
    std::vector<std::size_t> order(set.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    do {
      Sketch sketch;
      for (const std::size_t i : order) sketch.push_back(set[i]);
      for_all_interleavings(sketch, false, [&](const Sketch& each) {
        if (cross.good()) cross.check(each);
      });
    } while (cross.good() && std::next_permutation(order.begin(), order.end()));
    EXPECT_GT(cross.linearizable, 10'000U);
    EXPECT_EQ(cross.undecided, 0U);
  }
}

TEST(PriorityQueueMonitor, AgreesWithTheOracleOnRandomHistories) { check_random(kSmallest, 50'000); }
TEST(PriorityQueueMonitor, AgreesWithTheOracleWhereTheLargestGoesFirst) { check_random(kLargest, 20'000); }
TEST(PriorityQueueMonitor, AgreesWithTheOracleWhereEqualsLeaveInOrder) { check_random(kFifo, 50'000); }

TEST(PriorityQueueMonitor, AgreesWithTheCriterionOnMediumHistories) {
  check_medium(kSmallest, ContainerReference::Kind::any_ties, false);
  check_medium(kLargest, ContainerReference::Kind::any_ties, true);
  check_medium(kFifo, ContainerReference::Kind::fifo_ties, false);
}
