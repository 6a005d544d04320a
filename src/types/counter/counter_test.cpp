#include <gtest/gtest.h>

#include "types/sequential.hpp"

namespace linchpin::types {
namespace {

TEST(Counter, AddsUp) {
  EXPECT_TRUE(legal("counter", {"add 5", "increment", "decrement 2", "read -> 4"}));
  EXPECT_FALSE(legal("counter", {"add 5", "read -> 4"}));
}

TEST(Counter, ReturnsTheOldOrTheNewNumber) {
  EXPECT_TRUE(legal("counter initial=10", {"fetch_and_add 5 -> 10", "add_and_get 1 -> 16", "get_and_decrement -> 16",
                                           "decrement_and_get -> 14"}));
  EXPECT_FALSE(legal("counter", {"fetch_and_add 1 -> 1"}));
}

TEST(Counter, WrapsAround) {
  EXPECT_TRUE(legal("counter initial=9223372036854775807",
                    {"increment_and_get -> -9223372036854775808", "read -> -9223372036854775808"}));
}

}  // namespace
}  // namespace linchpin::types
