// Late starts: held against the definition, and what is said of them.
#include "explain/late_start.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "evidence/core.hpp"
#include "evidence/start.hpp"
#include "linchpin/check.hpp"
#include "linchpin/explain.hpp"
#include "support/drawn.hpp"
#include "support/thoroughness.hpp"
#include "types/semaphore/dips.hpp"

namespace linchpin::explain {
namespace {

using testing::HasSubstr;

/// A small history of the type with one result or argument changed, which may have made a violation of it.
std::optional<History> changed_history(std::string_view type, std::uint64_t seed, double peeks = 0.3,
                                       std::uint32_t operations = 14) {
  generate::Plan plan;
  plan.type = *TypeName::parse(type);
  plan.operations = operations;
  plan.processes = 4;
  plan.values = 3;
  plan.peeks = peeks;
  plan.empties = true;
  plan.pending = static_cast<double>(seed % 3);
  plan.unknown = seed % 5 == 0 ? 0.2 : 0;
  plan.ties = seed % 2 == 0 ? 0.3 : 0;
  plan.seed = seed;
  return test::drawn(plan, {.change = true, .promises = seed % 7 == 0});
}

class LateStarts : public testing::TestWithParam<std::string> {};

TEST_P(LateStarts, AreThereOnlyForViolationsAndProveThem) {
  core::Budget budget(Limits{});
  std::size_t found = 0, late = 0;
  const std::uint64_t seeds = test::random_histories(3000);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const auto history = changed_history(GetParam(), seed);
    if (!history) continue;
    for (const Ties ties : {Ties::concurrent, Ties::response_first}) {
      const std::vector specifications{*make_specification(history->objects()[0].type)};
      const Specification& specification = *specifications[0];
      const auto parts = history::split_by_object(*history, specifications, ties);
      ASSERT_TRUE(parts);
      const history::Subhistory& part = (*parts)[0];
      const auto start = find_late_start(part, 10'000'000, budget);
      std::vector<OperationIndex> all(history->size());
      std::iota(all.begin(), all.end(), linchpin::OperationIndex(0));
      const auto linearizable = evidence::linearizable_alone(*history, all, specification, ties, budget);
      if (!start) continue;
      ASSERT_EQ(linearizable, std::optional(false)) << seed;
      ++found;
      std::vector<OperationIndex> core;
      for (const std::uint32_t local : start->locals) core.push_back(part.operation[local]);
      std::sort(core.begin(), core.end());
      late += core.size() < history->size() ? 1 : 0;
      const Tick until = evidence::known_until(*history, 0, specification, core, start->tick, *start->from);
      EXPECT_EQ(evidence::linearizable_alone(*history, core, *start->from, ties, budget, evidence::kMostSteps, until),
                std::optional(false))
          << seed;
      const auto leads = [&](std::span<const OperationIndex> operations, const Specification& from) {
        return evidence::leads_to(*history, 0, specification, ties, operations, start->tick, from, budget);
      };
      EXPECT_EQ(leads(core, *start->from), std::optional(true)) << seed << " " << start->from->name();
      // The check would notice another state, and an operation that is missing. Of other keys neither matters.
      const auto of_one_key = [&](std::span<const OperationIndex> operations) {
        return evidence::operations_at_stake(*history, 0, specification, operations, history->size())->size() <
               history->size();
      };
      if (of_one_key(core)) continue;
      for (const char* const other :
           {"free", "held", "0", "1", "2", "nil", "count 0", "count 1", "count 2", "[1]", "{1}"}) {
        if (other == start->state) continue;
        const auto from = starting_in(specification, other, history->pool());
        if (from == nullptr) continue;
        EXPECT_EQ(leads(core, *from), std::optional(false)) << seed << " " << other;
      }
      for (std::size_t k = 0; k + 1 < start->locals.size(); ++k) {
        const std::uint32_t local = start->locals[k];
        if (specification.pure(part.view(local)) || history->call(part.operation[local]) < start->tick) continue;
        if (history->call(part.operation[local]) == history->call(part.operation[start->locals.back()])) continue;
        std::vector<OperationIndex> fewer = core;
        std::erase(fewer, part.operation[local]);
        if (of_one_key(fewer)) continue;
        EXPECT_EQ(leads(fewer, *start->from), std::optional(false)) << seed;
      }
    }
  }
  EXPECT_GT(found, seeds / 10);
  EXPECT_GT(late, found / 4);
}

/// Histories in which the search decides a key at a time and the other keys go on: nothing of this is refused.
TEST(LateStart, OfOneKeyOfSeveralIsHeldAgainstThatKey) {
  const std::uint64_t seeds = test::random_histories(5000);
  std::size_t of_keys = 0;
  for (std::uint64_t seed = 5; seed < seeds; seed += 5) {  // those that lose results
    const auto history = changed_history("set", seed, 0.1, 80);
    if (!history) continue;
    const auto verdict = check(*history, {.verify = Verify::thoroughly});
    ASSERT_TRUE(verdict) << seed;
    const ObjectVerdict& object = verdict->objects[0];
    EXPECT_TRUE(object.refused_evidence.empty()) << seed;
    const bool late = object.violation && object.violation->start;
    of_keys += late && object.violation->start->state.find(" of the key ") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(of_keys, seeds / 1000);
}

INSTANTIATE_TEST_SUITE_P(Types, LateStarts,
                         testing::Values("counter", "register", "cas-register", "cas-register failed-cas=drop", "rmw",
                                         "semaphore", "mutex", "mutex owner=yes", "queue", "queue capacity=2", "stack",
                                         "deque", "deque capacity=2", "deque work-stealing=yes", "priority-queue",
                                         "priority-queue order=componentwise", "bag", "set", "ConcurrentLinkedQueue",
                                         "LinkedBlockingDeque", "PriorityBlockingQueue"));

// What the semaphores' decider says of a moment is found to be so by what checks it.
TEST(LateStart, OfASemaphoreIsWhereOneConfigurationIsLeft) {
  core::Budget budget(Limits{});
  std::size_t found = 0, late = 0, beside_pending = 0;
  const std::uint64_t seeds = test::random_histories(6000);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const auto history = changed_history(seed % 7 == 0 ? "semaphore initial=2" : "semaphore", seed, 0);
    if (!history) continue;
    for (const Ties ties : {Ties::concurrent, Ties::response_first}) {
      const std::vector specifications{*make_specification(history->objects()[0].type)};
      const auto parts = history::split_by_object(*history, specifications, ties);
      ASSERT_TRUE(parts);
      const history::Subhistory& part = (*parts)[0];
      if (!types::semaphore::applicable(part).applies) continue;
      const core::Outcome outcome = types::semaphore::decide(part, {}, budget);
      if (outcome.verdict != Verdict::violation || outcome.certain.rank == 0) continue;
      const auto start = late_start_at(part, outcome.certain, *outcome.blocked);
      ASSERT_TRUE(start) << seed;
      ++found;
      std::vector<OperationIndex> core;
      for (const std::uint32_t local : start->locals) core.push_back(part.operation[local]);
      std::sort(core.begin(), core.end());
      late += core.size() < history->size() ? 1 : 0;
      beside_pending += part.pending_count > 0 ? 1 : 0;
      const Tick until = evidence::known_until(*history, 0, *specifications[0], core, start->tick, *start->from);
      EXPECT_EQ(evidence::linearizable_alone(*history, core, *start->from, ties, budget, evidence::kMostSteps, until),
                std::optional(false))
          << seed;
      EXPECT_EQ(evidence::leads_to(*history, 0, *specifications[0], ties, core, start->tick, *start->from, budget),
                std::optional(true))
          << seed << " " << start->from->name() << " from " << start->tick;
    }
  }
  EXPECT_GT(found, seeds / 12);
  EXPECT_GT(late, found / 2);
  EXPECT_GT(beside_pending, found / 4);
}

HistoryBuilder::Operation increments(Tick call, Tick response) {
  return {.method = "increment", .call = call, .response = response};
}

TEST(LateStart, MakesTheCoreOfACounterSmall) {
  HistoryBuilder builder;
  builder.set_type({.name = "counter", .options = {}});
  for (Tick k = 0; k < 100; ++k) builder.add(increments(10 * k, 10 * k + 15));
  builder.add({.method = "read", .result = Value::integer(42), .call = 2000, .response = 2001});
  const History history = std::move(*std::move(builder).build());
  CheckOptions options;
  options.verify = Verify::thoroughly;
  const auto verdict = check(history, options);
  const ObjectVerdict& object = verdict->objects[0];
  EXPECT_EQ(object.violation->core, (std::vector<OperationIndex>{100}));
  ASSERT_TRUE(object.violation->start);
  EXPECT_EQ(object.violation->start->type, "counter initial=100");
  EXPECT_EQ(object.violation->start->state, "100");
  EXPECT_EQ(object.core_checked, true);
  const auto explanation = explain_verdict(history, *verdict);
  ASSERT_EQ(explanation->objects[0].attempts.size(), 1U);
  EXPECT_EQ(explanation->objects[0].attempts[0].order.initial, "100");
}

TEST(LateStart, IsLeftAloneWhereAFewOperationsBeginAtTheBeginning) {
  HistoryBuilder builder;
  builder.set_type({.name = "counter", .options = {}});
  builder.add(increments(1, 2));
  builder.add({.method = "read", .result = Value::integer(5), .call = 3, .response = 4});
  const History history = std::move(*std::move(builder).build());
  EXPECT_FALSE(check(history)->objects[0].violation->start);
}

TEST(LateStart, IsOnlyForStatesThatAnOptionNames) {
  HistoryBuilder builder;
  const Value word = builder.pool().string("blue");
  const History history = std::move(*std::move(builder).build());
  const auto specification = *make_specification({.name = "register", .options = {{"initial", "3"}}});
  EXPECT_EQ(starting_in(*specification, "7", history.pool())->name(), "register initial=7");
  EXPECT_EQ(starting_in(*specification, "undefined", history.pool())->name(), "register initial=undefined");
  EXPECT_EQ(starting_in(*specification, history.pool().to_text(word), history.pool()), nullptr);
  const auto queue = *make_specification({.name = "queue", .options = {{"capacity", "3"}}});
  EXPECT_EQ(starting_in(*queue, "[]", history.pool())->name(), "queue capacity=3");
  EXPECT_EQ(starting_in(*queue, "[3, 1]", history.pool())->name(), "queue capacity=3 initial=[3,1]");
  EXPECT_EQ(starting_in(*queue, "[blue]", history.pool()), nullptr);
  EXPECT_EQ(starting_in(*queue, "[1, 2, 3, 4]", history.pool()), nullptr);
  EXPECT_EQ(starting_in(**make_specification({.name = "log", .options = {}}), "[]", history.pool()), nullptr);
}

// Who checks a core does not know that true and nothing say the same, so it is not asked to.
TEST(LateStart, OfASemaphoreIsNotClaimedWhereItsAnswersDiffer) {
  const Value yes = Value::boolean(true), no = Value::boolean(false), done = Value::none();
  HistoryBuilder builder;
  builder.set_type({.name = "semaphore", .options = {}});
  const auto add = [&](const char* method, Value result, Tick call, Tick response) {
    builder.add({.method = method, .result = result, .call = call, .response = response});
  };
  add("increment", yes, 3, 9);
  add("increment", yes, 4, 17);
  add("decrement", done, 5, 13);
  add("increment", yes, 6, 25);
  add("increment", done, 10, 19);
  add("decrement", done, 11, 32);
  add("increment", done, 12, 15);
  add("decrement", yes, 14, 30);
  add("increment", yes, 16, 23);
  add("decrement", done, 18, 21);
  add("decrement", no, 20, 26);
  add("decrement", done, 22, 24);
  add("increment", done, 27, 31);
  add("decrement", no, 28, 29);
  const auto verdict = check(*std::move(builder).build(), {.verify = Verify::thoroughly});
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->verdict, Verdict::violation);
  EXPECT_TRUE(verdict->objects[0].refused_evidence.empty());
  EXPECT_EQ(verdict->objects[0].core_checked, std::optional(true));
}

