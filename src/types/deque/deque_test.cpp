#include <gtest/gtest.h>

#include "types/sequential.hpp"

namespace linchpin::types {
namespace {

TEST(Deque, HasTwoEnds) {
  EXPECT_TRUE(legal("deque", {"push_back 1", "push_back 2", "push_front 3", "peek_front -> 3", "peek_back -> 2",
                              "pop_front -> 3", "pop_back -> 2", "pop_back -> 1", "pop_front -> nil"}));
  EXPECT_FALSE(legal("deque", {"push_back 1", "push_back 2", "pop_back -> 1"}));
}

TEST(Deque, CountsItsValues) {
  EXPECT_TRUE(legal("deque", {"push_left 1", "size -> 1", "is_empty -> false", "pop_right -> 1", "is_empty -> true"}));
}

}  // namespace
}  // namespace linchpin::types
