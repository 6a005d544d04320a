#include <gtest/gtest.h>

#include "linchpin/check.hpp"
#include "types/sequential.hpp"

namespace linchpin::types {
namespace {

TEST(Mutex, ExcludesASecondHolder) {
  EXPECT_TRUE(legal("mutex", {"acquire", "release", "lock", "unlock"}));
  EXPECT_FALSE(legal("mutex", {"acquire", "acquire"}));
  EXPECT_FALSE(legal("mutex", {"release"}));
}

TEST(Mutex, TryAcquireFailsOnlyWhenHeld) {
  EXPECT_TRUE(legal("mutex", {"try_acquire -> true", "try_acquire -> false", "is_held -> true"}));
  EXPECT_FALSE(legal("mutex", {"try_acquire -> false"}));
}

TEST(Mutex, TryAcquireThatOnlyAcknowledgesTookTheLock) {
  for (const char* const type : {"mutex", "mutex owner=yes"}) {
    EXPECT_TRUE(legal(type, {"try_acquire -> ok", "is_held -> true", "release", "try_acquire"}));
    EXPECT_FALSE(legal(type, {"try_acquire", "try_acquire"}));
  }
}

TEST(Mutex, OnlyTheOwnerReleases) {
  EXPECT_FALSE(legal("mutex owner=yes", {"@1 acquire", "@2 release"}));
  EXPECT_TRUE(legal("mutex owner=yes", {"@1 acquire", "@1 release", "@2 acquire"}));
  EXPECT_TRUE(legal("mutex", {"@1 acquire", "@2 release"}));
}

TEST(Mutex, MayBeHeldAtFirst) {
  EXPECT_TRUE(legal("mutex held=yes", {"is_held -> true", "release", "acquire"}));
  EXPECT_FALSE(legal("mutex held=yes", {"acquire"}));
  EXPECT_FALSE(make_specification(*TypeName::parse("mutex owner=yes held=yes"))) << "nobody could release it";
}

}  // namespace
}  // namespace linchpin::types
