#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "types/sequential.hpp"

namespace linchpin::types {
namespace {

using testing::SizeIs;

TEST(Stream, AppendsTellTheTailAfterThem) {
  EXPECT_TRUE(legal("stream", {"check_tail -> 0", "append [7 8] -> 2", "check_tail -> 2", "append [9] -> 3"}));
  EXPECT_FALSE(legal("stream", {"append [7 8] -> 1"}));
}

// XXH3 of the eight bytes 7 0 0 0 0 0 0 0, with the seed 0: the hash of the empty stream.
TEST(Stream, ReadsShowTheChainedHash) {
  EXPECT_TRUE(legal("stream", {"read -> [0 0]", "append [7] -> 1", "read -> [1 -9122289153307470161]"}));
  EXPECT_FALSE(legal("stream", {"append [7] -> 1", "read -> [1 0]"}));
  EXPECT_TRUE(legal("stream", {"append [7] -> 1", "read -> 1"}));
}

TEST(Stream, AppendsOnConditionOfTheTail) {
  EXPECT_TRUE(legal("stream", {"append [7] 0 -> 1", "append [8] 1 -> 2", "append [9] 1 -> false"}));
  EXPECT_FALSE(legal("stream", {"append [7] 1 -> 1"}));
}

TEST(Stream, AppendsOnConditionOfTheToken) {
  EXPECT_FALSE(legal("stream", {"append [7] nil a -> 1"}));
  EXPECT_TRUE(legal("stream", {"append [7] nil nil a -> 1", "append [8] nil a -> 2", "append [9] -> 3"}));
  EXPECT_FALSE(legal("stream", {"append [7] nil nil a -> 1", "append [8] nil b -> 2"}));
}

TEST(Stream, FailuresHaveNoConditionAndUnknownOnesMayHaveTakenEffect) {
  EXPECT_TRUE(legal("stream", {"append [7] -> false", "read -> false", "check_tail -> 0"}));
  EXPECT_THAT(outcomes("stream", {"append [7] -> ?"}), SizeIs(2));
  EXPECT_THAT(outcomes("stream", {"append [7] 1 -> ?"}), SizeIs(1));
}

TEST(Stream, RefusesWhatAreNoRecords) {
  EXPECT_EQ(refusal("stream", "append 7"), "what is appended must be a list of the records' hashes");
  EXPECT_EQ(refusal("stream", "append []"), "an append has at least one record");
  EXPECT_EQ(refusal("stream", "append [a]"), "the hashes of records must be integers");
  EXPECT_EQ(refusal("stream", "append [7] a"), "the position to match must be an integer, or nil");
}

}  // namespace
}  // namespace linchpin::types
