// Generated histories are what they were asked to be: linearizable or not, of the asked size and shape, the same again
// for the same seed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <stop_token>

#include "generate/random_history.hpp"
#include "generate/simulation.hpp"
#include "generate/stream.hpp"
#include "generate/violation.hpp"
#include "linchpin/check.hpp"
#include "reference/reference.hpp"
#include "support/held.hpp"

namespace linchpin::generate {
namespace {

Plan plan_of(std::string_view type, std::uint64_t operations, std::uint64_t seed) {
  Plan plan;
  plan.type.name = type;
  plan.operations = operations;
  plan.processes = 4;
  plan.seed = seed;
  return plan;
}

struct Generated {
  std::vector<Row> rows;
  History history;
  std::shared_ptr<const Specification> specification;
};

Generated generated(const Plan& plan, std::optional<Where> broken = std::nullopt) {
  auto simulation = Simulation::make(plan);
  EXPECT_TRUE(simulation) << simulation.error().to_string();
  auto rows = all_rows(*simulation);
  EXPECT_TRUE(rows) << rows.error().to_string();
  if (broken) {
    const auto changed = break_history(*rows, *simulation, simulation->pool(), *broken);
    EXPECT_TRUE(changed) << changed.error().to_string();
  }
  auto history = to_history(simulation->plan(), simulation->specification(), simulation->pool(), *rows);
  EXPECT_TRUE(history) << history.error().to_string();
  return {*rows, std::move(*history), *make_specification(plan.type)};
}

bool reference_says(const Generated& from) {
  const std::vector<std::shared_ptr<const Specification>> specifications(from.history.objects().size(),
                                                                         from.specification);
  const auto parts = history::split_by_object(from.history, specifications, Ties::concurrent);
  EXPECT_TRUE(parts) << parts.error().to_string();
  return std::all_of(parts->begin(), parts->end(), [](const auto& part) { return reference::linearizable(part); });
}

/// Settings that reach every part of the simulation.
std::vector<Plan> variants(std::string_view type, std::uint64_t operations, std::uint64_t seed) {
  std::vector<Plan> plans(6, plan_of(type, operations, seed));
  plans[1].empties = true;
  plans[1].peeks = 0.3;
  plans[2].values = 3;
  plans[2].empties = true;
  plans[3].pending = 3;
  plans[3].unknown = 0.2;
  plans[4].ties = 0.4;
  plans[4].objects = 3;
  plans[4].pending = 0.2;
  plans[5].values = 2;
  plans[5].keys = 2;
  const auto specification = *make_specification({.name = std::string(type), .options = {}});
  for (const Weighted& row : find_kind(type)->methods) {
    plans[5].mix.emplace_back(specification->methods()[row.method].name, 1);
  }
  return plans;
}

class EveryKind : public testing::TestWithParam<std::string_view> {};

TEST_P(EveryKind, Generate_HistoriesAreLinearizable) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    for (const Plan& plan : variants(GetParam(), 24, seed)) {
      const Generated made = generated(plan);
      const auto verdict = check(made.history);
      ASSERT_TRUE(verdict) << verdict.error().to_string();
      ASSERT_EQ(verdict->verdict, Verdict::linearizable) << "seed " << seed;
      ASSERT_EQ(test::what_did_not_hold(*verdict), "") << "seed " << seed;
    }
    for (const Plan& plan : variants(GetParam(), 10, seed)) {
      ASSERT_TRUE(reference_says(generated(plan))) << "seed " << seed;
    }
  }
}

TEST_P(EveryKind, Generate_BrokenHistoriesAreRefuted) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Plan plan = plan_of(GetParam(), 16, seed);
    plan.empties = true;
    plan.peeks = 0.4;
    EXPECT_FALSE(reference_says(generated(plan, Where::late))) << "seed " << seed;
    EXPECT_FALSE(reference_says(generated(plan, Where::anywhere))) << "seed " << seed;
    plan.operations = 40;
    const auto verdict = check(generated(plan, Where::late).history);
    ASSERT_TRUE(verdict);
    EXPECT_EQ(verdict->verdict, Verdict::violation) << "seed " << seed;
    EXPECT_EQ(test::what_did_not_hold(*verdict), "") << "seed " << seed;
  }
}

TEST_P(EveryKind, Generate_OneSeedGivesOneHistory) {
  for (const Plan& plan : variants(GetParam(), 50, 7)) {
    const auto text = [](const Plan& of) {
      auto simulation = Simulation::make(of);
      std::string bytes;
      EXPECT_TRUE(write(*simulation, *core::find_format("text"), [&](std::string_view piece) {
        bytes += piece;
        return true;
      }));
      return bytes;
    };
    Plan other = plan;
    other.seed = 8;
    EXPECT_EQ(text(plan), text(plan));
    EXPECT_NE(text(plan), text(other));
  }
}

