// The blocked operation of a core, the states that were possible while it was open, and why each refuses it.
#include "explain/attempts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "linchpin/check.hpp"

namespace linchpin::explain {
namespace {

using testing::ElementsAre;

History history_of(const std::string& type, const std::vector<HistoryBuilder::Operation>& operations) {
  HistoryBuilder builder;
  builder.set_type(*TypeName::parse(type));
  for (const HistoryBuilder::Operation& operation : operations) builder.add(operation);
  return std::move(*std::move(builder).build());
}

HistoryBuilder::Operation write(std::int64_t value, Tick call, Tick response) {
  return {.method = "write", .arguments = {Value::integer(value)}, .call = call, .response = response};
}
HistoryBuilder::Operation read(std::int64_t value, Tick call, Tick response) {
  return {.method = "read", .result = Value::integer(value), .call = call, .response = response};
}

std::optional<Blocking> blocking_of(const History& history, const std::string& type) {
  core::Budget budget((Limits()));
  std::vector<OperationIndex> all(history.size());
  std::iota(all.begin(), all.end(), linchpin::OperationIndex(0));
  const auto specification = *make_specification(*TypeName::parse(type));
  return find_blocking(history, all, *specification, Ties::concurrent, 16, budget);
}

TEST(Attempts, NameTheBlockedOperationAndEveryStateThatRefusesIt) {
  const auto history = history_of("register", {write(1, 1, 2), write(2, 3, 8), read(3, 4, 6)});
  const auto found = blocking_of(history, "register");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->blocked, OperationIndex(2));
  ASSERT_EQ(found->attempts.size(), 2U);
  EXPECT_EQ(found->attempts[0].state, "1");
  EXPECT_THAT(found->attempts[0].results, ElementsAre("1"));
  EXPECT_EQ(found->attempts[0].refusal, "would return 1");
  EXPECT_EQ(found->attempts[1].state, "2");
  ASSERT_EQ(found->attempts[1].order.steps.size(), 2U);
  EXPECT_EQ(found->attempts[1].order.steps[1].operation, OperationIndex(1));
  EXPECT_EQ(found->attempts[1].order.steps[1].state, "2");
}

TEST(Attempts, SayWhatCouldNotHappenAnyMoreWhereTheBlockedOperationIsLegal) {
  const HistoryBuilder::Operation slow{.method = "dequeue", .result = Value::integer(1), .call = 3, .response = 20};
  const HistoryBuilder::Operation quick{.method = "dequeue", .result = Value::integer(1), .call = 4, .response = 6};
  const HistoryBuilder::Operation add{.method = "enqueue", .arguments = {Value::integer(1)}, .call = 1, .response = 2};
  const auto found = blocking_of(history_of("queue", {add, slow, quick}), "queue");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->blocked, OperationIndex(1));
  ASSERT_EQ(found->attempts.size(), 2U);
  EXPECT_EQ(found->attempts[0].state, "[1]");
  EXPECT_EQ(found->attempts[0].then_blocked, OperationIndex(2));
  EXPECT_EQ(found->attempts[0].refusal, "could take effect, but then dequeue() -> 1 could not");
  EXPECT_EQ(found->attempts[1].state, "[]");
  EXPECT_EQ(found->attempts[1].refusal, "would return nil");
}

TEST(Attempts, NameAResultThatTellsSomethingBeforeOneThatOnlyAcknowledges) {
  const auto refusal = [](const HistoryBuilder::Operation& impossible, const std::string& type) {
    const auto found = blocking_of(history_of(type, {impossible}), type);
    return found && found->attempts.size() == 1 ? found->attempts[0].refusal : "";
  };
  const Value one = Value::integer(1), five = Value::integer(5), seven = Value::integer(7);
  EXPECT_EQ(
      refusal({.method = "push", .arguments = {five}, .result = seven, .call = 1, .response = 2}, "stack heights=yes"),
      "would return 1");
  EXPECT_EQ(refusal({.method = "enqueue", .arguments = {one}, .result = seven, .call = 1, .response = 2}, "queue"),
            "would only say that it is done");
  EXPECT_EQ(refusal({.method = "cas", .arguments = {Value::nil(), one}, .result = one, .call = 1, .response = 2},
                    "cas-register"),
            "would only say that it is done");
  EXPECT_EQ(
      refusal({.method = "add", .arguments = {one}, .result = Value::boolean(false), .call = 1, .response = 2}, "set"),
      "would return true");
  EXPECT_EQ(refusal({.method = "put", .arguments = {one, one}, .result = seven, .call = 1, .response = 2},
                    "map results=previous"),
            "would return nil");
}

TEST(Attempts, LookAtTheWholeTimeWhileTheBlockedOperationIsOpen) {
  const auto history = history_of("register", {read(2, 1, 20), write(1, 2, 3), read(1, 4, 5), write(3, 6, 7)});
  const auto found = blocking_of(history, "register");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->blocked, OperationIndex(0));
  std::vector<std::string> states;
  for (const Attempt& attempt : found->attempts) states.push_back(attempt.state);
  EXPECT_THAT(states, testing::UnorderedElementsAre("nil", "1", "3"));
}

TEST(Attempts, AreNothingForALinearizableSet) {
  EXPECT_FALSE(blocking_of(history_of("register", {write(1, 1, 2), read(1, 3, 4)}), "register"));
}

TEST(Attempts, GiveUpWhereTooManyOverlap) {
  std::vector<HistoryBuilder::Operation> operations;
  for (int k = 0; k < 40; ++k) operations.push_back(write(k, k, 1000 + k));
  operations.push_back(read(77, 2000, 2001));
  EXPECT_FALSE(blocking_of(history_of("register", operations), "register"));
}

TEST(Attempts, TryTheNeighboursOfNoNumberThatHasNone) {
  HistoryBuilder builder;
  builder.set_type(*TypeName::parse("register"));
  HistoryBuilder::Operation least = write(0, 1, 2);
  least.arguments = {builder.pool().integer(std::numeric_limits<std::int64_t>::min())};
  builder.add(least);
  builder.add(read(3, 4, 6));
  const auto found = blocking_of(std::move(*std::move(builder).build()), "register");
  ASSERT_TRUE(found);
  ASSERT_EQ(found->attempts.size(), 1U);
  EXPECT_THAT(found->attempts[0].results, ElementsAre("-9223372036854775808"));
}

TEST(Attempts, AreToldInOneSentence) {
  const auto history = history_of("register", {write(1, 1, 2), read(3, 4, 6)});
  const auto found = blocking_of(history, "register");
  ASSERT_TRUE(found);
  EXPECT_EQ(blocking_sentence(history, **make_specification(*TypeName::parse("register")), *found),
            "read() -> 3 fits no order: while it was open, the register was 1, where it would return 1");
}

}  // namespace
}  // namespace linchpin::explain
