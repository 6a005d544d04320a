#include <array>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/replay.hpp"
#include "types/bag/specification.hpp"
#include "types/sequential.hpp"

namespace linchpin::types {
namespace {

using testing::ElementsAre;

TEST(Bag, CountsEqualValues) {
  EXPECT_TRUE(legal(
      "bag", {"add 1", "add 1", "remove 1 -> true", "contains 1 -> true", "remove 1 -> true", "remove 1 -> false"}));
}

TEST(Bag, TakesAnyValue) {
  EXPECT_TRUE(legal("bag", {"add 1", "add 2", "take -> 2", "take -> 1", "take -> nil"}));
  EXPECT_TRUE(legal("unordered-queue", {"enqueue 1", "enqueue 2", "dequeue -> 1"}));
  EXPECT_FALSE(legal("bag", {"add 1", "take -> nil"}));
}

TEST(Bag, LostTakesMayHaveTakenAnyValue) {
  EXPECT_THAT(outcomes("bag", {"add 1", "add 2", "take -> ?"}), ElementsAre("{1}", "{2}"));
  EXPECT_THAT(outcomes("bag", {"take -> ?"}), ElementsAre("{}"));
}

TEST(Bag, ReplaysInPlaceWhatItsStatesAllow) {
  std::mt19937 random(20261122);
  const auto specification = *core::find_data_type("bag")->make(*TypeName::parse("bag"));
  int legal = 0;
  for (int round = 0; round < 2'000 && !HasFailure(); ++round) {
    const ValuePool pool;
    Value argument;
    const std::uint32_t lost = round % 2 == 0 ? 0 : random() % 4;  // of sixteen results
    legal += test::expect_replay_agrees(*specification, random, 100, [&](std::mt19937& dice) {
      const auto any_value = [&] { return Value::integer(static_cast<std::int64_t>(dice() % 4)); };
      argument = any_value();
      // A bag is not cleared often, for little is learnt of an empty one.
      const auto method =
          static_cast<std::uint16_t>(dice() % (dice() % 32 == 0 ? Bag::kClear + 1U : std::uint32_t{Bag::kClear}));
      const bool takes_argument = method == Bag::kAdd || method == Bag::kRemove || method == Bag::kContains;
      const std::array<Value, 4> results = {any_value(), Value::none(), Value::nil(), Value::boolean(dice() % 2 == 0)};
      return Operation{.method = method,
                       .arguments = std::span(&argument, takes_argument ? 1 : 0),
                       .result = dice() % 16 < lost ? Value::unknown() : results[dice() % results.size()],
                       .pool = &pool};
    });
  }
  EXPECT_GT(legal, 20'000);
}

}  // namespace
}  // namespace linchpin::types
