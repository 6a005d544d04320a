// Windows of a register's history: what they refute is refuted, and they do not need what lies before.
#include "algo/frontier/windows.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "support/register_domain.hpp"
#include "support/sketch.hpp"

namespace linchpin::algo {
namespace {

using history::Rank;
using test::Access;
using test::below;
using test::Random;
using test::Registers;

/// None of them lines up behind another: what is free need not be done before it.
struct Unlike : Registers {
  using Registers::Registers;
  Unlike(OfWindow& of_window, const Unlike& other) : Registers(of_window, other.access) {}
  [[nodiscard]] static bool alike(std::uint32_t, std::uint32_t) { return false; }
};

struct Simulated {
  std::vector<Access> access;
  history::Subhistory part;
};

/// Operations of four clients on a correct register; reads return what was there, but for the `wrong` ones.
Simulated simulate(Random& random, std::uint32_t operations, const std::vector<std::uint32_t>& wrong) {
  Simulated simulated;
  history::Subhistory& part = simulated.part;
  std::vector<std::uint32_t> open, waiting;  // the latter have not taken effect
  int value = 0;
  Rank rank = 0;
  const auto take_effect = [&] {
    const std::size_t at = below(random, waiting.size());
    const std::uint32_t x = waiting[at];
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(at));
    Access& access = simulated.access[x];
    if (access.writes) {
      value = access.value;
    } else {
      access.value = value;
    }
  };
  while (part.size() < operations || !open.empty()) {
    if (part.size() < operations && open.size() < 4 && (open.empty() || below(random, 2) == 0)) {
      const std::uint32_t x = part.size();
      const bool reads = std::ranges::find(wrong, x) != wrong.end() || below(random, 2) == 0;
      simulated.access.push_back({!reads, 1 + static_cast<int>(below(random, 3))});
      part.operation.emplace_back(x);
      part.method.push_back(0);
      part.call.push_back(rank++);
      part.response.push_back(history::Rank::none());
      open.push_back(x);
      waiting.push_back(x);
      continue;
    }
    if (!waiting.empty() && below(random, 2) == 0) {
      take_effect();
      continue;
    }
    const std::size_t at = below(random, open.size());
    const std::uint32_t x = open[at];
    while (std::ranges::find(waiting, x) != waiting.end()) take_effect();
    part.response[x] = rank++;
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
  }
  for (const std::uint32_t x : wrong) simulated.access[x].value = 9;  // which nobody writes
  return simulated;
}

/// A search that says again and again that it is stuck at the first response from that rank on.
struct Stuck {
  Stuck(const Simulated& simulated, Rank at)
      : frontier(simulated.part.size(), Order{.due = simulated.part.response}, false, simulated.access),
        windows(simulated.part) {
    while (!simulated.part.events()[at].is_response()) ++at;
    for (std::uint32_t attempt = 0; attempt < 1'000 && !windows.refuted(); ++attempt) {
      windows.is_stuck(frontier, at, attempt, 100 * attempt);
      if (attempt < 2) {
        EXPECT_FALSE(windows.has_turn());
      }
      while (windows.has_turn() && !windows.refuted()) windows.step();
    }
  }
  Frontier<Unlike> frontier;
  Windows<Unlike> windows;
};

bool is_linearizable(const Simulated& simulated) {
  Walk<Unlike> walk(simulated.part.size(), Order{.due = simulated.part.response}, false, simulated.access);
  while (walk.rank < simulated.part.ranks() && !walk.frontier.refuted()) walk.step(simulated.part);
  return !walk.frontier.refuted();
}

TEST(Windows, RefuteNothingThatIsLinearizable) {
  Random random(11);
  for (int round = 0; round < 300; ++round) {
    const Simulated simulated = simulate(random, 60, {});
    ASSERT_TRUE(is_linearizable(simulated)) << "round " << round;
    const Stuck stuck(simulated, Rank(below(random, simulated.part.ranks().number() - 1)));
    ASSERT_FALSE(stuck.windows.refuted()) << "round " << round;
  }
}

TEST(Windows, RefuteWhatIsWrongWhereTheSearchIsStuck) {
  Random random(12);
  for (int round = 0; round < 300; ++round) {
    const auto wrong = static_cast<std::uint32_t>(below(random, 60));
    const Simulated simulated = simulate(random, 60, {wrong});
    ASSERT_FALSE(is_linearizable(simulated));
    const Stuck stuck(simulated, simulated.part.response[wrong]);
    ASSERT_TRUE(stuck.windows.refuted()) << "round " << round;
    EXPECT_EQ(stuck.windows.rank(), simulated.part.response[wrong]) << "round " << round;
  }
}

/// The tenth operation is wrong as well: a search from the beginning would not come further.
TEST(Windows, DoNotNeedWhatLiesBefore) {
  Random random(13);
  for (int round = 0; round < 100; ++round) {
    const Simulated simulated = simulate(random, 400, {10, 300});
    const Stuck stuck(simulated, simulated.part.response[300]);
    ASSERT_TRUE(stuck.windows.refuted()) << "round " << round;
    EXPECT_EQ(stuck.windows.rank(), simulated.part.response[300]) << "round " << round;
  }
}

/// A value that nobody wrote in the window may have been there before; only the whole history says that it was not.
TEST(Windows, GrowUntilTheyHoldTheWholeHistory) {
  Simulated simulated;
  const auto add = [&](Access access) {
    const std::uint32_t x = simulated.part.size();
    simulated.access.push_back(access);
    simulated.part.operation.emplace_back(x);
    simulated.part.method.push_back(0);
    simulated.part.call.emplace_back(2 * x);
    simulated.part.response.emplace_back(2 * x + 1);
  };
  add({.writes = true, .value = 1});
  for (int reads = 0; reads < 300; ++reads) add({.writes = false, .value = 2});
  const Stuck stuck(simulated, 500);
  ASSERT_TRUE(stuck.windows.refuted());
  EXPECT_EQ(stuck.windows.rank(), Rank(3));
}

}  // namespace
}  // namespace linchpin::algo
