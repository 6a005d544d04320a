// The engine with a register as its domain, against trying everything: after every event, in real time and in orders
// that are given, with responses known beforehand and not.
#include "algo/frontier/frontier.hpp"

#include <gtest/gtest.h>

#include "base/none.hpp"
#include "support/sketch.hpp"

namespace linchpin::algo {
namespace {

using test::below;
using test::Random;

struct Access {
  bool writes = false;
  int value = 0;
};

struct Registers {
  using Mask = NarrowMask;
  using Link = std::uint32_t;
  using OfWindow = algo::Window<Mask>;
  struct Configuration {
    Mask mask;
    int value = 0;
    std::uint32_t tail = kNone;
  };
  static constexpr bool kMerges = true;
  static constexpr Expand kFirst = Expand::first_met;

  Registers(OfWindow& of_window, const std::vector<Access>& all) : window(of_window), access(all) {}

  OfWindow& window;
  const std::vector<Access>& access;

  [[nodiscard]] static Configuration start() { return {}; }
  [[nodiscard]] static bool impossible(std::uint32_t) { return false; }
  [[nodiscard]] bool alike(std::uint32_t a, std::uint32_t b) const {
    return access[a].writes == access[b].writes && access[a].value == access[b].value;
  }
  [[nodiscard]] static std::uint64_t hash(const Configuration& each) {
    return mix(each.mask.hash(), static_cast<std::uint64_t>(each.value));
  }
  [[nodiscard]] static bool same(const Configuration& a, const Configuration& b) {
    return a.mask == b.mask && a.value == b.value;
  }
  void open(std::uint32_t) {}
  void close(std::uint32_t) {}
  void clear() {}
  void call(std::uint32_t, std::vector<Configuration>&) {}
  template <class Meet>
  void expand(const Configuration& from, std::uint32_t, Meet&& meet) {
    move(from, Mask::all(), meet);
  }
  template <class Meet>
  void move(const Configuration& from, const Mask& allowed, Meet&& meet) {
    const Mask undone = window.used() & ~from.mask;
    for (Mask rest = undone & allowed; rest.any(); rest.drop_first()) {
      const std::uint32_t x = window.holder(rest.first());
      if (!window.ready(rest.first(), undone)) continue;
      if (!access[x].writes && access[x].value != from.value) continue;
      const auto met = meet(Configuration{.mask = from.mask | window.bit(x), .value = access[x].value});
      if (met.fresh) met.entry->tail = window.extended(from.tail, x);
    }
  }
  bool prune(std::uint32_t, std::vector<Configuration>&) { return true; }
};

/// Level by level, the responder first.
struct RegistersByLevels : Registers {
  using Registers::Registers;
  static constexpr Expand kFirst = Expand::nearest;
  template <class Meet>
  void finish(const Configuration& from, std::uint32_t x, Meet&& meet) {
    move(from, window.bit(x), meet);
  }
  template <class Meet>
  void expand(const Configuration& from, std::uint32_t x, Meet&& meet) {
    move(from, ~window.bit(x), meet);
  }
};

struct Drawn {
  std::vector<Access> access;
  std::vector<history::Event> events;
  std::vector<history::Rank> call, due;
  std::vector<std::vector<std::uint32_t>> after;
};

Drawn draw(Random& random) {
  Drawn drawn;
  std::vector<std::uint32_t> open;
  while (drawn.access.size() < 6 || (!open.empty() && below(random, 5) > 0)) {
    const auto rank = static_cast<history::Rank>(drawn.events.size());
    if (drawn.access.size() < 6 && (open.empty() || below(random, 5) < 3)) {
      const auto x = static_cast<std::uint32_t>(drawn.access.size());
      drawn.access.push_back({below(random, 2) == 0, static_cast<int>(below(random, 3))});
      drawn.call.push_back(rank);
      drawn.due.push_back(history::kNoRank);
      drawn.after.emplace_back();
      for (std::uint32_t y = 0; y < x; ++y) {
        if (below(random, 4) == 0) drawn.after.back().push_back(y);
      }
      open.push_back(x);
      drawn.events.push_back(history::Event::call(x));
    } else {
      const std::size_t at = below(random, open.size());
      drawn.due[open[at]] = rank;
      drawn.events.push_back(history::Event::response(open[at]));
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
    }
  }
  return drawn;
}

/// Whether the first `events` of them can have happened, trying every order.
bool possible(const Drawn& drawn, std::size_t events, bool given, std::uint32_t done = 0, int value = 0) {
  std::uint32_t returned = 0;
  for (std::size_t rank = 0; rank < events; ++rank) {
    if (drawn.events[rank].is_response()) returned |= 1U << drawn.events[rank].operation();
  }
  if ((returned & ~done) == 0) return true;
  for (std::uint32_t x = 0; x < drawn.access.size() && drawn.call[x] < events; ++x) {
    if ((done >> x & 1U) != 0 || (!drawn.access[x].writes && drawn.access[x].value != value)) continue;
    bool ready = true;
    for (std::uint32_t y = 0; y < drawn.access.size(); ++y) {
      ready = ready && ((done >> y & 1U) != 0 || drawn.due[y] >= drawn.call[x]);
    }
    for (const std::uint32_t y : drawn.after[x]) ready = ready && (!given || (done >> y & 1U) != 0);
    if (ready && possible(drawn, events, given, done | 1U << x, drawn.access[x].value)) return true;
  }
  return false;
}

template <class Domain>
void expect_agreement(bool given, bool known) {
  Random random(given ? 7 : 5);
  std::size_t refuted = 0;
  for (int round = 0; round < 20'000; ++round) {
    const Drawn drawn = draw(random);
    Order order;
    if (known) order.due = drawn.due;
    if (given) order.after = drawn.after;
    Frontier<Domain> frontier(drawn.access.size(), order, true, drawn.access);
    for (std::size_t rank = 0; rank < drawn.events.size(); ++rank) {
      const history::Event event = drawn.events[rank];
      if (event.is_response()) {
        frontier.respond(event.operation());
        while (frontier.busy()) frontier.step();
      } else {
        frontier.call(event.operation());
      }
      ASSERT_EQ(!frontier.refuted(), possible(drawn, rank + 1, given)) << "round " << round << ", event " << rank;
      if (!frontier.refuted()) continue;
      ++refuted;
      break;
    }
    if (frontier.refuted()) continue;
    // The chain of what is left is an order of everything that returned.
    int value = 0;
    std::uint32_t done = 0;
    for (const std::uint32_t x : frontier.window().chains().from_start(frontier.current().front().tail)) {
      ASSERT_TRUE(drawn.access[x].writes || drawn.access[x].value == value);
      value = drawn.access[x].value;
      for (const std::uint32_t y : drawn.after[x]) ASSERT_TRUE(!given || (done >> y & 1U) != 0);
      done |= 1U << x;
    }
    for (std::uint32_t x = 0; x < drawn.due.size(); ++x) {
      ASSERT_TRUE(drawn.due[x] == history::kNoRank || (done >> x & 1U) != 0);
    }
  }
  EXPECT_GT(refuted, 2000U);
}

TEST(Frontier, IsExactAfterEveryEvent) { expect_agreement<Registers>(false, false); }
TEST(Frontier, IsExactWhereResponsesAreKnown) { expect_agreement<Registers>(false, true); }
TEST(Frontier, KeepsAnOrderThatIsGiven) { expect_agreement<Registers>(true, false); }
TEST(Frontier, KeepsAnOrderThatIsGivenWhereResponsesAreKnown) { expect_agreement<Registers>(true, true); }
TEST(Frontier, IsExactLevelByLevel) { expect_agreement<RegistersByLevels>(false, true); }

}  // namespace
}  // namespace linchpin::algo
