#include <gtest/gtest.h>

#include "types/sequential.hpp"

namespace linchpin::types {
namespace {

TEST(Register, ReadsWhatWasWrittenLast) {
  EXPECT_TRUE(legal("register", {"write 3", "read -> 3", "write 4", "read -> 4"}));
  EXPECT_FALSE(legal("register", {"write 3", "write 4", "read -> 3"}));
}

TEST(Register, StartsWithNilOrTheGivenValue) {
  EXPECT_TRUE(legal("register", {"read -> nil"}));
  EXPECT_FALSE(legal("register", {"read -> 0"}));
  EXPECT_TRUE(legal("register initial=7", {"read -> 7"}));
}

TEST(Register, UndefinedRegistersCannotBeRead) {
  EXPECT_FALSE(legal("register initial=undefined", {"read -> nil"}));
  EXPECT_FALSE(legal("register initial=undefined", {"read -> ?"}));
  EXPECT_TRUE(legal("register initial=undefined", {"write 1", "read -> 1"}));
}

TEST(Register, WritesMayEchoTheirArgument) {
  EXPECT_TRUE(legal("register", {"write 3 -> 3", "write 4 -> true", "write 5 -> nil"}));
  EXPECT_FALSE(legal("register", {"write 3 -> 4"}));
}

}  // namespace
}  // namespace linchpin::types
