#include "core/budget.hpp"

#include <chrono>
#include <stop_token>
#include <vector>

#include <gtest/gtest.h>

namespace linchpin::core {
namespace {

TEST(Budget, KnowsHowMuchTheProcessTakesAndHasTaken) {
  EXPECT_GT(resident_bytes(), std::size_t{1} << 18);
  EXPECT_GE(peak_resident_bytes(), std::size_t{1} << 18);
}

TEST(Budget, WithoutLimitsIsNeverSpent) {
  Budget budget{Limits{}};
  EXPECT_FALSE(budget.spent_now());
  EXPECT_TRUE(budget.allows(SIZE_MAX / 2));
  EXPECT_TRUE(budget.allows_step(1e6));
  EXPECT_EQ(budget.reason(), Reason::none);
}

TEST(Budget, ThatIsSpentAllowsNothingMore) {
  Budget budget{Limits{}};
  budget.cancel();
  EXPECT_TRUE(budget.spent());
  EXPECT_TRUE(budget.spent_now());
  EXPECT_FALSE(budget.allows_step(0));
  EXPECT_EQ(budget.reason(), Reason::cancelled);
}

TEST(Budget, AStepHasToFitIntoTheTime) {
  Budget budget{Limits{.time = std::chrono::hours(1), .memory = std::nullopt}};
  EXPECT_TRUE(budget.allows_step(60));
  EXPECT_FALSE(budget.allows_step(2 * 3600));
  EXPECT_EQ(budget.reason(), Reason::time);
}

TEST(Budget, APartHasWhatItsWholeHas) {
  Budget whole{Limits{.time = std::chrono::hours(1), .memory = std::nullopt}};
  Budget part(whole, 10 * 3600.0);
  EXPECT_TRUE(part.allows_step(60));
  EXPECT_FALSE(part.allows_step(2 * 3600));
  EXPECT_EQ(part.reason(), Reason::time);
  Budget other(whole, 10 * 3600.0);
  whole.cancel();
  EXPECT_TRUE(other.spent_now());
}

TEST(Budget, APartMayHaveLessOfTheMemory) {
  const std::size_t now = resident_bytes();
  Budget whole{Limits{.time = std::nullopt, .memory = 2 * now + (std::size_t{1} << 30)}};
  Budget part(whole, 3600.0, .5);
  EXPECT_TRUE(part.allows(1));
  EXPECT_FALSE(part.allows(std::size_t{3} << 28));
  EXPECT_EQ(part.reason(), Reason::memory);
  EXPECT_TRUE(whole.allows(std::size_t{3} << 28));
  EXPECT_EQ(whole.reason(), Reason::none);
}

TEST(Budget, MemoryIsAskedForBeforeItIsTaken) {
  Budget budget{Limits{.time = std::nullopt, .memory = resident_bytes() + (std::size_t{1} << 30)}};
  EXPECT_TRUE(budget.allows(1));
  Budget part(budget, 3600.0);
  EXPECT_FALSE(part.allows(std::size_t{2} << 30));
  EXPECT_EQ(part.reason(), Reason::memory);
  EXPECT_EQ(budget.reason(), Reason::memory);
}

TEST(Budget, NearTheLimitLooksAtTheMemoryEachTime) {
  constexpr std::size_t kMegabyte = std::size_t{1} << 20;
  Budget budget{Limits{.time = std::nullopt, .memory = resident_bytes() + 32 * kMegabyte}};
  EXPECT_TRUE(budget.allows(kMegabyte));
  const std::vector<char> taken(40 * kMegabyte, 'x');
  EXPECT_EQ(taken.back(), 'x');
  EXPECT_FALSE(budget.allows(1));
  EXPECT_EQ(budget.reason(), Reason::memory);
}

TEST(Budget, EndsWhenItIsAskedTo) {
  std::stop_source source;
  Budget budget{Limits{.time = std::nullopt, .memory = std::nullopt, .stop = source.get_token()}};
  EXPECT_FALSE(budget.spent_now());
  source.request_stop();
  EXPECT_TRUE(budget.spent_now());
  EXPECT_EQ(budget.reason(), Reason::cancelled);
}

}  // namespace
}  // namespace linchpin::core
