// Every method of every type of the registry is generated: it occurs, completed and pending, in histories that the
// checker and the reference find linearizable, and histories of all methods are broken where that is promised.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cross/type_variants.hpp"
#include "generate/random_history.hpp"
#include "generate/simulation.hpp"
#include "generate/stream.hpp"
#include "generate/violation.hpp"
#include "linchpin/check.hpp"
#include "reference/reference.hpp"
#include "support/held.hpp"
#include "types/queue/specification.hpp"

namespace linchpin::generate::methods_test {
namespace {

constexpr std::uint64_t kMostSeeds = 400;  // a method that so many histories lack is never drawn

Plan plan_of(const std::string& type, std::uint64_t operations, std::uint64_t seed) {
  Plan plan;
  plan.type = *TypeName::parse(type);
  plan.operations = operations;
  plan.processes = 3;
  plan.in_flight = 2;
  plan.all_methods = true;
  plan.seed = seed;
  return plan;
}

/// The settings in turn, so that every method meets each of them.
Plan varied(Plan plan) {
  plan.empties = plan.seed % 2 == 0;
  plan.keys = 2 + plan.seed % 3;
  if (plan.seed % 3 == 1) plan.values = 2;
  if (plan.seed % 3 == 2) plan.values = 0;
  if (plan.seed % 5 == 4) plan.peeks = 0.5;
  return plan;
}

History history_of(const Plan& plan, const Simulation& simulation, const ValuePool& pool,
                   const std::vector<Row>& rows) {
  auto history = to_history(simulation.plan(), simulation.specification(), pool, rows);
  EXPECT_TRUE(history) << plan.type.to_string() << ", seed " << plan.seed;
  return std::move(*history);
}

/// The verdict of `check` with its evidence checked, which the reference is asked to confirm.
Verdict verdict_of(const History& history, const Plan& plan) {
  CheckOptions options;
  options.verify = Verify::thoroughly;
  const auto checked = check(history, options);
  EXPECT_TRUE(checked) << checked.error().to_string();
  if (!checked) return Verdict::unknown;
  EXPECT_EQ(test::what_did_not_hold(*checked), "") << plan.type.to_string() << ", seed " << plan.seed;
  const std::array specifications{*make_specification(plan.type)};
  const auto parts = history::split_by_object(history, specifications, Ties::concurrent);
  EXPECT_TRUE(parts);
  EXPECT_EQ(reference::linearizable((*parts)[0]), checked->verdict == Verdict::linearizable)
      << plan.type.to_string() << ", seed " << plan.seed;
  return checked->verdict;
}

class EveryMethod : public testing::TestWithParam<std::string> {};

TEST_P(EveryMethod, Generate_TheModelKnowsIt) {
  const auto type = *TypeName::parse(GetParam());
  const Kind* const kind = find_kind(core::find_data_type(type.name)->name);
  ASSERT_NE(kind, nullptr) << "src/generate/models/registry.cpp has no row for this type";
  std::multiset<std::size_t> known;
  for (const Weighted& row : kind->methods) known.insert(row.method);
  std::multiset<std::size_t> all;
  for (std::size_t method = 0; method < (*make_specification(type))->methods().size(); ++method) all.insert(method);
  EXPECT_EQ(known, all);
}

TEST_P(EveryMethod, Generate_OccursInLinearizableHistoriesCompletedAndPending) {
  const std::size_t methods = (*make_specification(*TypeName::parse(GetParam())))->methods().size();
  std::set<std::size_t> completed, pending;
  std::uint64_t seed = 0;
  while (++seed <= 24 || (seed <= kMostSeeds && (completed.size() < methods || pending.size() < methods))) {
    Plan plan = varied(plan_of(GetParam(), 9, seed));
    plan.pending = 2;
    plan.unknown = seed % 4 == 0 ? 0.2 : 0;
    auto simulation = Simulation::make(plan);
    ASSERT_TRUE(simulation) << simulation.error().to_string();
    const auto rows = all_rows(*simulation);
    ASSERT_TRUE(rows) << rows.error().to_string();
    for (const Row& row : *rows) (row.response == kPending ? pending : completed).insert(row.method);
    const History history = history_of(plan, *simulation, simulation->pool(), *rows);
    ASSERT_EQ(verdict_of(history, plan), Verdict::linearizable) << "seed " << seed;
  }
  EXPECT_EQ(completed.size(), methods);
  EXPECT_EQ(pending.size(), methods);
}

TEST_P(EveryMethod, Generate_IsAcceptedInLongerHistories) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Plan plan = varied(plan_of(GetParam(), 60, seed));
    auto simulation = Simulation::make(plan);
    ASSERT_TRUE(simulation) << simulation.error().to_string();
    const auto rows = all_rows(*simulation);
    ASSERT_TRUE(rows) << rows.error().to_string();
    CheckOptions options;
    options.verify = Verify::thoroughly;
    const auto checked = check(history_of(plan, *simulation, simulation->pool(), *rows), options);
    ASSERT_TRUE(checked) << checked.error().to_string();
    ASSERT_EQ(checked->verdict, Verdict::linearizable) << "seed " << seed;
  }
}

