// Starts in an unknown order: what they claim is held against the definition, and they make cores small.
#include "explain/unordered_start.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "core/data_type.hpp"
#include "decide/choose.hpp"
#include "evidence/core.hpp"
#include "evidence/counted_start.hpp"
#include "evidence/start.hpp"
#include "linchpin/check.hpp"
#include "support/drawn.hpp"
#include "support/thoroughness.hpp"

namespace linchpin::explain {
namespace {

generate::Plan plan_of(const char* type, std::uint32_t operations, std::uint32_t processes, std::uint64_t seed) {
  generate::Plan plan;
  plan.type = *TypeName::parse(type);
  plan.operations = operations;
  plan.processes = processes;
  plan.values = 2 + seed % 2;
  plan.seed = seed;
  return plan;
}

std::string text_of(const History& history) {
  std::string text;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    text += history.describe(i) + " " + std::to_string(history.call(i)) + "-" +
            (history.pending(i) ? std::string() : std::to_string(history.response(i))) + "\n";
  }
  return text;
}

/// A claim as a sloppy decider could make it: some operations that return from a moment on, and counts.
struct Claim {
  std::vector<OperationIndex> core;
  std::shared_ptr<const Specification> from;
};

/// Everything of the values that is not over at the tick, or only some of it.
Claim claim_at(const History& history, const Specification& specification, Tick tick, std::uint64_t kept,
               generate::Random& random) {
  Claim claim;
  std::map<std::int64_t, int> inside;
  const bool sloppy = random.below(3) == 0;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    const Operation operation{.method = *specification.find_method(history.method_name(history.method(i))),
                              .arguments = history.arguments(i),
                              .result = history.result(i),
                              .pool = &history.pool()};
    const auto value = specification.erasable(operation);
    if (value && (kept >> value->integer() & 1U) == 0) continue;
    const bool over = !history.pending(i) && history.response(i) < tick;
    if (over && value && !specification.pure(operation))
      inside[value->integer()] += operation.arguments.empty() ? -1 : 1;
    const bool idle = specification.pure(operation) && (history.call(i) < tick || random.below(2) == 0);
    if (!over && !idle && !(sloppy && random.below(6) == 0)) claim.core.push_back(i);
  }
  std::string list;
  for (const auto& [value, count] : inside) {
    for (int k = 0; k < count; ++k) list.append(list.empty() ? "" : ",").append(std::to_string(value));
  }
  claim.from = *make_specification(*TypeName::parse(std::string(specification.name()) + " unordered=[" + list + "]"));
  return claim;
}

class UnorderedStarts : public testing::TestWithParam<const char*> {};

/// Of what is linearizable, nothing is refuted that is said to follow from it.
TEST_P(UnorderedStarts, FollowFromEveryLinearization) {
  core::Budget budget(Limits{});
  std::size_t claims = 0, held = 0;
  const std::uint64_t seeds = test::random_histories(3000);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    generate::Plan plan = plan_of(GetParam(), 12, 4, seed);
    plan.all_methods = seed % 4 == 0;
    plan.empties = true;
    plan.peeks = 0.2;
    plan.pending = static_cast<double>(seed % 3);
    plan.unknown = seed % 5 == 0 ? 0.2 : 0;
    plan.ties = seed % 2 == 0 ? 0.3 : 0;
    const auto history = test::drawn(plan, {.promises = seed % 7 == 0});
    ASSERT_TRUE(history);
    generate::Random random(seed);
    const auto specification = *make_specification(history->objects()[0].type);
    std::vector<OperationIndex> all(history->size());
    std::iota(all.begin(), all.end(), OperationIndex(0));
    std::vector<Ties> readings = {Ties::concurrent, Ties::response_first};
    std::erase_if(readings, [&](Ties ties) {
      return evidence::linearizable_alone(*history, all, *specification, ties, budget) != std::optional(true);
    });
    ASSERT_GE(readings.size(), 1U) << seed;
    for (int tries = 0; tries < 8; ++tries) {
      const Tick tick =
          history->call(OperationIndex(random.below(history->size()))) + static_cast<Tick>(random.below(2));
      const Claim claim = claim_at(*history, *specification, tick, random.below(8), random);
      ++claims;
      if (!evidence::counts_lead_to(*history, 0, *specification, claim.core, tick, *claim.from)) continue;
      ++held;
      const Tick until = evidence::known_until(*history, 0, *specification, claim.core, tick, *claim.from);
      for (const Ties ties : readings) {
        ASSERT_EQ(
            evidence::linearizable_alone(*history, claim.core, *claim.from, ties, budget, evidence::kMostSteps, until),
            std::optional(true))
            << GetParam() << " seed " << seed << ", from " << claim.from->name() << " at " << tick << " of\n"
            << text_of(*history);
      }
    }
  }
  EXPECT_GT(held, claims / 20);
}

