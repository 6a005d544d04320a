// Windows of a register's history: what they refute is refuted, and they do not need what lies before.
#include "algo/frontier/windows.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "algo/frontier/unseen.hpp"
#include "base/none.hpp"
#include "support/sketch.hpp"

namespace linchpin::algo {
namespace {

using history::Rank;
using test::below;
using test::Random;

struct Use {
  bool writes = false;
  int value = 0;
};

/// A register that holds 0 at first, or, in a window, anything.
struct AnyRegister {
  using Mask = NarrowMask;
  using Link = std::uint32_t;
  using OfWindow = algo::Window<Mask>;
  struct Configuration {
    Mask mask;
    Mask free;  // open, and may have taken effect before the window
    int value = 0;
    std::uint32_t tail = kNone;
  };
  static constexpr bool kMerges = true;
  static constexpr Expand kFirst = Expand::first_met;
  static constexpr int kAnything = -1;

  AnyRegister(OfWindow& of_window, const std::vector<Use>& all) : window(of_window), access(all) {}
  AnyRegister(OfWindow& of_window, const AnyRegister& alike) : AnyRegister(of_window, alike.access) {}
  AnyRegister(const AnyRegister&) = delete;
  AnyRegister& operator=(const AnyRegister&) = delete;

  OfWindow& window;
  const std::vector<Use>& access;

  [[nodiscard]] static Configuration start() { return {}; }
  [[nodiscard]] Configuration anywhere() const { return {.mask = {}, .free = window.used(), .value = kAnything}; }
  [[nodiscard]] static bool skipped(std::uint32_t) { return false; }
  [[nodiscard]] static bool impossible(std::uint32_t) { return false; }
  [[nodiscard]] static bool alike(std::uint32_t, std::uint32_t) { return false; }
  [[nodiscard]] static std::uint64_t hash(const Configuration& each) {
    return mix(mix(each.mask.hash(), each.free.hash()), static_cast<std::uint64_t>(each.value));
  }
  [[nodiscard]] static bool same(const Configuration& a, const Configuration& b) {
    return a.mask == b.mask && a.free == b.free && a.value == b.value;
  }
  void open(std::uint32_t) {}
  void close(std::uint32_t) {}
  void clear() {}
  void call(std::uint32_t, std::vector<Configuration>&) {}
  template <class Meet>
  void expand(const Configuration& from, std::uint32_t responder, Meet&& meet) {
    if ((from.free & window.bit(responder)).any()) pass_unseen(window, from, responder, meet);
    const Mask undone = window.used() & ~from.mask;
    for (Mask rest = undone; rest.any(); rest.drop_first()) {
      const std::uint32_t x = window.holder(rest.first());
      if (!window.ready(rest.first(), undone)) continue;
      if (!access[x].writes && from.value != kAnything && access[x].value != from.value) continue;
      meet(Configuration{
          .mask = from.mask | window.bit(x), .free = from.free & ~window.bit(x), .value = access[x].value});
    }
  }
  bool prune(std::uint32_t, std::vector<Configuration>&) { return true; }
};

struct Simulated {
  std::vector<Use> access;
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
    Use& access = simulated.access[x];
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
      part.response.push_back(history::kNoRank);
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
  Frontier<AnyRegister> frontier;
  Windows<AnyRegister> windows;
};

bool is_linearizable(const Simulated& simulated) {
  Walk<AnyRegister> walk(simulated.part.size(), Order{.due = simulated.part.response}, false, simulated.access);
  while (walk.rank < simulated.part.ranks() && !walk.frontier.refuted()) walk.step(simulated.part);
  return !walk.frontier.refuted();
}

TEST(Windows, RefuteNothingThatIsLinearizable) {
  Random random(11);
  for (int round = 0; round < 300; ++round) {
    const Simulated simulated = simulate(random, 60, {});
    ASSERT_TRUE(is_linearizable(simulated)) << "round " << round;
    const Stuck stuck(simulated, static_cast<Rank>(below(random, simulated.part.ranks() - 1)));
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
  const auto add = [&](Use access) {
    const std::uint32_t x = simulated.part.size();
    simulated.access.push_back(access);
    simulated.part.operation.emplace_back(x);
    simulated.part.method.push_back(0);
    simulated.part.call.push_back(2 * x);
    simulated.part.response.push_back(2 * x + 1);
  };
  add({.writes = true, .value = 1});
  for (int reads = 0; reads < 300; ++reads) add({.writes = false, .value = 2});
  const Stuck stuck(simulated, 500);
  ASSERT_TRUE(stuck.windows.refuted());
  EXPECT_EQ(stuck.windows.rank(), 3U);
}

}  // namespace
}  // namespace linchpin::algo