TEST_P(EveryMethod, Generate_HistoriesOfAllAreBroken) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Plan plan = varied(plan_of(GetParam(), 12, seed));
    auto simulation = Simulation::make(plan);
    ASSERT_TRUE(simulation) << simulation.error().to_string();
    auto rows = all_rows(*simulation);
    ASSERT_TRUE(rows) << rows.error().to_string();
    const Where where = seed % 2 == 0 ? Where::late : Where::anywhere;
    const auto broken = break_history(*rows, *simulation, simulation->pool(), where);
    ASSERT_TRUE(broken) << broken.error().to_string() << ", seed " << seed;
    const History history = history_of(plan, *simulation, simulation->pool(), *rows);
    ASSERT_EQ(verdict_of(history, plan), Verdict::violation) << "seed " << seed << ": " << *broken;
  }
}

TEST_P(EveryMethod, Random_IsDrawn) {
  const std::size_t methods = (*make_specification(*TypeName::parse(GetParam())))->methods().size();
  std::set<std::string> drawn;
  RandomPlan plan;
  plan.plan = plan_of(GetParam(), 12, 1);
  RandomHistories histories(plan);
  for (std::uint64_t i = 0; i < kMostSeeds && drawn.size() < methods; ++i) {
    const auto history = histories.next({});
    ASSERT_TRUE(history) << history.error().to_string();
    for (OperationIndex k = 0; k < history->size(); ++k) drawn.emplace(history->method_name(history->method(k)));
    ASSERT_TRUE(check(*history)) << check(*history).error().to_string();
  }
  EXPECT_EQ(drawn.size(), methods);
}

INSTANTIATE_TEST_SUITE_P(Types, EveryMethod, testing::ValuesIn(cross::type_variants()), &cross::variant_name);

TEST(AllMethods, HaveTheWeightsOfTheMix) {
  Plan plan = plan_of("queue", 20'000, 3);
  plan.mix = {{"size", 0}, {"is_empty", 2}};
  auto simulation = Simulation::make(plan);
  ASSERT_TRUE(simulation);
  const auto rows = all_rows(*simulation);
  ASSERT_TRUE(rows);
  std::array<double, 5> counts{};
  for (const Row& row : *rows) counts[row.method] += 1;
  EXPECT_EQ(counts[types::Queue::kSize], 0);
  EXPECT_NEAR(counts[types::Queue::kIsEmpty] / 20'000, 0.4, 0.03);
}

TEST(AllMethods, OptionalArgumentsAreGivenAndLeftOut) {
  const auto counts_of = [](const char* type, std::string_view method) {
    auto simulation = Simulation::make(plan_of(type, 2000, 5));
    const auto rows = all_rows(*simulation);
    std::set<int> counts;
    for (const Row& row : *rows) {
      if (simulation->specification().methods()[row.method].name == method) counts.insert(row.count);
    }
    return counts;
  };
  EXPECT_EQ(counts_of("counter", "fetch_and_add"), (std::set<int>{0, 1}));
  EXPECT_EQ(counts_of("map", "replace"), (std::set<int>{2, 3}));
  EXPECT_EQ(counts_of("LinkedBlockingDeque", "remove"), (std::set<int>{0, 1}));
  EXPECT_EQ(counts_of("PriorityBlockingQueue", "remove"), (std::set<int>{0, 1}));
  EXPECT_EQ(counts_of("ConcurrentHashMap", "remove"), (std::set<int>{1, 2}));
  EXPECT_EQ(counts_of("ConcurrentSkipListMap", "replace"), (std::set<int>{2, 3}));
}

TEST(Transactions, PeeksAreThoseThatOnlyRead) {
  Plan plan = plan_of("multi-register", 20'000, 5);
  plan.peeks = 0.25;
  auto simulation = Simulation::make(plan);
  ASSERT_TRUE(simulation);
  const auto rows = all_rows(*simulation);
  ASSERT_TRUE(rows);
  double looking = 0;
  for (const Row& row : *rows) {
    const auto parts = simulation->pool().elements_of(row.arguments[0]);
    looking += std::all_of(parts.begin(), parts.end(), [&](Value part) {
      return simulation->pool().text_of(simulation->pool().elements_of(part)[0]) == "r";
    });
  }
  EXPECT_NEAR(looking / 20'000, 0.25, 0.02);
}

TEST(Java, PutWaitsForRoomAndTakeForAnElement) {
  Plan plan = plan_of("ArrayBlockingQueue capacity=1", 2000, 5);
  plan.all_methods = false;
  plan.mix = {{"put", 1}, {"take", 1}};
  auto simulation = Simulation::make(plan);
  ASSERT_TRUE(simulation);
  EXPECT_TRUE(all_rows(*simulation));
  plan.mix = {{"put", 1}};
  simulation = Simulation::make(plan);
  ASSERT_TRUE(simulation);
  EXPECT_FALSE(all_rows(*simulation)) << "there is room for one element only";
}

}  // namespace
}  // namespace linchpin::generate::methods_test
