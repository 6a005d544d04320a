// The search over choices, against enumeration of all of them.
#include "decide/lift/choices.hpp"

#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "base/none.hpp"
#include "support/thoroughness.hpp"

namespace linchpin::decide::lift {
namespace {

struct Small {
  Choices::Problem problem;
  std::vector<std::vector<std::uint32_t>> forbidden;  // sets of options that may not be chosen together
};

Small draw(std::mt19937& random) {
  const auto below = [&](std::uint32_t bound) { return static_cast<std::uint32_t>(random() % bound); };
  Small small;
  const std::uint32_t variables = 1 + below(5);
  small.problem.resources = 1 + below(5);
  for (std::uint32_t x = 0; x < variables; ++x) {
    const std::uint32_t options = below(20) == 0 ? 0 : 1 + below(3);
    for (std::uint32_t o = 0; o < options; ++o) {
      small.problem.resource.push_back(below(4) == 0 ? kNone : below(small.problem.resources));
    }
    small.problem.begin.push_back(static_cast<std::uint32_t>(small.problem.resource.size()));
  }
  small.problem.last_first = below(2) == 0;
  const auto options = static_cast<std::uint32_t>(small.problem.resource.size());
  for (std::uint32_t k = below(12); k > 0 && options > 0; --k) {
    std::vector<std::uint32_t> set;
    for (std::uint32_t size = 1 + below(3); size > 0; --size) set.push_back(below(options));
    small.forbidden.push_back(set);
  }
  return small;
}

bool allowed(const Small& small, const std::vector<std::uint32_t>& chosen) {
  const auto is_chosen = [&](std::uint32_t option) {
    return std::find(chosen.begin(), chosen.end(), option) != chosen.end();
  };
  for (const auto& set : small.forbidden) {
    if (std::all_of(set.begin(), set.end(), is_chosen)) return false;
  }
  for (std::size_t a = 0; a < chosen.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const std::uint32_t resource = small.problem.resource[chosen[a]];
      if (resource != kNone && resource == small.problem.resource[chosen[b]]) return false;
    }
  }
  return true;
}

/// Whether some choice is allowed, with only these clauses and variables counting where they are given.
bool solvable(const Small& small) {
  std::vector<std::uint32_t> chosen;
  const std::function<bool(std::size_t)> from = [&](std::size_t x) {
    if (x + 1 == small.problem.begin.size()) return allowed(small, chosen);
    for (std::uint32_t o = small.problem.begin[x]; o < small.problem.begin[x + 1]; ++o) {
      chosen.push_back(o);
      if (from(x + 1)) return true;
      chosen.pop_back();
    }
    return false;
  };
  return from(0);
}

// Who takes turns with others has to count this: a choice among many may cost more than all that follows from it.
TEST(Choices, CountsWhatItLooksAt) {
  constexpr std::uint32_t kMany = 50;
  Choices::Problem problem;
  problem.resources = kMany;
  for (std::uint32_t x = 0; x < kMany; ++x) {
    for (std::uint32_t o = 0; o < kMany; ++o) problem.resource.push_back(o);
    problem.begin.push_back(static_cast<std::uint32_t>(problem.resource.size()));
  }
  Choices choices(problem);
  const std::uint64_t before = choices.looked_at();
  ASSERT_TRUE(choices.extend());
  EXPECT_GE(choices.looked_at() - before,
            2 * (kMany - 1));  // the variable's other options, and others' of the resource
}

TEST(Choices, FindsAChoiceWheneverThereIsOne) {
  std::mt19937 random(5);
  std::size_t refuted = 0;
  const std::size_t count = test::random_histories(100'000);
  for (std::size_t i = 0; i < count; ++i) {
    const Small small = draw(random);
    Choices choices(small.problem);
    std::vector<std::uint32_t> chosen;
    while (!choices.refuted()) {
      while (choices.extend()) {
      }
      if (choices.refuted()) break;
      ASSERT_TRUE(choices.complete());
      chosen.clear();
      for (std::uint32_t x = 0; x < choices.variables(); ++x) {
        chosen.push_back(choices.chosen(x));
        ASSERT_EQ(choices.variable_of(choices.chosen(x)), x);
        const std::uint32_t resource = small.problem.resource[choices.chosen(x)];
        if (resource == kNone) continue;
        ASSERT_EQ(choices.holder(resource), x);
      }
      bool wrong = false;
      for (std::uint32_t leaf = 0; leaf < small.forbidden.size() && !wrong; ++leaf) {
        const auto& set = small.forbidden[leaf];
        wrong = std::all_of(set.begin(), set.end(), [&](std::uint32_t option) {
          return choices.chosen(choices.variable_of(option)) == option;
        });
        if (!wrong) continue;
        std::vector<Choices::Literal> clause;
        for (const std::uint32_t option : set) clause.push_back(Choices::Literal::rejected(option));
        choices.refute(clause, leaf);
      }
      if (!wrong) break;
    }
    ASSERT_EQ(!choices.refuted(), solvable(small)) << "problem " << i;
    if (!choices.refuted()) {
      ASSERT_TRUE(allowed(small, chosen)) << "problem " << i;
      continue;
    }
    ++refuted;
    // What it rests on is enough: everything else may be forgotten.
    const Choices::Refutation refutation = choices.refutation();
    Small rest;
    rest.problem = small.problem;
    for (const std::uint32_t leaf : refutation.leaves) rest.forbidden.push_back(small.forbidden[leaf]);
    for (std::uint32_t& resource : rest.problem.resource) {
      if (!std::binary_search(refutation.resources.begin(), refutation.resources.end(), resource)) {
        resource = kNone;
      }
    }
    ASSERT_FALSE(solvable(rest)) << "problem " << i;
  }
  EXPECT_GT(refuted, count / 10);
  EXPECT_LT(refuted, count - count / 10);
}

TEST(Choices, KeepsToTheOrderOfTheVariables) {
  Choices::Problem problem;
  problem.begin = {0, 2, 4, 6};
  problem.resource.assign(6, kNone);
  problem.first_choice = {1, 2, kNone};
  problem.last_first = true;
  Choices choices(problem);
  ASSERT_TRUE(choices.extend());
  EXPECT_EQ(choices.frontier(), 1U);
  while (choices.extend()) {
  }
  EXPECT_EQ(choices.chosen(0), 1U);
  EXPECT_EQ(choices.chosen(1), 2U);
  EXPECT_EQ(choices.chosen(2), 5U);
  const auto never = Choices::Literal::rejected(2);
  choices.refute(std::span(&never, 1), 7);
  EXPECT_EQ(choices.chosen(1), 3U);
  EXPECT_EQ(choices.frontier(), 0U);
}

}  // namespace
}  // namespace linchpin::decide::lift
