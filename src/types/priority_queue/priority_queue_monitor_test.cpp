#include <gtest/gtest.h>

#include "support/container_reference.hpp"
#include "support/cross_check.hpp"
#include "support/medium_check.hpp"
#include "support/thoroughness.hpp"
#include "types/container_binding.hpp"
#include "types/priority_queue/check.hpp"
#include "types/priority_queue/classes.hpp"
#include "types/priority_queue/monitor.hpp"
#include "types/priority_queue/specification.hpp"

namespace priority_queue_monitor_test {

namespace {

using linchpin::Value;
using linchpin::Verdict;
using linchpin::types::kPriorityQueueMonitor;
using linchpin::types::PriorityQueue;
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

const auto kSmallest = specification_of("priority-queue");
const auto kLargest = specification_of("priority-queue order=largest");
const auto kFifo = specification_of("priority-queue ties=fifo");
// One above two, and one below; what only some of them are above; and pairs of 0 to 2, spelled out: 3 a + b is [a b].
const auto kDiamond = specification_of("priority-queue order=0<1,0<2,1<3,2<3");
const auto kDiamondFifo = specification_of("priority-queue order=0<1,0<2,1<3,2<3 ties=fifo");
const auto kForest = specification_of("priority-queue order=0<1<2,3 ties=fifo");
const char* const kGridOrder = "order=0<1<2<5<8,0<3<6<7<8,1<4<7,3<4<5";

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

/// Drafts with priorities below `priorities`, of values 1 and up.
Drafter ranked_drafts(Random& random, std::size_t most, bool peeks, bool empties, std::size_t priorities) {
  const std::size_t count = 1 + below(random, most);
  return [next = std::size_t{0}, count, peeks, empties, priorities](Random& generator) mutable {
    if (next < count && below(generator, 2) == 0) {
      const auto value = static_cast<std::int64_t>(++next);
      return Draft{PriorityQueue::kInsert,
                   {Value::integer(value), Value::integer(static_cast<std::int64_t>(below(generator, priorities)))},
                   {Value::none()}};
    }
    std::vector<Value> results;
    for (std::size_t i = 1; i <= std::min(count, next + 1); ++i) {
      results.push_back(Value::integer(static_cast<std::int64_t>(i)));
    }
    if (empties || results.empty()) results.push_back(Value::nil());
    const bool look = peeks && below(generator, 3) == 0;
    return Draft{look ? PriorityQueue::kPeek : PriorityQueue::kPoll, {}, results};
  };
}

void check_random_ranked(const std::shared_ptr<const linchpin::Specification>& specification, std::size_t priorities,
                         std::size_t count) {
  CrossCheck cross(kPriorityQueueMonitor, specification);
  cross.random(
      [&](Random& random) {
        const bool peeks = below(random, 2) == 0;
        return ranked_drafts(random, 6, peeks, below(random, 2) == 0, priorities);
      },
      results(), 13, count);
  EXPECT_GT(cross.linearizable, cross.histories / 5);
  EXPECT_GT(cross.violations, cross.histories / 10);
  EXPECT_EQ(cross.undecided, 0U);
}

/// `before` is the order once more, for the criterion.
void check_medium_ranked(const std::shared_ptr<const linchpin::Specification>& specification,
                         ContainerReference::Kind kind, std::size_t priorities,
                         const std::function<bool(std::int64_t, std::int64_t)>& before) {
  const auto better = [&](Value left, Value right, const linchpin::ValuePool&) {
    return before(left.integer(), right.integer());
  };
  MediumCheck check(kPriorityQueueMonitor, specification, [&](const linchpin::history::Subhistory& part) {
    return ContainerReference(part, kind, better).linearizable();
  });
  check.random(
      [&](Random& random) {
        const bool peeks = below(random, 3) != 0;
        return ranked_drafts(random, 50, peeks, below(random, 4) != 0, priorities);
      },
      results());
  EXPECT_GT(check.linearizable, check.histories / 5);
  EXPECT_GT(check.violations, check.histories / 20);
  EXPECT_EQ(check.undecided, 0U);
}

bool diamond(std::int64_t left, std::int64_t right) { return left < right && (left == 0 || right == 3); }
bool grid(std::int64_t left, std::int64_t right) {
  return left != right && left / 3 <= right / 3 && left % 3 <= right % 3;
}

/// The sketch with the priorities 3 a + b as lists [a b].
Built build_pairs(const std::shared_ptr<const linchpin::Specification>& specification, const Sketch& sketch) {
  linchpin::HistoryBuilder builder;
  linchpin::ProcessId process = 0;
  for (const SketchedOperation& operation : sketch) {
    std::vector<Value> arguments = operation.arguments;
    if (arguments.size() == 2) {
      const std::int64_t code = arguments[1].integer();
      arguments[1] = builder.pool().list({Value::integer(code / 3), Value::integer(code % 3)});
    }
    builder.add({.process = process++,
                 .method = specification->methods()[operation.method].name,
                 .arguments = arguments,
                 .result = operation.result,
                 .call = operation.call,
                 .response = operation.response});
  }
  Built built{specification, std::make_unique<linchpin::History>(*std::move(builder).build()), {}};
  const std::array specifications{specification};
  built.part = (*linchpin::history::split_by_object(*built.history, specifications, linchpin::Ties::concurrent))[0];
  return built;
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
            "equal priorities leave in the order of insertion, 1 (priority 5) was inserted before 2 (priority 5) and 2 "
            "(priority 5) can be polled only before 1 (priority 5)");
}

// Figures 2 and 5 of the paper (Bouajjani, Enea, Wang, 2017).
TEST(PriorityQueueMonitor, SaysWhichValuesCoverAnother) {
  EXPECT_EQ(decided(kFifo, {insert_at(4, 1, 0, 1), insert_at(2, 4, 2, 3), poll(2, 4, 15), insert_at(5, 2, 5, 6),
                            poll(4, 7, 8), insert_at(6, 3, 9, 10), poll(5, 11, 12), poll(6, 16, 17)})
                .sentence,
            "poll returned 2 (priority 4) although it is covered by 6 (priority 3), 5 (priority 2) and 4 (priority 1): "
            "at each moment of the call one of these, which go first, was in the queue");
  EXPECT_EQ(
      decided(kFifo, {insert_at(1, 4, 0, 1), insert_at(2, 4, 2, 3), poll(2, 4, 12), insert_at(3, 1, 5, 6),
                      poll(1, 7, 20), poll(3, 13, 14)})
          .sentence,
      "equal priorities leave in the order of insertion, 1 (priority 4) was inserted before 2 (priority 4) and 2 "
      "(priority 4) can be polled only before 1 (priority 4), since 3 (priority 1) goes first while in the queue");
}

TEST(PriorityQueueMonitor, TakesNilForAPriorityLikeAnyOther) {
  Sketch sketch{insert_at(1, 0, 1, 2), insert_at(2, 5, 3, 4), poll(2, 5, 6)};
  sketch[0].arguments[1] = Value::nil();
  EXPECT_EQ(verdict(sketch), Verdict::violation);
  EXPECT_EQ(decided(kLargest, sketch).verdict, Verdict::linearizable);
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
    if (!few()) cross.exhaustive(set, 3, true);
    if (thorough()) cross.exhaustive(set, 4, true);
    EXPECT_GT(cross.linearizable, few() ? 10U : 1000U);
    EXPECT_GT(cross.violations, few() ? 10U : 1000U);
    EXPECT_EQ(cross.undecided, 0U);
  }
}

