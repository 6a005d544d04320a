#include <gtest/gtest.h>

#include "types/sequential.hpp"

namespace linchpin::types {
namespace {

TEST(Stack, IsLastInFirstOut) {
  EXPECT_TRUE(legal("stack", {"push 1", "push 2", "pop -> 2", "pop -> 1", "pop -> nil"}));
  EXPECT_FALSE(legal("stack", {"push 1", "push 2", "pop -> 1"}));
}

TEST(Stack, PeeksAtTheTop) { EXPECT_TRUE(legal("stack", {"push 1", "push 2", "peek -> 2", "size -> 2"})); }

TEST(Stack, PushMayReturnTheHeight) {
  EXPECT_TRUE(legal("stack", {"push 7 -> 1", "push 8 -> 2"}));
  EXPECT_FALSE(legal("stack", {"push 7 -> 2"}));
  EXPECT_TRUE(legal("stack", {"push 7 -> 7"}));
  EXPECT_FALSE(legal("stack heights=yes", {"push 7 -> 7"}));
}

TEST(Stack, PopMayReturnTheHeightAfterIt) {
  EXPECT_TRUE(legal("stack heights=yes", {"push 7 -> 1", "push 8 -> 2", "pop -> [8 1]", "pop -> [7 0]", "pop -> nil"}));
  EXPECT_FALSE(legal("stack heights=yes", {"push 7", "pop -> [7 1]"}));
}

TEST(Stack, HeightsMayBeThoseBefore) {
  EXPECT_TRUE(
      legal("stack heights=before", {"push 7 -> 0", "push 8 -> 1", "pop -> [8 2]", "pop -> [7 1]", "pop -> 0"}));
  EXPECT_FALSE(legal("stack heights=before", {"push 7 -> 0", "pop -> 0"}));
}

TEST(Stack, WithoutHeightsAListIsAValue) { EXPECT_TRUE(legal("stack", {"push [1 2]", "pop -> [1 2]"})); }

}  // namespace
}  // namespace linchpin::types
