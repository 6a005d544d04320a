#include <gtest/gtest.h>

#include "types/sequential.hpp"

namespace linchpin::types {
namespace {

TEST(Log, KeepsTheOrderOfAppending) {
  EXPECT_TRUE(legal("log", {"append a", "append b", "read -> [a b]", "get 1 -> b", "get 2 -> nil", "length -> 2"}));
  EXPECT_FALSE(legal("log", {"append a", "append b", "read -> [b a]"}));
}

TEST(Log, AppendMayReturnTheIndexOrTheLength) {
  EXPECT_TRUE(legal("log append=index", {"append a -> 0", "append b -> 1"}));
  EXPECT_FALSE(legal("log append=index", {"append a -> 1"}));
  EXPECT_TRUE(legal("log", {"append 5 -> 5"}));
  EXPECT_FALSE(legal("log append=index", {"append 5 -> 5"}));
  EXPECT_TRUE(legal("log append=length", {"append a -> 1", "append b -> 2"}));
}

TEST(Log, AnIntegerThatMayBeTheIndexOrTheLengthIsRefused) {
  EXPECT_EQ(refusal("log", "append a -> 0"),
            "what it returned may be its index or the length: say append=index or append=length");
  EXPECT_EQ(refusal("log", "append 5 -> 5"), "");
  EXPECT_EQ(refusal("log append=index", "append a -> 0"), "");
  EXPECT_EQ(refusal("log append=length", "append a -> 1"), "");
}

TEST(Log, PutOverwritesTheWhole) {
  EXPECT_TRUE(legal("log", {"append a", "put [x y]", "append z", "read -> [x y z]"}));
}

}  // namespace
}  // namespace linchpin::types