// All interleavings of six operations, which is what cycles of three equal values need.
TEST(PriorityQueueMonitor, AgreesWithTheOracleOnAllInterleavings) {
  std::vector<std::pair<std::shared_ptr<const linchpin::Specification>, Sketch>> sets{
      {kFifo, {insert_at(1, 1), insert_at(2, 1), poll(1), poll(2), peek(1)}},
      {kSmallest, {insert(1), insert(2), peek(2), poll(2), poll(1)}}};
  if (thorough()) {
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

TEST(PriorityQueueMonitor, AgreesWithTheOracleOnAllSmallHistoriesOfPartialOrders) {
  const Sketch labels{insert_at(1, 1), insert_at(2, 2), insert_at(3, 0), insert_at(4, 3), insert_at(5, 1),
                      poll(1),         poll(2),         poll(4),         poll(-1),        peek(4)};
  for (const auto& specification : {kDiamond, kDiamondFifo}) {
    CrossCheck cross(kPriorityQueueMonitor, specification);
    cross.exhaustive(labels, 2, true);
    if (!few()) cross.exhaustive(labels, 3, true);
    if (thorough()) cross.exhaustive(labels, 4, true);
    EXPECT_GT(cross.linearizable, few() ? 10U : 1000U);
    EXPECT_GT(cross.violations, few() ? 10U : 1000U);
    EXPECT_EQ(cross.undecided, 0U);
  }
}

TEST(PriorityQueueMonitor, AgreesWithTheOracleOnPartialOrders) {
  check_random_ranked(kDiamond, 4, 20'000);
  check_random_ranked(kDiamondFifo, 4, 20'000);
  check_random_ranked(kForest, 4, 20'000);
  check_random_ranked(specification_of(std::string("priority-queue ") + kGridOrder), 9, 10'000);
}

TEST(PriorityQueueMonitor, AgreesWithTheCriterionOnMediumHistoriesOfPartialOrders) {
  check_medium_ranked(kDiamond, ContainerReference::Kind::any_ties, 4, diamond);
  check_medium_ranked(kDiamondFifo, ContainerReference::Kind::fifo_ties, 4, diamond);
  check_medium_ranked(specification_of(std::string("priority-queue ") + kGridOrder), ContainerReference::Kind::any_ties,
                      9, grid);
}

// Pairs compared by components are the relation spelled out; each way of knowing the open gaps gives the same answers.
TEST(PriorityQueueMonitor, ComparesComponentsInEveryWay) {
  for (const std::string ties : {" ties=any", " ties=fifo"}) {
    const auto spelled_out = specification_of("priority-queue " + (kGridOrder + ties));
    const auto pairs = specification_of("priority-queue order=componentwise" + ties);
    const auto states = spelled_out->make_states();
    Oracle oracle(*pairs);
    Random random(environment_number("LINCHPIN_CROSS_SEED", 20240607));
    const std::size_t count = random_histories(20'000) / 2;
    std::size_t linearizable = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (states->bound() > 100'000) states->retain({});
      Sketch sketch = random_sketch(random, *states, ranked_drafts(random, 20, true, below(random, 3) == 0, 9),
                                    {.operations = 1 + below(random, 40),
                                     .most_open = 1 + below(random, 6),
                                     .pending = 0,
                                     .by_simulation = below(random, 20) != 0});
      if (below(random, 2) == 0) mutate(random, sketch, results());
      if (!valid(sketch)) continue;
      const Built listed = build_pairs(pairs, sketch);
      linchpin::core::Budget budget{linchpin::Limits{}};
      const auto related = kPriorityQueueMonitor.decide(build(spelled_out, sketch).part, {.witness = false}, budget);
      const auto outcome = kPriorityQueueMonitor.decide(listed.part, {.witness = true}, budget);
      ASSERT_EQ(outcome.verdict, related.verdict) << to_text(listed.part);
      if (outcome.verdict == Verdict::linearizable) {
        ++linearizable;
        ASSERT_TRUE(oracle.valid_witness(listed.part, outcome.witness)) << to_text(listed.part);
      }
      linchpin::algo::ContainerHistory reading;
      const linchpin::types::ContainerMethods methods{PriorityQueue::kInsert,  PriorityQueue::kPoll,
                                                      PriorityQueue::kPeek,    PriorityQueue::kSize,
                                                      PriorityQueue::kIsEmpty, "inserted"};
      ASSERT_TRUE(linchpin::types::bind_container(listed.part, methods, reading).applies);
      const auto classes =
          linchpin::types::priority_classes(listed.part, reading, pairs->get_if<PriorityQueue>()->order);
      if (classes.order == nullptr) continue;
      for (const auto method : {linchpin::types::OpenGaps::Method::rows, linchpin::types::OpenGaps::Method::stabbing,
                                linchpin::types::OpenGaps::Method::plane}) {
        linchpin::algo::ContainerHistory again = reading;
        linchpin::types::PriorityQueueCheck check(again, classes, ties == " ties=fifo", method);
        const auto result = check.run(budget, true);
        ASSERT_EQ(result == linchpin::types::PriorityQueueCheck::Result::linearizable,
                  outcome.verdict == Verdict::linearizable)
            << to_text(listed.part);
        if (outcome.verdict != Verdict::linearizable) continue;
        const auto witness = check.witness();
        ASSERT_TRUE(witness && oracle.valid_witness(listed.part, *witness)) << to_text(listed.part);
      }
    }
    EXPECT_GT(linearizable, count / 5);
    EXPECT_LT(linearizable, count * 9 / 10);
  }
}

}  // namespace priority_queue_monitor_test
