#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "types/sequential.hpp"

namespace linchpin::types {
namespace {

using testing::ElementsAre;

TEST(Semaphore, DoesNotGoBelowZero) {
  EXPECT_TRUE(legal("semaphore", {"decrement -> false", "increment -> true", "decrement -> true", "count -> 0"}));
  EXPECT_FALSE(legal("semaphore", {"decrement -> true"}));
  EXPECT_FALSE(legal("semaphore initial=1", {"decrement -> false"}));
}

TEST(Semaphore, ABareAcknowledgementTookEffect) {
  EXPECT_FALSE(legal("semaphore", {"acquire"}));
  EXPECT_TRUE(legal("semaphore initial=2", {"acquire", "acquire", "release", "count -> 1"}));
}

TEST(Semaphore, LostDecrementsTakeWhatIsThere) {
  EXPECT_THAT(outcomes("semaphore initial=1", {"decrement -> ?"}), ElementsAre("count 0"));
  EXPECT_THAT(outcomes("semaphore", {"decrement -> ?"}), ElementsAre("count 0"));
}

}  // namespace
}  // namespace linchpin::types
