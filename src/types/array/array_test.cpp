#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "types/sequential.hpp"

namespace linchpin::types {
namespace {

using testing::ElementsAre;

TEST(Array, IndicesAreRegistersOfTheirOwn) {
  EXPECT_TRUE(legal("array initial=0", {"write 1 5", "read 1 -> 5", "read 2 -> 0"}));
  EXPECT_FALSE(legal("array initial=0", {"write 1 5", "read 2 -> 5"}));
}

TEST(Array, CasComparesAndReplaces) {
  EXPECT_TRUE(legal("array initial=0", {"cas 1 0 4 -> true", "cas 1 0 5 -> false", "read 1 -> 4"}));
  EXPECT_FALSE(legal("array initial=0", {"cas 1 0 4 -> false"}));
}

TEST(Array, AnIndexThatComesBackIsNoAcknowledgement) {
  EXPECT_FALSE(legal("array initial=0", {"cas 1 0 4 -> 1"}));
  EXPECT_FALSE(legal("array initial=0", {"cas 1 0 4 -> 4"})) << "nor is a value: it could be the one before, or after";
  EXPECT_FALSE(legal("array initial=0", {"write 1 5 -> 1"}));
  EXPECT_TRUE(legal("array initial=0", {"write 1 5 -> 5", "cas 1 5 4 -> ok", "read 1 -> 4"}));
}

TEST(Array, WritingTheInitialValueRestoresTheInitialState) {
  EXPECT_THAT(outcomes("array initial=0", {"write 1 5", "write 1 0"}), ElementsAre("[]"));
}

}  // namespace
}  // namespace linchpin::types
