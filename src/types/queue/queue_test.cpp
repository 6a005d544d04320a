#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "types/sequential.hpp"

namespace linchpin::types {
namespace {

using testing::ElementsAre;

TEST(Queue, RejectsDequeueBeforeEnqueue) { EXPECT_FALSE(legal("queue", {"dequeue -> 1", "enqueue 1"})); }

TEST(Queue, IsFirstInFirstOut) {
  EXPECT_TRUE(legal("queue", {"enqueue 1", "enqueue 2", "dequeue -> 1", "dequeue -> 2", "dequeue -> nil"}));
  EXPECT_FALSE(legal("queue", {"enqueue 1", "enqueue 2", "dequeue -> 2"}));
}

TEST(Queue, PeeksAtTheOldest) {
  EXPECT_TRUE(legal("queue", {"peek -> nil", "enqueue 1", "enqueue 2", "peek -> 1", "size -> 2", "is_empty -> false"}));
}

TEST(Queue, FalseMeansFull) {
  EXPECT_TRUE(legal("queue capacity=1", {"enqueue 1 -> true", "enqueue 2 -> false", "dequeue -> 1", "enqueue 2"}));
  EXPECT_FALSE(legal("queue capacity=2", {"enqueue 1", "enqueue 2 -> false"}));
  EXPECT_FALSE(legal("queue capacity=1", {"enqueue 1", "enqueue 2 -> true"}));
  EXPECT_FALSE(legal("queue", {"enqueue 1 -> false"}));
}

TEST(Queue, LostResultsTakeEffect) {
  EXPECT_THAT(outcomes("queue", {"enqueue 1", "enqueue 2", "dequeue -> ?"}), ElementsAre("[2]"));
  EXPECT_THAT(outcomes("queue capacity=1", {"enqueue 1", "enqueue 2 -> ?"}), ElementsAre("[1]"));
}

TEST(Queue, SpeaksTheNamesOfOtherTools) {
  EXPECT_TRUE(legal("fifo-queue", {"ENQ 1", "Offer 2", "DEQ -> 1", "poll -> 2"}));
}

}  // namespace
}  // namespace linchpin::types
