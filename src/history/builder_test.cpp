// What a program must not do with a builder or a result ends it with a line that says why; what data can do to a
// builder is an error.
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "linchpin/history.hpp"

namespace linchpin {
namespace {

void build_with_the_method(MethodIndex method) {
  HistoryBuilder builder;
  builder.add(kNoProcess, 0, method, Value(), 1, 2);
  static_cast<void>(std::move(builder).build());
}

TEST(BuilderDeathTest, TakesOnlyItsOwnOperationsMethodsAndObjects) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  HistoryBuilder builder;
  builder.add({.method = "m", .call = 1});
  EXPECT_DEATH(builder.respond(1, 2, Value()), "the operation was not added to this builder");
  EXPECT_DEATH(builder.field(1, "revision", Value::integer(2)), "the operation was not added to this builder");
  EXPECT_DEATH(builder.set_type(3, {.name = "queue", .options = {}}), "the object was not made by this builder");
  EXPECT_DEATH(build_with_the_method(0), "a method's id is not of this builder");
}

TEST(Builder, APromisedResultIsAReturn) {
  for (const auto& [first, second] : {std::pair<Tick, Tick>(kPending, 5), {kPending, kPending}, {5, kPending}}) {
    HistoryBuilder builder;
    const OperationIndex read = builder.add({.method = "read", .call = 1});
    builder.respond(read, first, Value::integer(1));
    builder.respond(read, second, Value::integer(2));
    const Result<History> history = std::move(builder).build();
    ASSERT_FALSE(history);
    EXPECT_EQ(history.error().code, ErrorCode::return_without_call);
    EXPECT_NE(history.error().message.find("-> 1 returns a second time"), std::string::npos);
  }
}

TEST(Builder, NoCallIsAtTheTickThatStandsForNever) {
  HistoryBuilder builder;
  builder.add({.method = "read", .call = kPending - 1});
  builder.add({.method = "read", .call = kPending});
  const Result<History> history = std::move(builder).build();
  ASSERT_FALSE(history);
  EXPECT_EQ(history.error().code, ErrorCode::bad_number);
  EXPECT_EQ(history.error().message,
            "operation 1: read() pending is called at 2^63 - 1, the tick that stands for never");
}

TEST(ResultDeathTest, GivesOnlyWhatItHolds) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const Result<int> wrong(Error{.message = "no number"});
  EXPECT_DEATH(static_cast<void>(wrong.value()), "no number");
  EXPECT_DEATH(static_cast<void>(Result<int>(1).error()), "there is no error");
  EXPECT_DEATH(static_cast<void>(Result<void>().error()), "there is no error");
}

}  // namespace
}  // namespace linchpin
