#include <gtest/gtest.h>

#include "types/sequential.hpp"

namespace linchpin::types {
namespace {

TEST(Set, AddsOnce) {
  EXPECT_TRUE(legal("set", {"add 1 -> true", "add 1 -> false", "contains 1 -> true", "remove 1 -> true",
                            "remove 1 -> false", "contains 1 -> false"}));
  EXPECT_FALSE(legal("set", {"add 1 -> true", "add 1 -> true"}));
}

TEST(Set, BareAcknowledgementsSayNothing) {
  EXPECT_TRUE(legal("set", {"add 1", "add 1", "remove 1", "remove 1 -> nil"}));
}

TEST(Set, ReadsItsElementsInAnyOrder) {
  EXPECT_TRUE(legal("set", {"add 1", "add 2", "read -> [2 1]", "read -> [1 2]"}));
  EXPECT_FALSE(legal("set", {"add 1", "add 2", "read -> [1]"}));
  EXPECT_FALSE(legal("set", {"add 1", "read -> [1 1]"}));
}

TEST(Set, SeesTheWhole) {
  EXPECT_TRUE(legal("set", {"is_empty -> true", "add 3", "size -> 1", "clear", "read -> []"}));
}

}  // namespace
}  // namespace linchpin::types
