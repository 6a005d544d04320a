#include <gtest/gtest.h>

#include "core/data_type.hpp"

TEST(Register, ReadsWhatWasWrittenLast) {
  const auto specification = linchpin::core::find_data_type("register")->make({.name = "register", .options = {}});
  ASSERT_TRUE(specification);
  const auto states = (*specification)->make_states();
  linchpin::ValuePool pool;
  const std::array arguments{linchpin::Value::integer(3)};
  std::vector<linchpin::StateId> next;
  states->successors(states->initial(),
                     {.method = 0, .arguments = arguments, .result = linchpin::Value::none(), .pool = &pool}, next);
  ASSERT_EQ(next.size(), 1U);
  std::vector<linchpin::StateId> after;
  states->successors(next[0], {.method = 1, .result = linchpin::Value::integer(4), .pool = &pool}, after);
  EXPECT_TRUE(after.empty());
  states->successors(next[0], {.method = 1, .result = linchpin::Value::integer(3), .pool = &pool}, after);
  EXPECT_EQ(after, next);
}
