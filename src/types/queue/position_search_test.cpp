// The search by position, for queues in which values repeat.
#include "types/queue/position_search.hpp"

#include <gtest/gtest.h>

#include "support/found_within.hpp"
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

void cross_check(const test::Drafter& drafter, std::size_t count, const types::queue::PositionEffort& effort = {}) {
  test::SearchCheck check{.specification = test::specification_of("queue"),
                          .applicable = types::queue::positions_applicable,
                          .decide =
                              [=](const history::Subhistory& part, core::Budget& budget) {
                                return types::queue::decide_positions(part, {.witness = true}, budget, effort);
                              },
                          .results = {Value::nil(), Value::integer(1), Value::integer(2), Value::integer(3)}};
  check.random(drafter, 10, count);
  EXPECT_GT(check.applied, check.drawn / 2);
}

TEST(PositionSearch, AgreesWithTheOracleWithPeeksAndPendingDequeues) {
  cross_check(drafter(2, 2), 8000);
  cross_check(drafter(3, 3), 4000);
}

TEST(PositionSearch, AgreesWithTheOracleWithoutPeeks) { cross_check(drafter(2, 0), 4000); }

TEST(PositionSearch, RefutesNothingTrueWithAnUnknownPast) {
  for (const std::uint32_t past : {0U, 1U, 2U}) {
    cross_check(drafter(2, 0), 4000, {.patience = 1, .past = past});
    cross_check(drafter(2, 2), 4000, {.patience = 1, .past = past});
    cross_check(drafter(3, 1), 2000, {.patience = 1, .past = past});
  }
}

// The last of 65 enqueues that were open together is dequeued first, or a value that none of them put in.
TEST(PositionSearch, DecidesManyOpenEnqueues) {
  for (const std::int64_t value : {1, 2}) {
    HistoryBuilder builder;
    for (Tick i = 0; i < 65; ++i) {
      builder.add({.process = static_cast<ProcessId>(i),
                   .method = "enqueue",
                   .arguments = {Value::integer(i / 64)},
                   .call = i,
                   .response = 100 + i});
    }
    builder.add({.process = 99, .method = "dequeue", .result = Value::integer(value), .call = 300, .response = 301});
    const auto specification = test::specification_of("queue");
    const auto history = std::move(builder).build();
    ASSERT_TRUE(history);
    const std::array specifications{specification};
    const auto parts = history::split_by_object(*history, specifications, Ties::concurrent);
    core::Budget budget{Limits{}};
    const auto outcome = types::queue::decide_positions((*parts)[0], {}, budget, {});
    EXPECT_EQ(outcome.verdict, value == 1 ? Verdict::linearizable : Verdict::violation);
  }
}

TEST(PositionSearch, DecidesAlikeWhateverIsTried) {
  const auto specification = test::specification_of("queue");
  const auto states = specification->make_states();
  Random random(5);
  std::size_t violations = 0;
  for (int i = 0; i < 200; ++i) {
    test::Sketch sketch = test::random_sketch(random, *states, drafter(i % 4 < 2 ? 2 : 3, i % 3),
                                              {.operations = 300, .most_open = 7, .pending = 0});
    if (i % 4 != 0) test::mutate(random, sketch, std::vector<Value>{Value::integer(1), Value::integer(2)});
    if (!std::all_of(sketch.begin(), sketch.end(), [](const auto& o) { return o.call < o.response; })) continue;
    const test::Built built = test::build(specification, sketch);
    core::Budget budget{Limits{}};
    const auto all = types::queue::decide_positions(built.part, {}, budget, {.patience = UINT64_MAX});
    for (const std::uint32_t past : {2U, 8U, 32U}) {
      const auto few = types::queue::decide_positions(built.part, {}, budget, {.patience = 1, .past = past});
      ASSERT_EQ(all.verdict, few.verdict);
    }
    violations += all.verdict == Verdict::violation ? 1 : 0;
  }
  EXPECT_GT(violations, 20U);
}

// Which value a pending dequeue took shows much later. Some of these were not decided in so many steps while a pending
// dequeue took a value before those that returned were tried.
TEST(PositionSearch, SoonFindsWhatPendingDequeuesTook) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const generate::Plan plan{.type = {.name = "queue"},
                              .operations = 1000,
                              .processes = 10,
                              .in_flight = 8,
                              .values = 5,
                              .pending = 20,
                              .seed = seed};
    test::expect_found_within(200'000, plan, types::queue::kPositionSearch);
  }
}

TEST(PositionSearch, SaysHowFarItGot) {
  const auto specification = test::specification_of("queue");
  test::Oracle oracle(*specification);
  const auto states = specification->make_states();
  Random random(11);
  std::size_t longest = 0;
  for (int i = 0; i < 3000; ++i) {
    const test::Sketch sketch =
        test::random_sketch(random, *states, drafter(3, 2), {.operations = 25, .most_open = 5, .pending = 0.1});
    const test::Built built = test::build(specification, sketch);
    if (!types::queue::positions_applicable(built.part).applies) continue;
    const auto task = types::queue::start_positions(built.part, {.witness = true});
    core::Budget budget{Limits{}};
    if (task->run(test::below(random, 12), budget)) continue;
    const core::Outcome outcome = task->outcome();
    ASSERT_EQ(outcome.verdict, Verdict::unknown);
    // A linearization of its operations, and nothing that is left out happens before one of them.
    std::vector<std::uint32_t> kept = outcome.longest;
    std::sort(kept.begin(), kept.end());
    const history::Subhistory part = history::restrict(built.part, kept);
    std::vector<std::uint32_t> order;
    for (const std::uint32_t local : outcome.longest) {
      order.push_back(static_cast<std::uint32_t>(std::lower_bound(kept.begin(), kept.end(), local) - kept.begin()));
    }
    ASSERT_TRUE(oracle.valid_witness(part, order)) << test::to_text(built.part);
    for (std::uint32_t out = 0; out < built.part.size(); ++out) {
      if (std::binary_search(kept.begin(), kept.end(), out)) continue;
      for (const std::uint32_t in : kept) ASSERT_FALSE(built.part.happens_before(out, in)) << test::to_text(built.part);
    }
    longest = std::max(longest, kept.size());
  }
  EXPECT_GT(longest, 12U);
}

}  // namespace
}  // namespace linchpin