INSTANTIATE_TEST_SUITE_P(Types, EveryKind, testing::ValuesIn([] {
                           std::vector<std::string_view> names;
                           for (const Kind& kind : kinds()) names.push_back(kind.type);
                           return names;
                         }()),
                         [](const auto& test) {
                           std::string name(test.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Generate, OptionsOfTypesAreFollowed) {
  for (const char* type : {"queue capacity=2",
                           "stack heights=yes",
                           "stack heights=before",
                           "deque capacity=2",
                           "deque work-stealing=yes",
                           "mutex owner=yes",
                           "mutex held=yes",
                           "register initial=undefined",
                           "cas-register initial=3",
                           "semaphore initial=2",
                           "counter initial=-5",
                           "log append=index",
                           "log append=length",
                           "map results=previous",
                           "priority-queue order=largest ties=fifo",
                           "array initial=0",
                           "priority-queue order=componentwise",
                           "priority-queue order=componentwise-largest ties=fifo",
                           "priority-queue order=a<b,a<c,d ties=fifo",
                           "priority-queue capacity=2",
                           "queue unordered=[1,2,1]",
                           "stack unordered=[3,1]",
                           "deque unordered=[]",
                           "deque capacity=3 initial=[1,2]"}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Plan plan = plan_of("", 40, seed);
      plan.type = *TypeName::parse(type);
      plan.empties = true;
      const auto verdict = check(generated(plan).history);
      ASSERT_TRUE(verdict) << type;
      EXPECT_EQ(verdict->verdict, Verdict::linearizable) << type << ", seed " << seed;
    }
  }
}

TEST(Generate, PreviousValuesAreReturnedByEveryMethodThatHasThem) {
  Plan plan = plan_of("", 200, 3);
  plan.type = *TypeName::parse("map results=previous");
  plan.mix = {{"put", 1}, {"remove", 1}, {"put_if_absent", 2}};
  const auto verdict = check(generated(plan).history);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->verdict, Verdict::linearizable);
}

/// The mean number of operations in flight, weighted by ticks, without the ends.
double mean_in_flight(const std::vector<Row>& rows) {
  double covered = 0;
  for (const Row& row : rows) covered += static_cast<double>(row.response - row.call);
  return covered / static_cast<double>(rows.back().call);
}

