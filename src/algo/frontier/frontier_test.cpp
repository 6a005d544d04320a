// The engine with a register as its domain, against trying everything: after every event, in real time and in orders
// that are given, with responses known beforehand and not.
#include "algo/frontier/frontier.hpp"

#include <chrono>

#include <gtest/gtest.h>

#include "algo/frontier/frontier_search.hpp"
#include "base/none.hpp"
#include "core/budget.hpp"
#include "support/register_domain.hpp"
#include "support/sketch.hpp"

namespace linchpin::algo {
namespace {

using test::Access;
using test::below;
using test::Random;
using test::Registers;

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

/// One step of it goes on until there is no time left.
struct WithoutEnd : Registers {
  using Registers::Registers;
  template <class Meet>
  void expand(const Configuration&, std::uint32_t, Meet&&) {
    while (window.may_go_on()) ++window.steps;
    window.left_out = true;
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
      drawn.due.push_back(history::Rank::none());
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
      ASSERT_TRUE(drawn.due[x] == history::Rank::none() || (done >> x & 1U) != 0);
    }
  }
  EXPECT_GT(refuted, 2000U);
}

TEST(Frontier, IsExactAfterEveryEvent) { expect_agreement<Registers>(false, false); }
TEST(Frontier, IsExactWhereResponsesAreKnown) { expect_agreement<Registers>(false, true); }
TEST(Frontier, KeepsAnOrderThatIsGiven) { expect_agreement<Registers>(true, false); }
TEST(Frontier, KeepsAnOrderThatIsGivenWhereResponsesAreKnown) { expect_agreement<Registers>(true, true); }
TEST(Frontier, IsExactLevelByLevel) { expect_agreement<RegistersByLevels>(false, true); }

TEST(Frontier, StepsOfADomainEndWithTheBudget) {
  history::Subhistory part;
  part.operation.emplace_back(0U);
  part.method.push_back(0);
  part.call.emplace_back(0U);
  part.response.emplace_back(1U);
  const std::vector<Access> access{{true, 1}};
  FrontierSearch<WithoutEnd> search(part, false, access);
  core::Budget budget{Limits{.time = std::chrono::milliseconds(20)}};
  EXPECT_TRUE(search.run(UINT64_MAX / 2, budget));
  EXPECT_EQ(budget.reason(), Reason::time);
}

}  // namespace
}  // namespace linchpin::algo
