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
  EXPECT_TRUE(legal("map", {"put x 1 -> ok", "put x 2 -> OK", "cas x 2 3 -> ok", "replace x 4 -> ok", "remove x -> ok",
                            "get x -> nil"}));
  EXPECT_FALSE(legal("map", {"put x 1 -> ok", "cas x 2 3 -> ok"}));
  EXPECT_FALSE(legal("map results=previous", {"put x 1 -> ok"}));
  EXPECT_TRUE(legal("map results=previous", {"put x ok -> nil", "put x 2 -> ok"}));
  EXPECT_TRUE(legal("map", {"put x ok", "put_if_absent x 2 -> ok"}));
  EXPECT_FALSE(legal("map", {"put_if_absent x 2 -> ok"}));
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
  EXPECT_FALSE(legal("map", {"replace x nil 1 -> true"}));
}

TEST(Map, PuttingNilRemoves) { EXPECT_THAT(outcomes("map", {"put x 1", "put x nil"}), ElementsAre("{}")); }

TEST(Map, SeesTheWhole) { EXPECT_TRUE(legal("map", {"put x 1", "put y 1", "size -> 2", "clear", "is_empty -> true"})); }

}  // namespace
}  // namespace linchpin::types