TEST(Generate, AsManyOperationsAreInFlightAsAsked) {
  for (const double asked : {1.5, 6.0, 12.0, 26.0, 39.0}) {
    Plan plan = plan_of("queue", 40'000, 3);
    plan.processes = 40;
    plan.in_flight = asked;
    EXPECT_NEAR(mean_in_flight(generated(plan).rows), asked, 0.05 * asked);
  }
  Plan all = plan_of("queue", 20'000, 3);
  all.in_flight = 4;  // a process that returns calls again one tick later
  EXPECT_NEAR(mean_in_flight(generated(all).rows), 3.5, 0.1);
}

TEST(Generate, TheMixIsAsAsked) {
  Plan plan = plan_of("queue", 50'000, 5);
  plan.mix = {{"enq", 3}, {"deq", 1}};
  plan.peeks = 0.2;
  std::array<double, 5> counts{};
  for (const Row& row : generated(plan).rows) counts[row.method] += 1;
  EXPECT_NEAR(counts[0] / 50'000, 0.6, 0.02);
  EXPECT_NEAR(counts[1] / 50'000, 0.2, 0.02);
  EXPECT_NEAR(counts[2] / 50'000, 0.2, 0.02);
}

TEST(Generate, OperationsPendingAndObjectsAreCounted) {
  Plan plan = plan_of("set", 5000, 9);
  plan.pending = 17;
  plan.objects = 4;
  const Generated made = generated(plan);
  EXPECT_EQ(made.history.size(), 5000U);
  EXPECT_EQ(made.history.pending_count(), 17U);
  EXPECT_EQ(made.history.objects().size(), 4U);
  plan.pending = 0.01;
  EXPECT_EQ(generated(plan).history.pending_count(), 50U);
}

TEST(Generate, EmptyAnswersComeOnlyWhenAskedFor) {
  for (const char* type : {"queue", "stack", "deque", "priority-queue", "bag"}) {
    Plan plan = plan_of(type, 3000, 2);
    const auto empties = [&] {
      const Generated made = generated(plan);
      return std::count_if(made.rows.begin(), made.rows.end(), [](const Row& row) { return row.result.is_nil(); });
    };
    EXPECT_EQ(empties(), 0) << type;
    plan.empties = true;
    EXPECT_GT(empties(), 0) << type;
  }
}

TEST(Generate, PrioritiesAreDrawnWhereTheyAreNotTheValues) {
  const auto priorities = [](const char* type, std::optional<std::uint64_t> count) {
    Plan plan = plan_of("", 2000, 3);
    plan.type = *TypeName::parse(type);
    plan.priorities = count;
    std::set<std::uint64_t> seen;
    for (const Row& row : generated(plan).rows) {
      if (row.method == 0 && row.count == 2) seen.insert(row.arguments[1].bits());
    }
    return seen.size();
  };
  EXPECT_EQ(priorities("priority-queue", {}), 0U);
  EXPECT_EQ(priorities("priority-queue", 5), 5U);
  EXPECT_EQ(priorities("priority-queue ties=fifo", {}), 16U);
  EXPECT_EQ(priorities("priority-queue order=componentwise", 3), 9U);
  EXPECT_EQ(priorities("priority-queue order=a<b,c", {}), 3U);
}

TEST(Generate, UniqueValuesAreUnique) {
  for (const char* type : {"queue", "priority-queue", "set"}) {
    std::set<std::uint64_t> seen;
    for (const Row& row : generated(plan_of(type, 20'000, 4)).rows) {
      if (row.method == 0) {
        EXPECT_TRUE(seen.insert(row.arguments[0].bits()).second) << type;
      }
    }
  }
}

TEST(Generate, CallsComeInOrder) {
  Plan plan = plan_of("stack", 5000, 6);
  plan.ties = 0.3;
  const auto rows = generated(plan).rows;
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(),
                             [](const Row& left, const Row& right) { return left.call < right.call; }));
}

TEST(Generate, WritesTheSameInPartsAsAtOnce) {
  Plan plan = plan_of("map", 40'000, 6);
  plan.objects = 2;
  plan.pending = 5;
  auto simulation = Simulation::make(plan);
  std::string parts;
  int pieces = 0;
  ASSERT_TRUE(write(*simulation, *core::find_format("text"), [&](std::string_view piece) {
    parts += piece;
    return ++pieces > 0;
  }));
  EXPECT_GT(pieces, 1);
  std::string whole;
  ASSERT_TRUE(core::find_format("text")->write(generated(plan).history, whole));
  EXPECT_EQ(parts, whole);
}

TEST(Generate, WaitersOfALockDoNotKeepItsHolderAway) {
  for (const double in_flight : {1.0, 5.0, 7.0}) {
    Plan plan = plan_of("mutex", 20'000, 3);
    plan.processes = 8;
    plan.in_flight = in_flight;
    EXPECT_EQ(check(generated(plan).history)->verdict, Verdict::linearizable) << in_flight;
  }
}

TEST(Generate, LocksAreBrokenAlthoughTheyReturnNothing) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    EXPECT_FALSE(reference_says(generated(plan_of("mutex", 16, seed), Where::anywhere))) << "seed " << seed;
  }
}

TEST(Generate, LongHistoriesAreBrokenWhileTheyAreWritten) {
  Plan plan = plan_of("queue", 30'000, 6);
  bool done = false;
  auto simulation = Simulation::make(plan);
  auto rows = *all_rows(*simulation);
  const auto change = breaker(plan, Where::late, simulation->pool(), done);
  for (Row& row : rows) change(row);
  ASSERT_TRUE(done);
  const auto history = to_history(plan, simulation->specification(), simulation->pool(), rows);
  EXPECT_EQ(check(*history)->verdict, Verdict::violation);
}

TEST(Generate, SaysWhatIsWrongWithAPlan) {
  const auto code_of = [](Plan plan) {
    const auto made = Simulation::make(plan);
    return made ? std::string_view("none") : name(made.error().code);
  };
  EXPECT_EQ(code_of(plan_of("quue", 1, 1)), "unknown_type");
  Plan plan = plan_of("queue", 1, 1);
  plan.mix = {{"push_front", 1}};
  EXPECT_EQ(code_of(plan), "unknown_method");
  plan.mix = {{"enqueue", -1}};
  EXPECT_EQ(code_of(plan), "bad_option");
  plan = plan_of("queue", 1, 1);
  plan.in_flight = 5;
  EXPECT_EQ(code_of(plan), "bad_option");
  plan = plan_of("queue", 1, 1);
  plan.ties = 1.5;
  EXPECT_EQ(code_of(plan), "bad_option");
}

TEST(Generate, SaysThatAMixGetsStuck) {
  Plan plan = plan_of("queue", 10, 1);
  plan.mix = {{"dequeue", 1}};
  auto simulation = Simulation::make(plan);
  ASSERT_TRUE(simulation);
  const auto rows = all_rows(*simulation);
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code, ErrorCode::bad_option);
}

TEST(RandomHistories, TheShareOfLinearizableOnesIsAsAsked) {
  RandomPlan plan;
  plan.plan = plan_of("cas-register", 8, 11);
  plan.plan.processes = 3;
  plan.plan.values = 3;
  plan.histories = 20;
  plan.linearizable = 0.25;
  RandomHistories histories(plan);
  int linearizable = 0;
  for (int i = 0; i < 20; ++i) {
    const auto history = histories.next({});
    ASSERT_TRUE(history) << history.error().to_string();
    EXPECT_EQ(history->size(), 8U);
    linearizable += check(*history)->verdict == Verdict::linearizable ? 1 : 0;
  }
  EXPECT_EQ(linearizable, 5);
}

TEST(RandomHistories, ALabelThatNoneHasIsNotLookedForWithoutEnd) {
  RandomPlan plan;
  plan.plan = plan_of("cas-register", 200, 11);
  plan.plan.processes = 3;
  plan.linearizable = 1;
  RandomHistories histories(plan);
  const auto late = histories.next({.time = std::chrono::milliseconds(200)});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::unsupported);
  EXPECT_THAT(late.error().message, testing::EndsWith("random histories is linearizable"));
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = histories.next({.stop = stop.get_token()});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
}

}  // namespace
}  // namespace linchpin::generate
