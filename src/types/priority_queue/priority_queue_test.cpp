#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "types/sequential.hpp"

namespace linchpin::types {
namespace {

using testing::ElementsAre;

TEST(PriorityQueue, PollsTheSmallestFirst) {
  EXPECT_TRUE(legal("priority-queue", {"insert 2", "insert 1", "peek -> 1", "poll -> 1", "poll -> 2", "poll -> nil"}));
  EXPECT_FALSE(legal("priority-queue", {"insert 2", "insert 1", "poll -> 2"}));
}

TEST(PriorityQueue, MayPutTheLargestFirst) {
  EXPECT_TRUE(legal("priority-queue order=largest", {"insert 2", "insert 1", "poll -> 2"}));
}

TEST(PriorityQueue, PrioritiesMayBeApartFromValues) {
  EXPECT_TRUE(legal("priority-queue", {"insert a 2", "insert b 1", "poll -> b", "poll -> a"}));
  EXPECT_FALSE(legal("priority-queue", {"insert a 2", "insert b 1", "poll -> a"}));
}

TEST(PriorityQueue, TiesAreFreeUnlessTheyAreFifo) {
  EXPECT_TRUE(legal("priority-queue", {"insert a 1", "insert b 1", "poll -> b"}));
  EXPECT_FALSE(legal("priority-queue ties=fifo", {"insert a 1", "insert b 1", "poll -> b"}));
  EXPECT_TRUE(legal("priority-queue ties=fifo", {"insert b 1", "insert a 1", "poll -> b"}));
}

TEST(PriorityQueue, PrioritiesMayBeComparedByComponents) {
  const char* const type = "priority-queue order=componentwise ties=fifo";
  EXPECT_TRUE(legal(type, {"insert a [1 2]", "insert b [2 1]", "poll -> b", "poll -> a"}));
  EXPECT_TRUE(legal(type, {"insert a [1 2]", "insert b [2 1]", "poll -> a", "poll -> b"}));
  EXPECT_FALSE(legal(type, {"insert a [1 2]", "insert b [2 2]", "poll -> b"}));
  EXPECT_FALSE(legal(type, {"insert a [1 2]", "insert b [1 2]", "peek -> b"}));
  EXPECT_TRUE(legal("priority-queue order=componentwise", {"insert a [1 2]", "insert b [1 2]", "peek -> b"}));
  EXPECT_TRUE(legal("priority-queue order=componentwise-largest", {"insert a [1 2]", "insert b [2 2]", "poll -> b"}));
}

TEST(PriorityQueue, TheOrderMayBeARelation) {
  const char* const type = "priority-queue order=high<normal,high<low";
  EXPECT_TRUE(legal(type, {"insert 1 low", "insert 2 high", "insert 3 normal", "poll -> 2", "poll -> 3", "poll -> 1"}));
  EXPECT_TRUE(legal(type, {"insert 1 low", "insert 2 high", "insert 3 normal", "poll -> 2", "poll -> 1", "poll -> 3"}));
  EXPECT_FALSE(legal(type, {"insert 1 low", "insert 2 high", "poll -> 1"}));
}

TEST(PriorityQueue, LostPollsMayHaveTakenAnyValueThatNoneGoesBefore) {
  EXPECT_THAT(outcomes("priority-queue order=a<b,a<c", {"insert 1 b", "insert 2 c", "insert 3 c", "poll -> ?"}),
              ElementsAre("[1 at b, 2 at c]", "[1 at b, 3 at c]", "[2 at c, 3 at c]"));
}

TEST(PriorityQueue, LostPollsMayHaveTakenAnyBestValue) {
  EXPECT_THAT(outcomes("priority-queue", {"insert a 1", "insert b 1", "poll -> ?"}),
              ElementsAre("[a at 1], best first", "[b at 1], best first"));
  EXPECT_THAT(outcomes("priority-queue ties=fifo", {"insert a 1", "insert b 1", "poll -> ?"}),
              ElementsAre("[b at 1], best first"));
}

}  // namespace
}  // namespace linchpin::types
