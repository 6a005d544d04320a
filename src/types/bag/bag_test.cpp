#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "types/sequential.hpp"

namespace linchpin::types {
namespace {

using testing::ElementsAre;

TEST(Bag, CountsEqualValues) {
  EXPECT_TRUE(legal(
      "bag", {"add 1", "add 1", "remove 1 -> true", "contains 1 -> true", "remove 1 -> true", "remove 1 -> false"}));
}

TEST(Bag, TakesAnyValue) {
  EXPECT_TRUE(legal("bag", {"add 1", "add 2", "take -> 2", "take -> 1", "take -> nil"}));
  EXPECT_TRUE(legal("unordered-queue", {"enqueue 1", "enqueue 2", "dequeue -> 1"}));
  EXPECT_FALSE(legal("bag", {"add 1", "take -> nil"}));
}

TEST(Bag, LostTakesMayHaveTakenAnyValue) {
  EXPECT_THAT(outcomes("bag", {"add 1", "add 2", "take -> ?"}), ElementsAre("{1}", "{2}"));
  EXPECT_THAT(outcomes("bag", {"take -> ?"}), ElementsAre("{}"));
}

}  // namespace
}  // namespace linchpin::types
