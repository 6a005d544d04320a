// The families of schedules against their definitions: on the posets of all small histories, and on random ones.
#include <bit>
#include <cmath>
#include <functional>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "linchpin/specification.hpp"
#include "research/schedules/closed_form.hpp"
#include "research/schedules/enumeration.hpp"
#include "research/schedules/family_size.hpp"
#include "research/schedules/published.hpp"
#include "research/schedules/strong_hitting.hpp"
#include "support/thoroughness.hpp"

namespace linchpin::research::schedules_test {
namespace {

struct Interval {
  ProcessId process = kNoProcess;
  Tick call = 0;
  Tick response = kPending;
};

struct Register {
  using State = int;
  static constexpr std::array methods{Method{"write", 0}};
  static State initial() { return 0; }
  static bool step(State& /*state*/, const Operation& /*operation*/) { return true; }
};

OperationPoset poset_of(const std::vector<Interval>& intervals) {
  HistoryBuilder builder;
  for (const Interval& each : intervals) {
    builder.add({.process = each.process, .method = "write", .call = each.call, .response = each.response});
  }
  const auto history = std::move(builder).build();
  if (!history) throw std::logic_error(history.error().to_string());
  const std::array specifications{specify<Register>("register")};
  const auto parts = history::split_by_object(*history, specifications, Ties::concurrent);
  return OperationPoset::of((*parts)[0]);
}

/// Every order of the events of n operations, called in the order of their numbers; all return.
void for_each_small_history(std::uint32_t n, const std::function<void(std::vector<Interval>&)>& visit) {
  std::vector<Interval> intervals;
  const std::function<void(Tick)> grow = [&](Tick now) {
    if (now == 2 * static_cast<Tick>(n)) {
      visit(intervals);
      return;
    }
    if (intervals.size() < n) {
      intervals.push_back({.call = now});
      grow(now + 1);
      intervals.pop_back();
    }
    for (Interval& each : intervals) {
      if (each.response != kPending) continue;
      each.response = now;
      grow(now + 1);
      each.response = kPending;
    }
  };
  grow(0);
}

/// Processes that run one operation after the other, the last of each pending now and then.
std::vector<Interval> random_history(std::mt19937_64& random, std::uint32_t most) {
  const auto below = [&](std::uint64_t bound) { return static_cast<Tick>(random() % bound); };
  std::vector<Interval> intervals;
  const std::uint32_t n = 1 + static_cast<std::uint32_t>(below(most));
  const Tick range = 2 + below(3 * n);
  for (ProcessId process = 0; intervals.size() < n; ++process) {
    Tick now = below(range);
    for (Tick k = 1 + below(4); k > 0 && intervals.size() < n; --k) {
      const Tick response = now + below(range);
      const bool pending = k == 1 && below(6) == 0;
      intervals.push_back({.process = process, .call = now, .response = pending ? kPending : response});
      now = response + below(3);
    }
  }
  if (below(4) == 0) {
    for (Interval& each : intervals) each.process = kNoProcess;
  }
  return intervals;
}

std::vector<Schedule> published_family(const OperationPoset& poset, std::uint32_t d) {
  std::vector<Schedule> family;
  for_each_index(poset, d, [&](std::uint32_t chain, std::span<const std::uint32_t> tuple) {
    family.emplace_back();
    published_schedule(poset, chain, tuple, family.back());
    return true;
  });
  return family;
}

/// Of one chain, for tuples of at most d - 1 operations.
std::set<Schedule> closed_form_family(const OperationPoset& poset, std::uint32_t d, std::uint32_t chain) {
  std::set<Schedule> family;
  ClosedForm closed_form(poset);
  Schedule schedule;
  for (std::uint32_t length = 1; length <= d; ++length) {
    for_each_index(poset, length, [&](std::uint32_t own, std::span<const std::uint32_t> tuple) {
      if (own != chain) return true;
      closed_form.schedule(chain, tuple, schedule);
      family.insert(schedule);
      return true;
    });
  }
  return family;
}

struct Collector {
  Schedule path;
  std::vector<Schedule> family;
  std::vector<std::uint32_t> delays;
  bool emit(std::uint32_t operation) {
    path.push_back(operation);
    return true;
  }
  void retract(std::uint32_t count) { path.resize(count); }
  bool finish(std::uint32_t spent) {
    family.push_back(path);
    delays.push_back(spent);
    return false;
  }
  static bool known(const Standing& /*standing*/) { return false; }
};

Collector enumerated_family(const OperationPoset& poset, std::uint32_t d, std::uint32_t chain) {
  Collector collector;
  Enumeration enumeration(poset, collector);
  enumeration.start(chain, d - 1);
  std::int64_t steps = 1;
  while (enumeration.run(steps) == Enumeration<Collector>::Status::paused) steps = 1;  // pauses at every step
  return collector;
}

std::string text_of(const OperationPoset& poset) {
  std::string text;
  for (std::uint32_t i = 0; i < poset.size(); ++i) {
    text += std::to_string(i) + " before " + std::to_string(poset.beyond[i]) + "..., chain " +
            std::to_string(poset.chain[i]) + "\n";
  }
  return text;
}

/// All that is claimed of the three families, for one poset and d.
void check_families(const OperationPoset& poset, std::uint32_t d) {
  SCOPED_TRACE("d " + std::to_string(d) + "\n" + text_of(poset));
  const std::vector<Schedule> published = published_family(poset, d);
  for (const Schedule& schedule : published) ASSERT_TRUE(is_schedule(poset, schedule));
  ASSERT_EQ(missed_tuple(poset, published, d), std::nullopt) << "Algorithm 1 misses a tuple";

  std::vector<Schedule> ours;
  for (std::uint32_t chain = 0; chain < poset.chains; ++chain) {
    const std::set<Schedule> closed_form = closed_form_family(poset, d, chain);
    for (const Schedule& schedule : closed_form) ASSERT_TRUE(is_schedule(poset, schedule));
    const Collector enumerated = enumerated_family(poset, d, chain);
    const std::set<Schedule> distinct(enumerated.family.begin(), enumerated.family.end());
    ASSERT_EQ(distinct.size(), enumerated.family.size()) << "a schedule came twice for chain " << chain;
    ASSERT_EQ(distinct, closed_form) << "chain " << chain;
    ASSERT_LE(distinct.size(), std::pow(poset.size(), d - 1));
    ours.insert(ours.end(), distinct.begin(), distinct.end());
  }
  ASSERT_EQ(missed_tuple(poset, ours, d), std::nullopt) << "the enumeration misses a tuple";
}

TEST(Schedules, EveryFamilyStronglyHitsEveryTupleOfSmallHistories) {
  std::size_t posets = 0;
  const std::uint32_t largest = test::few() ? 4 : 5;
  for (std::uint32_t n = 1; n <= largest; ++n) {
    for_each_small_history(n, [&](std::vector<Interval>& intervals) {
      for (const bool processes : {false, true}) {
        // Without processes the fewest chains, else each operation a chain of its own.
        for (std::uint32_t i = 0; i < n; ++i) intervals[i].process = processes ? i : kNoProcess;
        const OperationPoset poset = poset_of(intervals);
        for (std::uint32_t d = 1; d <= 3 && !testing::Test::HasFatalFailure(); ++d) {
          check_families(poset, d);
        }
        ++posets;
      }
    });
  }
  EXPECT_EQ(posets, 2U * (1 + 3 + 15 + 105 + (test::few() ? 0 : 945)));
}

TEST(Schedules, EveryFamilyStronglyHitsEveryTupleOfRandomHistories) {
  constexpr std::uint64_t kSeed = 20190216;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 300 && !testing::Test::HasFatalFailure(); ++round) {
    const OperationPoset poset = poset_of(random_history(random, 8));
    for (std::uint32_t d = 1; d <= 3 && !testing::Test::HasFatalFailure(); ++d) check_families(poset, d);
  }
}

TEST(Schedules, ATupleIsHitWhereThatOfItsLastOccurrencesIs) {
  constexpr std::uint64_t kSeed = 1;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937_64 random(kSeed);
  std::size_t hits = 0;
  for (int round = 0; round < 2000; ++round) {
    const OperationPoset poset = poset_of(random_history(random, 5));
    const std::vector<Schedule> family = published_family(poset, 3);
    const Schedule& schedule = family[random() % family.size()];
    std::vector<std::uint32_t> tuple;
    for (std::size_t i = 0; i < 4; ++i) tuple.push_back(static_cast<std::uint32_t>(random() % poset.size()));
    std::vector<std::uint32_t> last_occurrences;
    for (std::size_t i = 0; i < tuple.size(); ++i) {
      if (std::find(tuple.begin() + static_cast<std::ptrdiff_t>(i) + 1, tuple.end(), tuple[i]) == tuple.end()) {
        last_occurrences.push_back(tuple[i]);
      }
    }
    const bool hit = strongly_hits(poset, schedule, tuple);
    EXPECT_EQ(hit, strongly_hits(poset, schedule, last_occurrences));
    hits += hit ? 1 : 0;
  }
  EXPECT_GT(hits, 50U);
}

TEST(Schedules, OperationsOfOneProcessThatTouchAreOnTwoChains) {
  const OperationPoset touching = poset_of({{.process = 7, .call = 0, .response = 3}, {7, 3, 5}, {7, 6, 8}});
  EXPECT_EQ(touching.chains, 2U);
  EXPECT_TRUE(touching.concurrent(0, 1));
  EXPECT_NE(touching.chain[0], touching.chain[1]);
  const OperationPoset apart = poset_of({{.process = 7, .call = 0, .response = 3}, {7, 4, 5}, {8, 6, 8}});
  EXPECT_EQ(apart.chains, 2U);
  EXPECT_EQ(apart.chain[0], apart.chain[1]);
}

TEST(Schedules, ConcurrencyAndPairsAreThoseOfTheDefinitions) {
  constexpr std::uint64_t kSeed = 2;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 200; ++round) {
    const OperationPoset poset = poset_of(random_history(random, 9));
    std::uint64_t pairs = 0;
    std::uint32_t most = 0;
    for (std::uint32_t set = 1; set < (1U << poset.size()); ++set) {
      bool mutually = true;
      for (std::uint32_t a = 0; a < poset.size(); ++a) {
        for (std::uint32_t b = 0; b < a && (set >> a & 1U) != 0; ++b) {
          if ((set >> b & 1U) != 0 && !poset.concurrent(a, b)) mutually = false;
        }
      }
      const auto members = static_cast<std::uint32_t>(std::popcount(set));
      if (mutually) most = std::max(most, members);
      if (mutually && members == 2) ++pairs;
    }
    EXPECT_EQ(poset.concurrency(), most);
    EXPECT_EQ(poset.concurrent_pairs(), pairs);
  }
}

