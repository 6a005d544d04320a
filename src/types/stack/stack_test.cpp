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
  EXPECT_TRUE(legal("stack heights=yes", {"push 7 -> 1", "push 8 -> 2", "pop -> 8"}));
  EXPECT_FALSE(legal("stack heights=yes", {"push 7 -> 2"}));
  EXPECT_TRUE(legal("stack", {"push 7 -> 7"}));
  EXPECT_FALSE(legal("stack heights=yes", {"push 7 -> 7"}));
}

TEST(Stack, WhatMayBeAHeightOrAValueIsRefused) {
  EXPECT_EQ(refusal("stack", "push 7 -> 1"),
            "what it returned may be the height before it or after it: say heights=before or heights=yes");
  EXPECT_EQ(refusal("stack", "push 7 -> 7"), "");
  EXPECT_EQ(refusal("stack", "push 7 -> ok"), "");
  EXPECT_EQ(refusal("stack", "push [1 2]"), "");
  EXPECT_EQ(refusal("stack heights=yes", "push [1 2] -> 1"),
            "with heights=yes, a pop that returns such a list returns a value and a height");
  EXPECT_EQ(refusal("stack heights=yes", "push [1 a] -> 1"), "");
  EXPECT_EQ(refusal("stack heights=yes", "pop -> 0"), "") << "a value: an empty stack answers nil, or [nil 0]";
  EXPECT_EQ(refusal("stack heights=before", "pop -> 7"),
            "with heights=before, a pop returns [value height], or 0 or nil when the stack is empty");
  EXPECT_EQ(refusal("stack heights=before initial=[7]", "pop -> 7"),
            "with heights=before, a pop returns [value height], or 0 or nil when the stack is empty");
  for (const char* const pop : {"pop -> 0", "pop -> nil", "pop -> [0 1]", "pop -> [nil 0]", "pop -> ?"}) {
    EXPECT_EQ(refusal("stack heights=before", pop), "");
  }
}

TEST(Stack, WithHeightsBeforeABareZeroIsNoValue) {
  EXPECT_TRUE(legal("stack heights=before", {"push 0 -> 0", "pop -> [0 1]", "pop -> 0"}));
  EXPECT_FALSE(legal("stack heights=before", {"push 0 -> 0", "pop -> 0"}));
  EXPECT_TRUE(legal("stack heights=yes", {"push 0 -> 1", "pop -> 0"}));
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
