#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "types/sequential.hpp"

namespace linchpin::types {
namespace {

using testing::ElementsAre;

TEST(ReadModifyWrite, ReturnsTheReplacedValue) {
  EXPECT_TRUE(legal("rmw initial=0", {"read_modify_write 2 -> 0", "swap 3 -> 2", "read -> 3"}));
  EXPECT_FALSE(legal("rmw initial=0", {"read_modify_write 2 -> 2"}));
}

TEST(ReadModifyWrite, StartsWithNil) {
  EXPECT_TRUE(legal("rmw", {"exchange 1 -> nil"}));
  EXPECT_FALSE(legal("rmw", {"exchange 1 -> 0"}));
}

TEST(ReadModifyWrite, LostResultsStillWrite) {
  EXPECT_THAT(outcomes("rmw initial=0", {"read_modify_write 5 -> ?"}), ElementsAre("5"));
}

}  // namespace
}  // namespace linchpin::types
