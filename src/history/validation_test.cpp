#include "history/validation.hpp"

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace linchpin::history {
namespace {

struct Row {
  int process;
  Tick call;
  Tick response;
};

std::string outcome(const std::vector<Row>& rows) {
  HistoryBuilder builder;
  for (const Row& row : rows) {
    const ProcessId process = row.process < 0 ? kNoProcess : builder.process(std::to_string(row.process) + "p");
    builder.add({.process = process, .method = "m", .call = row.call, .response = row.response});
  }
  const auto history = std::move(builder).build();
  return history ? "fine" : std::string(name(history.error().code));
}

TEST(Validation, TiesOfOneProcessAreAccepted) {
  EXPECT_EQ(outcome({{0, 1, 3}, {0, 3, 4}}), "fine");
  EXPECT_EQ(outcome({{0, 3, 4}, {0, 3, 3}}), "fine");
  EXPECT_EQ(outcome({{0, 3, 5}, {0, 1, 3}}), "fine");
}

TEST(Validation, OperationsOfOneProcessDoNotOverlap) {
  EXPECT_EQ(outcome({{0, 1, 4}, {0, 3, 5}}), "overlapping_operations");
  EXPECT_EQ(outcome({{0, 3, 5}, {0, 1, 4}}), "overlapping_operations");
  EXPECT_EQ(outcome({{0, 1, kPending}, {0, 3, 5}}), "after_pending");
  EXPECT_EQ(outcome({{0, 3, 2}}), "response_before_call");
  EXPECT_EQ(outcome({{-1, 1, 4}, {-1, 3, 5}}), "fine");
  EXPECT_EQ(outcome({{0, 1, 4}, {1, 3, 5}}), "fine");
}

/// What `build` says of one call of `method` with these arguments.
std::string with_arguments(const std::function<std::vector<Value>(ValuePool&)>& arguments) {
  HistoryBuilder builder;
  builder.add({.method = "m", .call = 1, .response = 2});
  builder.add({.method = "m", .arguments = arguments(builder.pool()), .call = 3, .response = 4, .place = {7, 2}});
  const auto history = std::move(builder).build();
  if (history) return "fine";
  EXPECT_EQ(history.error().line, 7U);
  EXPECT_EQ(history.error().column, 2U);
  EXPECT_FALSE(history.error().hint.empty());
  return std::string(name(history.error().code));
}

TEST(Validation, ArgumentsAreKnown) {
  const Value lost = Value::unknown();
  EXPECT_EQ(with_arguments([&](ValuePool&) { return std::vector{Value::integer(1), Value::nil()}; }), "fine");
  EXPECT_EQ(with_arguments([&](ValuePool&) { return std::vector{lost}; }), "bad_arguments");
  EXPECT_EQ(with_arguments([&](ValuePool&) { return std::vector{Value::integer(1), lost}; }), "bad_arguments");
  EXPECT_EQ(with_arguments([&](ValuePool& pool) {
              return std::vector{pool.list({Value::integer(1), lost})};
            }),
            "bad_arguments");
  const auto part = [&](const char* word, Value value) {
    return with_arguments([&](ValuePool& pool) {
      const Value first = pool.list({pool.string("w"), Value::integer(1), pool.list({Value::integer(2)})});
      return std::vector{pool.list({first, pool.list({pool.string(word), pool.string("x"), value})})};
    });
  };
  EXPECT_EQ(part("read", lost), "fine") << "what a transaction is to find may be left open";
  EXPECT_EQ(part("GET", lost), "fine");
  EXPECT_EQ(part("write", lost), "bad_arguments");
  EXPECT_EQ(part("write", Value::integer(3)), "fine");
  EXPECT_EQ(with_arguments([&](ValuePool& pool) {
              return std::vector{pool.list({pool.list({pool.string("read"), lost, Value::nil()})})};
            }),
            "bad_arguments");
}

TEST(Validation, AnOperationReturnsOnce) {
  HistoryBuilder builder;
  const OperationIndex first = builder.add({.method = "m", .call = 1});
  const OperationIndex second = builder.add({.method = "m", .call = 1, .place = {3, 1}});
  builder.respond(second, 2, Value::integer(1));
  builder.respond(first, 3, Value::integer(1));
  builder.respond(second, 4, Value::integer(2));
  const auto history = std::move(builder).build();
  ASSERT_FALSE(history);
  EXPECT_EQ(history.error().code, ErrorCode::return_without_call);
  EXPECT_EQ(history.error().line, 3U);
  EXPECT_EQ(history.error().message, "m() -> 1 returns a second time");
}

TEST(Validation, FieldsAreFew) {
  HistoryBuilder builder;
  const OperationIndex only = builder.add({.method = "m", .call = 1});
  for (int i = 0; i < 65; ++i) builder.field(only, "f" + std::to_string(i), Value::integer(i));
  const auto history = std::move(builder).build();
  ASSERT_FALSE(history);
  EXPECT_EQ(history.error().code, ErrorCode::too_large);
}

TEST(Validation, TheOptionsOfATypeAreDistinct) {
  EXPECT_TRUE(TypeName::parse("queue capacity=3 initial=1"));
  const auto twice = TypeName::parse("queue capacity=3 capacity=4");
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().code, ErrorCode::bad_option);
}

// The order in which operations are added says nothing about time: a shuffled history is judged as the sorted one.
TEST(Validation, TheOrderOfTheInputDoesNotMatter) {
  std::mt19937 random(7);
  int fine = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<Row> rows;
    for (int i = 0; i < 4; ++i) {
      const Tick call = static_cast<Tick>(random() % 12);
      rows.push_back({static_cast<int>(random() % 3), call, call + static_cast<Tick>(random() % 3)});
    }
    const std::string first = outcome(rows);
    fine += first == "fine" ? 1 : 0;
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.call < b.call; });
    EXPECT_EQ(outcome(rows), first) << "round " << round;
  }
  EXPECT_GT(fine, 300);
  EXPECT_LT(fine, 2700);
}

}  // namespace
}  // namespace linchpin::history
