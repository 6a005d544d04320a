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

TEST(PriorityQueue, LostPollsMayHaveTakenAnyBestValue) {
  EXPECT_THAT(outcomes("priority-queue", {"insert a 1", "insert b 1", "poll -> ?"}),
              ElementsAre("[a at 1], best first", "[b at 1], best first"));
  EXPECT_THAT(outcomes("priority-queue ties=fifo", {"insert a 1", "insert b 1", "poll -> ?"}),
              ElementsAre("[b at 1], best first"));
}

}  // namespace
}  // namespace linchpin::types