// What other objects did in between is no part of it.
TEST(LateStart, IsCheckedOnTheObjectsOwnOperations) {
  HistoryBuilder builder;
  builder.set_type({.name = "register", .options = {}});
  const ObjectIndex other = builder.object("other"), own = builder.object("own");
  const auto add = [&](ObjectIndex object, const char* method, std::int64_t value, Tick call) {
    const bool reads = std::string_view(method) == "read";
    HistoryBuilder::Operation operation{.object = object, .method = method, .call = call, .response = call + 1};
    if (reads) {
      operation.result = Value::integer(value);
    } else {
      operation.arguments = {Value::integer(value)};
    }
    return builder.add(operation);
  };
  add(other, "write", 8, 1);
  add(own, "write", 1, 3);
  add(other, "write", 9, 5);
  const std::vector core{add(own, "write", 2, 7), add(own, "read", 1, 9)};
  const auto history = std::move(builder).build();
  ASSERT_TRUE(history);
  const auto specification = *make_specification({.name = "register", .options = {}});
  core::Budget budget(Limits{});
  const auto leads = [&](const char* state) {
    const auto from = starting_in(*specification, state, history->pool());
    return evidence::leads_to(*history, own, *specification, Ties::concurrent, core, 7, *from, budget);
  };
  EXPECT_EQ(leads("1"), std::optional(true));
  EXPECT_EQ(leads("8"), std::optional(false));
  EXPECT_EQ(leads("9"), std::optional(false));
}

/// Of a user's own, with the name of one of ours.
struct Doubling {
  using State = std::int64_t;
  static constexpr std::array methods{Method{"double", 0}};
  static State initial() { return 1; }
  static bool step(State& state, const Operation&) {
    state *= 2;
    return true;
  }
};

TEST(LateStart, IsNotForATypeOfTheSameNameAsOneOfOurs) {
  const History history = std::move(*HistoryBuilder().build());
  EXPECT_EQ(starting_in(*specify<Doubling>("counter"), "1", history.pool()), nullptr);
}

}  // namespace
}  // namespace linchpin::explain
