// Values of explored operations: whatever an integer of 64 bits can be.
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "linchpin/explore.hpp"

namespace linchpin::values_test {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

TEST(Values, IntegersOfMoreThan61BitsAreValues) {
  ExploreOptions options;
  for (const std::int64_t number :
       {kMost, std::numeric_limits<std::int64_t>::min(), std::int64_t{1} << 60, (std::int64_t{1} << 60) - 1}) {
    options.scenario = "write " + std::to_string(number) + ", read | read";
    const ExploreResult result = explore(
        as::atomic_register, [] { return std::make_unique<std::atomic<std::int64_t>>(0); }, options);
    EXPECT_TRUE(result.ok() && result.complete) << result.to_string();
    EXPECT_GT(result.histories, 1U);
  }
}

/// Gives back one less than the largest integer.
class OneLess {
 public:
  void write(std::int64_t value) { value_.store(value); }
  std::int64_t read() const {
    const std::int64_t value = value_.load();
    return value == kMost ? value - 1 : value;
  }

 private:
  std::atomic<std::int64_t> value_ = 0;
};

TEST(Values, WrongOnesAreToldInFull) {
  ExploreOptions options;
  options.scenario = "write 9223372036854775807, read";
  const ExploreResult result = explore(
      as::atomic_register, [] { return std::make_unique<OneLess>(); }, options);
  ASSERT_EQ(result.finding, ExploreFinding::not_linearizable) << result.to_string();
  EXPECT_NE(result.message.find("9223372036854775806"), std::string::npos) << result.message;
  ASSERT_EQ(result.interleaving.size(), 2U) << result.to_string();
  EXPECT_EQ(result.interleaving[0].note, "call write(9223372036854775807); return");
  EXPECT_EQ(result.interleaving[1].note, "call read(); return 9223372036854775806");
  EXPECT_EQ(result.history->describe(1), "read() -> 9223372036854775806");
}

}  // namespace
}  // namespace linchpin::values_test
