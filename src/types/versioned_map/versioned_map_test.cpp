#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "types/sequential.hpp"

namespace linchpin::types {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kMap = "versioned-map";

TEST(VersionedMap, PutsTakeEffectOnTheVersionTheyName) {
  EXPECT_TRUE(legal(kMap, {"get x -> nil", "put x a 0 -> OK", "get x -> [a 1]", "put x b 1 -> OK", "get x -> [b 2]"}));
  EXPECT_FALSE(legal(kMap, {"put x a 1 -> OK"}));
  EXPECT_FALSE(legal(kMap, {"put x a 0", "put x b 0"}));
}

TEST(VersionedMap, TellsWhyAPutFailed) {
  EXPECT_TRUE(legal(kMap, {"put x a 1 -> ErrNoKey", "put x a 0", "put x b 0 -> ErrVersion", "get x -> [a 1]"}));
  EXPECT_FALSE(legal(kMap, {"put x a 0 -> ErrNoKey"}));
  EXPECT_FALSE(legal(kMap, {"put x a 1 -> ErrVersion"}));
  EXPECT_FALSE(legal(kMap, {"put x a 0", "put x b 1 -> ErrVersion"}));
  EXPECT_FALSE(legal(kMap, {"put x a 0", "put x b 2 -> ErrNoKey"}));
  EXPECT_TRUE(legal(kMap, {"put x a 1 -> false", "put x a 0", "put x b 0 -> false"}));
  EXPECT_FALSE(legal(kMap, {"put x a 0 -> false"}));
}

TEST(VersionedMap, NamesOfErrorsAreReadAsNamesAre) {
  EXPECT_TRUE(
      legal(kMap, {"get x -> err_no_key", "put x a 1 -> err-no-key", "put x a 0 -> ok", "put x b 0 -> ERRVERSION"}));
  EXPECT_FALSE(legal(kMap, {"put x a 0 -> ErrTimeout"}));
}

TEST(VersionedMap, ErrMaybeSaysThatThePutWasExecuted) {
  EXPECT_THAT(outcomes(kMap, {"put x a 0 -> ErrMaybe"}), ElementsAre("{x: a version 1}"));
  EXPECT_THAT(outcomes(kMap, {"put x a 1 -> ErrMaybe"}), ElementsAre("{}"));
}

TEST(VersionedMap, ErrMaybeMaySayThatItIsNotKnown) {
  EXPECT_THAT(outcomes("versioned-map maybe=either", {"put x a 0 -> ErrMaybe"}), ElementsAre("{x: a version 1}", "{}"));
  EXPECT_THAT(outcomes("versioned-map maybe=either", {"put x a 1 -> ErrMaybe"}), ElementsAre("{}"));
  EXPECT_THAT(outcomes("versioned-map maybe=either", {"write x a -> ErrMaybe"}), ElementsAre("{x: a version 1}", "{}"));
}

TEST(VersionedMap, WritesMakeTheNextVersionWhateverItIs) {
  EXPECT_TRUE(legal(kMap, {"write x a", "write x b -> b", "version x -> 2", "get x -> [b 2]"}));
  EXPECT_TRUE(legal("versioned-map writes=version", {"write x a -> 1", "put x b 1 -> 2", "write x c -> 3"}));
  EXPECT_TRUE(legal("versioned-map writes=version", {"write x a -> a", "put x b 1 -> b", "write x c -> 3"}));
  EXPECT_FALSE(legal("versioned-map writes=version", {"write x a -> b"}));
  EXPECT_FALSE(legal("versioned-map writes=version", {"write x 5 -> 5"}));
  EXPECT_FALSE(legal("versioned-map writes=version", {"write x a -> 2"}));
  EXPECT_FALSE(legal("versioned-map writes=version", {"write x a", "put x b 1 -> 1"}));
}

TEST(VersionedMap, VersionsMayBeginElsewhere) {
  EXPECT_TRUE(legal("versioned-map first=0", {"version x -> -1", "put x a -1", "version x -> 0", "put x b 0"}));
  EXPECT_FALSE(legal("versioned-map first=0", {"get x -> [a -1]"}));
}

TEST(VersionedMap, KeysDoNotTouchEachOther) {
  EXPECT_TRUE(legal(kMap, {"put x a 0", "put y b 0", "get x -> [a 1]", "version y -> 1", "version z -> nil"}));
}

TEST(VersionedMap, RefusesVersionsThatAreNone) {
  EXPECT_THAT(refusal(kMap, "put x a b"), "the version must be an integer");
  EXPECT_THAT(refusal(kMap, "put x a 3 -> 4"),
              "an integer was returned: if it is the version that was made, say writes=version");
  EXPECT_THAT(refusal("versioned-map writes=version", "put x a 3 -> 4"), IsEmpty());
}

}  // namespace
}  // namespace linchpin::types
