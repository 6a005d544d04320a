#include <tuple>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "types/sequential.hpp"

namespace linchpin::types {
namespace {

using testing::ElementsAre;

TEST(Map, GetsWhatWasPut) {
  EXPECT_TRUE(legal("map", {"put x 1", "get x -> 1", "get y -> nil"}));
  EXPECT_FALSE(legal("map", {"put x 1", "get x -> 2"}));
}

TEST(Map, AppendsTexts) {
  EXPECT_TRUE(legal("kv absent=empty-string",
                    {"get k -> \"\"", "append k \"x 1 \"", "append k \"y 2 \"", "get k -> \"x 1 y 2 \""}));
  EXPECT_FALSE(legal("kv absent=empty-string", {"append k a", "append k b", "get k -> ba"}));
  EXPECT_THAT(outcomes("map", {"put k a", "append k b"}), ElementsAre("{k: \"ab\"}"));
  EXPECT_THAT(outcomes("map", {"put k ab"}), ElementsAre("{k: \"ab\"}"));
}

TEST(Map, AppendedAndPutTextsAreTheSameState) {
  EXPECT_TRUE(legal("map", {"append k a", "append k b", "cas k ab c -> true"}));
}

TEST(Map, PreviousValuesAreCheckedWhereTheyAreGiven) {
  EXPECT_FALSE(legal("map", {"put x 1", "put x 2 -> 5"}));
  EXPECT_TRUE(legal("map", {"put x 1", "put x 2 -> nil"}));
  EXPECT_FALSE(legal("map results=previous", {"put x 1", "put x 2 -> nil"}));
  EXPECT_TRUE(legal("map results=previous", {"put x 1 -> nil", "put x 2 -> 1"}));
}

TEST(Map, OkAcknowledgesUnlessResultsAreValues) {
  EXPECT_TRUE(legal("map", {"put x 1 -> ok", "put x 2 -> OK", "cas x 2 3 -> Ok", "replace x 4 -> ok", "remove x -> ok",
                            "get x -> nil"}));
  EXPECT_FALSE(legal("map", {"put x 1 -> ok", "cas x 2 3 -> ok"}));
  EXPECT_FALSE(legal("map results=previous", {"put x 1 -> ok"}));
  EXPECT_TRUE(legal("map results=previous", {"put x ok -> nil", "put x 2 -> ok"}));
  EXPECT_TRUE(legal("map", {"put_if_absent x 2 -> ok", "put_if_absent x 3 -> ok", "get x -> 2"}));
  EXPECT_FALSE(legal("map results=previous", {"put_if_absent x 2 -> ok"}));
  EXPECT_TRUE(legal("map results=previous", {"put x ok", "put_if_absent x 2 -> ok"}));
}

TEST(Map, PreviousResultsAreNeverAnswers) {
  // Where they are answers, a boolean is one.
  EXPECT_TRUE(legal("map", {"put x 1", "remove x -> true"}));
  EXPECT_TRUE(legal("map", {"put x 1", "replace x 2 -> true"}));
  EXPECT_TRUE(legal("map", {"put_if_absent x 1 -> true"}));
  // Where they are previous values, it is a value.
  for (const char* const change : {"put x 5", "remove x", "replace x 5", "put_if_absent x 5"}) {
    for (const auto& [stored, result, fits] :
         {std::tuple{"true", "true", true}, std::tuple{"true", "false", false}, std::tuple{"false", "false", true},
          std::tuple{"false", "true", false}, std::tuple{"1", "true", false}, std::tuple{"nil", "true", false},
          std::tuple{"nil", "false", false}, std::tuple{"nil", "nil", true}, std::tuple{"true", "nil", false}}) {
      const std::string before = fmt::format("put x {}", stored), now = fmt::format("{} -> {}", change, result);
      EXPECT_EQ(legal("map results=previous", {before, now}), fits) << before << ", " << now;
    }
  }
  // cas and replace(k, old, new) have no previous value to tell.
  EXPECT_TRUE(legal("map results=previous", {"put x 1", "cas x 1 2 -> true", "replace x 2 3 -> true", "get x -> 3",
                                             "cas x 3 4 -> ok", "cas x 3 5 -> false"}));
}

TEST(Map, AKeyThatComesBackIsNoAcknowledgement) {
  EXPECT_FALSE(legal("map", {"append x a -> x"}));
  EXPECT_TRUE(legal("map", {"append x a -> a"}));
  EXPECT_FALSE(legal("map", {"put x 1 -> x"}));
  EXPECT_FALSE(legal("map", {"cas x nil 1 -> x"}));
}

TEST(Map, RemoveSaysWhetherThereWasAValue) {
  EXPECT_TRUE(legal("map", {"remove x -> false", "put x 1", "remove x -> true", "get x -> nil"}));
  EXPECT_FALSE(legal("map", {"remove x -> true"}));
  EXPECT_TRUE(legal("map", {"put x 1", "delete x -> 1"}));
}

TEST(Map, PutIfAbsentKeepsWhatIsThere) {
  EXPECT_TRUE(legal(
      "map", {"put_if_absent x 1 -> true", "put_if_absent x 2 -> 1", "put_if_absent x 2 -> false", "get x -> 1"}));
  EXPECT_FALSE(legal("map", {"put x 1", "put_if_absent x 2 -> true"}));
}

TEST(Map, ReplaceNeedsAValue) {
  EXPECT_TRUE(legal("map", {"replace x 1 -> false", "put x 1", "replace x 2 -> true", "replace x 2 3 -> true",
                            "replace x 2 4 -> false", "get x -> 3"}));
  EXPECT_FALSE(legal("map", {"replace x 1 -> true"}));
}

TEST(Map, CasFromNilNeedsAnAbsentKey) {
  EXPECT_TRUE(legal("map", {"cas x nil 1 -> true", "cas x nil 2 -> false", "get x -> 1"}));
}

TEST(Map, ReplaceWithAnExpectedValueIsCas) {
  EXPECT_TRUE(legal("map", {"replace x nil 1 -> true", "replace x nil 2 -> false", "get x -> 1"}));
  EXPECT_FALSE(legal("map", {"replace x nil 1 -> false"}));
  EXPECT_TRUE(legal("map", {"put x 1", "replace x 1 nil -> true", "contains x -> false"}));
  EXPECT_TRUE(legal("map absent=empty-string", {"replace x \"\" a -> true", "get x -> a"}));
}

TEST(Map, PuttingNilRemoves) { EXPECT_THAT(outcomes("map", {"put x 1", "put x nil"}), ElementsAre("{}")); }

TEST(Map, SeesTheWhole) { EXPECT_TRUE(legal("map", {"put x 1", "put y 1", "size -> 2", "clear", "is_empty -> true"})); }

}  // namespace
}  // namespace linchpin::types
