#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "types/sequential.hpp"

namespace linchpin::types {
namespace {

using testing::ElementsAre;

TEST(CasRegister, SucceedsOnlyOnTheExpectedValue) {
  EXPECT_THAT(outcomes("cas-register initial=1", {"cas 1 2 -> true"}), ElementsAre("2"));
  EXPECT_FALSE(legal("cas-register initial=1", {"cas 2 3 -> true"}));
  EXPECT_THAT(outcomes("cas-register initial=1", {"cas 1 2"}), ElementsAre("2"));
}

TEST(CasRegister, AnArgumentThatComesBackDoesNotSayWhatACasDid) {
  EXPECT_FALSE(legal("cas-register initial=1", {"cas 1 2 -> 1"}));
  EXPECT_FALSE(legal("cas-register initial=1", {"cas 1 2 -> 2"}));
  EXPECT_THAT(outcomes("cas-register initial=1", {"cas 1 2 -> ok"}), ElementsAre("2"));
}

TEST(CasRegister, FailureSaysThatTheValueWasAnother) {
  EXPECT_TRUE(legal("cas-register initial=1", {"cas 2 3 -> false", "read -> 1"}));
  EXPECT_FALSE(legal("cas-register initial=1", {"cas 1 2 -> false"}));
}

TEST(CasRegister, DroppedFailureSaysNothing) {
  EXPECT_THAT(outcomes("cas-register initial=1 failed-cas=drop", {"cas 1 2 -> false"}), ElementsAre("1"));
  EXPECT_THAT(outcomes("cas-register initial=undefined failed-cas=drop", {"cas 1 2 -> false"}),
              ElementsAre("undefined"));
}

TEST(CasRegister, UnknownResultMayBeEither) {
  EXPECT_THAT(outcomes("cas-register initial=1", {"cas 1 2 -> ?"}), ElementsAre("2"));
  EXPECT_THAT(outcomes("cas-register initial=1", {"cas 3 2 -> ?"}), ElementsAre("1"));
  EXPECT_THAT(outcomes("cas-register initial=1 failed-cas=drop", {"cas 1 2 -> ?"}), ElementsAre("1", "2"));
}

TEST(CasRegister, CompareExchangeReturnsThePreviousValue) {
  EXPECT_THAT(outcomes("cas-register initial=1", {"compare_exchange 1 2 -> 1"}), ElementsAre("2"));
  EXPECT_THAT(outcomes("cas-register initial=1", {"compare_exchange 3 2 -> 1"}), ElementsAre("1"));
  EXPECT_FALSE(legal("cas-register initial=1", {"compare_exchange 3 2 -> 3"}));
  EXPECT_THAT(outcomes("cas-register initial=1", {"compare_exchange 1 2 -> ?"}), ElementsAre("2"));
}

TEST(CasRegister, UndefinedRegistersCanOnlyBeWritten) {
  EXPECT_FALSE(legal("cas-register initial=undefined", {"cas 1 2 -> false"}));
  EXPECT_FALSE(legal("cas-register initial=undefined", {"read -> ?"}));
  EXPECT_FALSE(legal("cas-register initial=undefined", {"compare_exchange 1 2 -> ?"}));
  EXPECT_TRUE(legal("cas-register initial=undefined", {"write 1", "cas 1 2 -> true", "read -> 2"}));
}

}  // namespace
}  // namespace linchpin::types