TEST_P(UnorderedStarts, AreRefusedWhereACountIsWrongOrAnOperationIsMissing) {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 200 && found < 20; ++seed) {
    const auto history = test::drawn(plan_of(GetParam(), 30, 4, seed), {.change = true, .promises = seed % 7 == 0});
    if (!history) continue;
    const auto specification = *make_specification(history->objects()[0].type);
    const std::vector specifications{specification};
    const auto parts = history::split_by_object(*history, specifications, Ties::concurrent);
    core::Budget budget(Limits{});
    const history::Subhistory& part = (*parts)[0];
    std::uint32_t last = 0;
    for (std::uint32_t local = 0; local < part.size(); ++local) {
      if (part.pending(last) || (!part.pending(local) && part.response[local] > part.response[last])) last = local;
    }
    const auto start = find_unordered_start(part, last, budget);
    if (!start) continue;
    ++found;
    std::vector<OperationIndex> core;
    for (const std::uint32_t local : start->locals) core.push_back(part.operation[local]);
    std::sort(core.begin(), core.end());
    const auto leads = [&](std::span<const OperationIndex> operations, const Specification& from) {
      return evidence::counts_lead_to(*history, 0, *specification, operations, start->tick, from);
    };
    EXPECT_TRUE(leads(core, *start->from)) << seed;
    const Tick until = evidence::known_until(*history, 0, *specification, core, start->tick, *start->from);
    EXPECT_EQ(evidence::linearizable_alone(*history, core, *start->from, Ties::concurrent, budget, evidence::kMostSteps,
                                           until),
              std::optional(false));
    std::string more(start->from->name());
    more.insert(more.size() - 1, more.ends_with("[]") ? "0" : ",0");
    EXPECT_FALSE(leads(core, **make_specification(*TypeName::parse(more)))) << more;
    for (std::size_t k = 0; k + 1 < core.size(); ++k) {
      if (history->call(core[k]) == history->call(core.back())) continue;
      std::vector<OperationIndex> fewer = core;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      const auto value_of = [&](OperationIndex i) {
        return history->arguments(i).empty() ? history->result(i) : history->arguments(i)[0];
      };
      // Of another value it would be left out with all that is about it.
      if (std::none_of(fewer.begin(), fewer.end(),
                       [&](OperationIndex i) { return value_of(i) == value_of(core[k]); })) {
        continue;
      }
      EXPECT_FALSE(leads(fewer, *start->from)) << seed << " " << history->describe(core[k]);
    }
  }
  EXPECT_GE(found, 20U);
}

INSTANTIATE_TEST_SUITE_P(Types, UnorderedStarts, testing::Values("queue", "stack", "deque"));

/// The operation at whose response a violation is found: of all responses the first.
std::uint32_t first_refuted(const history::Subhistory& part, core::Budget& budget) {
  std::vector<std::uint32_t> returned;
  for (const history::Event event : part.events()) {
    if (event.is_response()) returned.push_back(event.operation());
  }
  return *std::partition_point(returned.begin(), returned.end(), [&](std::uint32_t local) {
    return !decide::refute(history::prefix(part, part.response[local] + 1), 1'000'000, budget).refuted;
  });
}

/// Where the whole history was the core.
TEST(UnorderedStart, MakesCoresOfQueuesWithFewValuesSmall) {
  std::vector<std::size_t> sizes;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    generate::Plan plan = plan_of("queue", 2000, 8, seed);
    plan.values = 5;
    const auto history = test::drawn(plan, {.change = true});
    ASSERT_TRUE(history);
    const std::vector specifications{*make_specification(history->objects()[0].type)};
    const history::Subhistory part = (*history::split_by_object(*history, specifications, Ties::concurrent))[0];
    core::Budget budget(Limits{});
    if (!decide::refute(part, 1'000'000, budget).refuted) continue;
    const auto start = find_unordered_start(part, first_refuted(part, budget), budget);
    sizes.push_back(start ? start->locals.size() : part.size());
  }
  ASSERT_GE(sizes.size(), 6U);
  std::sort(sizes.begin(), sizes.end());
  EXPECT_LT(sizes[sizes.size() / 2], 200U) << testing::PrintToString(sizes);
}

}  // namespace
}  // namespace linchpin::explain