TEST(Schedules, FamilySizesCountDistinctSchedulesOfAllChains) {
  constexpr std::uint64_t kSeed = 3;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937_64 random(kSeed);
  core::Budget budget{Limits{}};
  for (int round = 0; round < 100; ++round) {
    const OperationPoset poset = poset_of(random_history(random, 7));
    const auto ours = family_sizes(poset, Family::enumerated, 4, 1'000'000, budget);
    const auto theirs = family_sizes(poset, Family::published, 4, 1'000'000, budget);
    ASSERT_EQ(ours.size(), 4U);
    ASSERT_EQ(theirs.size(), 4U);
    for (std::uint32_t d = 1; d <= 4; ++d) {
      std::set<Schedule> distinct;
      for (std::uint32_t chain = 0; chain < poset.chains; ++chain) distinct.merge(closed_form_family(poset, d, chain));
      EXPECT_EQ(ours[d - 1], distinct.size());
      EXPECT_LE(ours[d - 1], poset.chains * std::pow(poset.size(), d - 1));
      const std::vector<Schedule> published = published_family(poset, d);
      EXPECT_EQ(theirs[d - 1], std::set<Schedule>(published.begin(), published.end()).size());
    }
    const std::uint64_t limit = ours[2];
    const std::size_t counted = family_sizes(poset, Family::enumerated, 4, limit, budget).size();
    EXPECT_EQ(counted, ours[3] > limit ? 3U : 4U);
  }
}

}  // namespace
}  // namespace linchpin::research::schedules_test
