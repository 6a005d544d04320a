#include <array>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "linchpin/check.hpp"

#include "types/sequential.hpp"

namespace linchpin::types {
namespace {

TEST(MultiRegister, ReadsSeeEarlierWritesOfTheirOwnTransaction) {
  EXPECT_TRUE(legal("multi-register", {"txn [[write 1 5] [read 1 nil]] -> [[write 1 5] [read 1 5]]"}));
  EXPECT_FALSE(legal("multi-register", {"txn [[write 1 5] [read 1 nil]] -> [[write 1 5] [read 1 6]]"}));
}

TEST(MultiRegister, TheFirstReadFixesAnUnknownInitialValue) {
  EXPECT_TRUE(legal("multi-register", {"txn [[r x nil]] -> [[r x 3]]", "txn [[r x nil]] -> [[r x 3]]"}));
  EXPECT_FALSE(legal("multi-register", {"txn [[r x nil]] -> [[r x 3]]", "txn [[r x nil]] -> [[r x 4]]"}));
}

TEST(MultiRegister, ReadsOfNilSayNothing) {
  EXPECT_TRUE(legal("multi-register initial=0", {"txn [[r x nil]] -> [[r x nil]]", "txn [[r x]]"}));
  EXPECT_FALSE(legal("multi-register initial=0", {"txn [[r x nil]] -> [[r x 4]]"}));
}

TEST(MultiRegister, CompletedArgumentsStandForTheResult) {
  EXPECT_FALSE(legal("multi-register", {"txn [[w 1 2]]", "txn [[r 1 3]]"}));
  EXPECT_TRUE(legal("multi-register", {"txn [[w 1 2]]", "txn [[r 1 2]]"}));
}

TEST(MultiRegister, ResultsMustCompleteTheArguments) {
  EXPECT_FALSE(legal("multi-register", {"txn [[r 1 nil]] -> [[w 1 3]]"}));
  EXPECT_FALSE(legal("multi-register", {"txn [[r 1 nil]] -> []"}));
  EXPECT_FALSE(legal("multi-register", {"txn [[w 1 2]] -> [[w 1 3]]"}));
}

TEST(MultiRegister, InitialNilLetsNothingBeReadBeforeAWrite) {
  EXPECT_FALSE(legal("multi-register initial=nil", {"txn [[r 1 nil]] -> [[r 1 1]]"}));
}

TEST(MultiRegister, AsksForTheOptionThatReadsVersions) {
  ValuePool pool;
  const Value write = pool.list({pool.string("write"), pool.string("x"), Value::integer(5)});
  const Value told = pool.list({pool.string("write"), pool.string("x"), Value::integer(5), Value::integer(7)});
  const std::array arguments{pool.list({write})};
  const auto why = [&](std::string_view type) {
    return (*make_specification(*TypeName::parse(type)))
        ->invalid({.method = 0, .arguments = arguments, .result = pool.list({told}), .process = 0, .pool = &pool});
  };
  EXPECT_EQ(why("multi-register versions=told"), "");
  EXPECT_NE(why("multi-register").find("versions=told"), std::string::npos);
}

}  // namespace
}  // namespace linchpin::types
