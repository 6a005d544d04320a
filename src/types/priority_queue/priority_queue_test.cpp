#include <array>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/replay.hpp"
#include "types/priority_queue/specification.hpp"
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

TEST(PriorityQueue, RefusesWhatFindsNoRoom) {
  const char* const type = "priority-queue capacity=2";
  EXPECT_TRUE(legal(type, {"insert 3 -> true", "insert 1", "insert 2 -> false", "poll -> 1", "insert 2", "poll -> 2"}));
  EXPECT_FALSE(legal(type, {"insert 3", "insert 1", "insert 2 -> true"}));
  EXPECT_FALSE(legal(type, {"insert 3", "insert 1 -> false"}));
  EXPECT_FALSE(legal(type, {"insert false -> false"}));
  EXPECT_TRUE(legal("priority-queue", {"insert false -> false"}));
  EXPECT_THAT(outcomes(type, {"insert 3", "insert 1", "insert 2 -> ?"}), ElementsAre("[1, 3], best first"));
  EXPECT_TRUE(legal("priority-queue capacity=0", {"insert 3 -> false", "poll -> nil"}));
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

TEST(PriorityQueue, ReplaysInPlaceWhatItsStatesAllow) {
  std::mt19937 random(20261122);
  for (const char* const type : {"priority-queue", "priority-queue order=largest", "priority-queue ties=fifo",
                                 "priority-queue order=a<b,a<c", "priority-queue capacity=3"}) {
    const auto specification = *core::find_data_type("priority-queue")->make(*TypeName::parse(type));
    const bool relation = std::string_view(type).ends_with("c");
    int legal = 0;
    for (int round = 0; round < 2'000 && !HasFailure(); ++round) {
      ValuePool pool;
      std::array<Value, 2> arguments;
      const std::uint32_t lost = round % 2 == 0 ? 0 : random() % 4;  // of sixteen results
      legal += test::expect_replay_agrees(*specification, random, 100, [&](std::mt19937& dice) {
        const auto any_value = [&] { return Value::integer(static_cast<std::int64_t>(dice() % 6)); };
        arguments = {any_value(), relation ? pool.string(std::string(1, static_cast<char>('a' + dice() % 3)))
                                           : Value::integer(static_cast<std::int64_t>(dice() % 3))};
        const auto method = static_cast<std::uint16_t>(dice() % 5);
        const bool inserts = method == PriorityQueue::kInsert;
        const std::array<Value, 4> results = {any_value(), any_value(), Value::nil(), Value::boolean(dice() % 2 == 0)};
        return Operation{.method = method,
                         .arguments = std::span(arguments).first(inserts ? 2 : 0),
                         .result = dice() % 16 < lost           ? Value::unknown()
                                   : inserts && dice() % 8 != 0 ? Value::none()
                                                                : results[dice() % results.size()],
                         .pool = &pool};
      });
    }
    EXPECT_GT(legal, 20'000) << type;
  }
}

}  // namespace
}  // namespace linchpin::types
