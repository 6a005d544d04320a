#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "types/sequential.hpp"

namespace linchpin::types {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

constexpr const char* kStore = "mvcc-kv";

TEST(MvccKv, EveryChangeMovesTheRevision) {
  EXPECT_TRUE(legal(kStore, {"range a -> [1 [] 0]", "put a x -> 2", "put a x -> 3", "range a -> [3 [[a x 3 2 2 0]] 1]",
                             "delete b -> [3 0]", "delete a -> [4 1]", "range a -> [4 [] 0]"}));
  EXPECT_FALSE(legal(kStore, {"put a x -> 1"}));
  EXPECT_FALSE(legal(kStore, {"put a x -> 2", "put b x -> 2"}));
  EXPECT_FALSE(legal(kStore, {"put a x -> 2", "delete a -> [3 0]"}));
}

TEST(MvccKv, AKeyIsCreatedAgainAfterItsDeletion) {
  EXPECT_TRUE(legal(kStore, {"put a x -> 2", "put a y -> 3", "delete a -> [4 1]", "put a z -> 5",
                             "range a -> [5 [[a z 5 1 5 0]] 1]"}));
}

TEST(MvccKv, RangesAreInTheOrderOfTheKeysAndCountAll) {
  const std::initializer_list<std::string_view> puts{"put b 2 -> 2", "put a 1 -> 3", "put c 3 -> 4"};
  const auto after = [&](std::string_view line) {
    return legal(kStore, {*puts.begin(), *(puts.begin() + 1), *(puts.begin() + 2), line});
  };
  EXPECT_TRUE(after("range a c -> [4 [[a 1 3] [b 2 2]] 2]"));
  EXPECT_FALSE(after("range a c -> [4 [[b 2 2] [a 1 3]] 2]"));
  EXPECT_TRUE(after("range a d [limit 2] -> [4 [[a 1] [b 2]] 3]"));
  EXPECT_FALSE(after("range a d [limit 2] -> [4 [[a 1] [b 2] [c 3]] 3]"));
  EXPECT_TRUE(after("range a d [keys] -> [4 [[a nil 3] [b nil 2] [c nil 4]] 3]"));
  EXPECT_FALSE(after("range a d [keys] -> [4 [[a 1 3] [b nil 2] [c nil 4]] 3]"));
  EXPECT_TRUE(after("range a d [count] -> [4 [] 3]"));
  EXPECT_FALSE(after("range a d [count] -> [4 [] 2]"));
  EXPECT_TRUE(after(R"(range b "\x00" -> [4 [[b 2] [c 3]] 2])"));
}

TEST(MvccKv, RangesAtOldRevisions) {
  EXPECT_TRUE(legal(
      kStore, {"put a x -> 2", "put a y -> 3", "delete a -> [4 1]", "range a nil [revision 2] -> [4 [[a x 2 1]] 1]",
               "range a nil [revision 3] -> [4 [[a y 3 2]] 1]", "range a nil [revision 1] -> [4 [] 0]"}));
  EXPECT_FALSE(legal(kStore, {"put a x -> 2", "put a y -> 3", "range a nil [revision 2] -> [3 [[a y 3]]]"}));
  EXPECT_TRUE(legal(kStore, {"range a nil [revision 2] -> future"}));
  EXPECT_FALSE(legal(kStore, {"range a nil [revision 1] -> future"}));
}

TEST(MvccKv, WhatIsCompactedIsGone) {
  EXPECT_TRUE(
      legal(kStore, {"put a x -> 2", "put a y -> 3", "compact 3 -> ok", "range a nil [revision 2] -> compacted",
                     "range a nil [revision 3] -> [3 [[a y 3]]]", "compact 3 -> compacted", "compact 4 -> future"}));
  EXPECT_FALSE(legal(kStore, {"put a x -> 2", "compact 2 -> ok", "range a nil [revision 1] -> [2 []]"}));
  EXPECT_FALSE(legal(kStore, {"put a x -> 2", "compact 3 -> ok"}));
}

TEST(MvccKv, TransactionsCompareAndBranch) {
  EXPECT_TRUE(legal(kStore, {"put a x -> 2",
                             "txn [[mod a 2]] [[put a y] [range a] [delete b]] [] -> [3 true [nil [[[a y 3 2]] 1] 0]]",
                             "txn [[mod a 2]] [[put a z]] [[range a]] -> [3 false [[[[a y 3]]]]]"}));
  EXPECT_FALSE(legal(kStore, {"put a x -> 2", "txn [[mod a 2]] [[put a y]] [] -> [2 false []]"}));
  EXPECT_TRUE(legal(kStore, {"txn [[version a 0] [create a = 0] [lease a 0]] [[put a x] [put b y]] [] -> [2 true]",
                             "range a c -> [2 [[a x 2] [b y 2]]]"}));
  EXPECT_TRUE(legal(
      kStore, {"put a 5 -> 2", "txn [[value a < 6] [value a > 4] [value a != 4]] [[delete a]] [] -> [3 true [1]]"}));
  EXPECT_TRUE(legal(kStore, {"txn [[value a != 4]] [[put a 1]] [] -> [1 false]"}));
}

TEST(MvccKv, LeasesTakeTheirKeysAlong) {
  EXPECT_TRUE(legal(
      kStore, {"grant 7 -> 1", "put a x 7 -> 2", "put b y 7 -> 3", "put b z -> 4", "range a -> [4 [[a x 2 1 2 7]]]",
               "revoke 7 -> 5", "range a c -> [5 [[b z 4]]]", "revoke 7 -> 5", "revoke 7 -> false"}));
  EXPECT_TRUE(legal(kStore, {"put a x 7 -> 1", "put a x 7 -> false", "range a -> [1 []]"}));
  EXPECT_FALSE(legal(kStore, {"put a x 7 -> 2"}));
  EXPECT_FALSE(legal(kStore, {"grant 7 -> 1", "grant 7 -> 1"}));
  EXPECT_TRUE(legal(kStore, {"grant 7 -> 1", "grant 7 -> false", "revoke 7 -> 1"}));
}

TEST(MvccKv, APutMayShowWhatWasThereBefore) {
  EXPECT_TRUE(legal(kStore, {"put a x -> [2 nil]", "put a y -> [3 [a x 2 1]]"}));
  EXPECT_FALSE(legal(kStore, {"put a x -> 2", "put a y -> [3 nil]"}));
}

TEST(MvccKv, LostAnswersSayThatItWasExecuted) {
  EXPECT_THAT(outcomes(kStore, {"put a x -> ?"}), SizeIs(1));
  EXPECT_TRUE(legal(kStore, {"put a x -> ?", "range a -> [2 [[a x 2]]]", "delete a -> ok", "range a -> [3 []]"}));
}

TEST(MvccKv, RefusesWhatMakesNoSense) {
  EXPECT_EQ(refusal(kStore, "put a nil"), "nil stands for a value that is not told, and cannot be put");
  EXPECT_EQ(refusal(kStore, "range nil"), "a key must be a value other than nil");
  EXPECT_EQ(refusal(kStore, "range a b [limit]"), "a limit and a revision are integers that are not negative");
  EXPECT_EQ(refusal(kStore, "range a b [most 3]"), "the options of a range are limit, revision, keys and count");
  EXPECT_EQ(refusal(kStore, "txn [] [[put a x] [put a y]] []"),
            "a transaction may not put a key twice, nor put one that it deletes");
  EXPECT_EQ(refusal(kStore, "txn [] [[put a x] [delete a c]] []"),
            "a transaction may not put a key twice, nor put one that it deletes");
  EXPECT_EQ(refusal(kStore, "txn [] [[get a]] []"),
            "an act of a transaction is [put k v lease], [delete k end] or [range k end options]");
  EXPECT_EQ(
      refusal(kStore, "txn [[mod a b]] [] []"),
      "a compare is [target key value] or [target key relation value], with the target mod, version, create, lease "
      "or value and the relation =, !=, < or >");
  EXPECT_EQ(refusal(kStore, "grant 0"), "a lease has a number other than 0, or a name");
}

}  // namespace
}  // namespace linchpin::types
