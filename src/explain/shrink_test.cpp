// Shrinking: what is dropped, what is not, and what is said of the rest. Through `check`, as users meet it.
#include "explain/shrink.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linchpin/check.hpp"
#include "linchpin/explain.hpp"

namespace linchpin::explain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

HistoryBuilder::Operation adds(std::string_view method, std::int64_t value, Tick call, Tick response) {
  return {.method = method, .arguments = {Value::integer(value)}, .call = call, .response = response};
}
HistoryBuilder::Operation shows(std::string_view method, std::int64_t value, Tick call, Tick response) {
  return {.method = method, .result = Value::integer(value), .call = call, .response = response};
}

struct Shrunk {
  History history;
  Violation violation;
};

Shrunk shrunk(const std::string& type, const std::vector<HistoryBuilder::Operation>& operations) {
  HistoryBuilder builder;
  builder.set_type(*TypeName::parse(type));
  for (const HistoryBuilder::Operation& operation : operations) builder.add(operation);
  History history = std::move(*std::move(builder).build());
  CheckOptions options;
  options.verify = Verify::thoroughly;
  const auto verdict = check(history, options);
  EXPECT_EQ(verdict->verdict, Verdict::violation);
  EXPECT_EQ(verdict->objects[0].core_checked, true);
  return {std::move(history), verdict->objects[0].violation.value_or(Violation{})};
}

TEST(Shrink, DropsWhatWasCalledAfterTheFirstReturnThatRefutes) {
  const auto found = shrunk("queue", {adds("enqueue", 1, 1, 2), adds("enqueue", 2, 3, 4), shows("dequeue", 2, 5, 6),
                                      shows("dequeue", 1, 7, 8)});
  EXPECT_EQ(found.violation.core, (std::vector<OperationIndex>{0, 1, 2}));
  EXPECT_TRUE(found.violation.minimal);
}

// The exchange took effect after the last write, so it is no reason for the read. Not knowing what it returned, it
// might have been, and nothing could be dropped.
TEST(Shrink, KnowsWhatIsReturnedAfterTheViolation) {
  std::vector<HistoryBuilder::Operation> operations;
  for (int k = 0; k < 6; ++k) {
    operations.push_back(adds("write", 3, 10 * k + 1, 10 * k + 2));
    operations.push_back(shows("read", 3, 10 * k + 3, 10 * k + 4));
  }
  HistoryBuilder::Operation exchange = adds("exchange", 2, 103, 120);
  exchange.result = Value::integer(1);
  operations.push_back(exchange);
  operations.push_back(shows("read", 3, 104, 110));
  operations.push_back(shows("read", 2, 105, 107));
  operations.push_back(adds("write", 1, 112, 113));
  const auto found = shrunk("rmw", operations);
  EXPECT_EQ(found.violation.core, (std::vector<OperationIndex>{14}));
  EXPECT_EQ(found.violation.context, (std::vector<OperationIndex>{10, 12}));
}

TEST(Shrink, DropsValuesThatHaveNoPartInIt) {
  std::vector<HistoryBuilder::Operation> operations{adds("push_back", 1, 1, 2), adds("push_back", 2, 3, 4)};
  for (int k = 10; k < 17; ++k) operations.push_back(adds("push_back", k, 5 + k, 100 + k));
  operations.push_back(shows("pop_front", 2, 200, 201));
  EXPECT_EQ(shrunk("deque", operations).violation.core, (std::vector<OperationIndex>{0, 1, 9}));
}

/// What says whether it found something.
HistoryBuilder::Operation answers(std::string_view method, std::int64_t value, bool answer, Tick call, Tick response) {
  HistoryBuilder::Operation operation = adds(method, value, call, response);
  operation.result = Value::boolean(answer);
  return operation;
}

TEST(Shrink, MakesTheCoreOfAKeySmallerWhereWhatConcernsAllKeysIsCalledLater) {
  std::vector<HistoryBuilder::Operation> operations{
      shows("size", 0, 1, 7), adds("add", 1, 4, 9), answers("contains", 2, false, 10, 18),
      answers("remove", 1, true, 11, 13), answers("contains", 1, true, 14, 20)};
  operations.push_back({.method = "clear", .call = 23, .response = 25});
  const auto found = shrunk("bag", operations);
  EXPECT_EQ(found.violation.core, (std::vector<OperationIndex>{1, 3, 4}));
  EXPECT_TRUE(found.violation.minimal);
}

TEST(Shrink, MakesTheCoreOfAKeySmallerWhereNothingWasClearedBefore) {
  std::vector<HistoryBuilder::Operation> operations;
  operations.push_back({.method = "clear", .call = 1, .response = 2});
  operations.push_back(adds("add", 2, 3, 5));
  operations.push_back(answers("contains", 1, false, 8, 16));
  operations.push_back(adds("add", 1, 10, 11));
  operations.push_back(answers("remove", 1, true, 12, 13));
  operations.push_back(answers("contains", 1, true, 14, 15));
  operations.push_back({.method = "clear", .call = 17, .response = 18});
  EXPECT_EQ(shrunk("bag", operations).violation.core, (std::vector<OperationIndex>{3, 4, 5}));
}

TEST(Shrink, KeepsAClearThatMayHaveCleared) {
  std::vector<HistoryBuilder::Operation> operations{adds("add", 1, 1, 2)};
  operations.push_back({.method = "clear", .call = 3, .response = 4});
  operations.push_back(adds("add", 2, 5, 6));
  operations.push_back(answers("contains", 1, true, 7, 8));
  EXPECT_EQ(shrunk("bag", operations).violation.core, (std::vector<OperationIndex>{0, 1, 3}));
}

TEST(Shrink, KeepsTheWordsOfTheMonitorForAFewOperations) {
  const auto found = shrunk(
      "register", {adds("write", 1, 1, 2), adds("write", 2, 3, 4), shows("read", 1, 5, 6), adds("write", 9, 7, 8)});
  EXPECT_EQ(found.violation.core, (std::vector<OperationIndex>{0, 1, 2}));
  EXPECT_THAT(found.violation.sentence, HasSubstr("1 must come before 2"));
}

TEST(Shrink, TellsOfStatesWhereItForgotWhatCameBefore) {
  const auto found = shrunk(
      "register", {adds("write", 1, 1, 2), adds("write", 2, 3, 4), adds("write", 1, 5, 6), adds("write", 3, 7, 20),
                   adds("write", 1, 8, 21), shows("read", 1, 22, 23), shows("read", 3, 24, 25)});
  EXPECT_EQ(found.violation.core, (std::vector<OperationIndex>{3, 4, 5, 6}));
  EXPECT_EQ(found.violation.sentence,
            "read() -> 3 fits no order: while it was open, the register was 1, where it would return 1");
}

TEST(Shrink, KeepsWhatShowsTheStateOfAQuietPoint) {
  std::vector<HistoryBuilder::Operation> operations;
  for (Tick k = 0; k < 40; k += 8) {
    operations.push_back(adds("add", 1, k + 1, k + 2));
    operations.push_back(shows("size", 1, k + 3, k + 4));
    operations.push_back(shows("take", 1, k + 5, k + 6));
  }
  operations.push_back(shows("size", 1, 50, 51));
  const auto found = shrunk("bag", operations);
  // The last one would be a violation alone, but nobody could see why.
  EXPECT_EQ(found.violation.core, (std::vector<OperationIndex>{12, 14, 15}));
}

TEST(Shrink, LeavesAMonitorsCoreThatIsNoSubHistory) {
  HistoryBuilder builder;
  builder.set_type({.name = "log", .options = {}});
  builder.add(adds("append", 1, 1, 4));
  builder.add(adds("append", 2, 2, 5));
  const Value first = Value::integer(1), second = Value::integer(2);
  builder.add({.method = "read", .result = builder.pool().list({first, second}), .call = 6, .response = 7});
  builder.add({.method = "read", .result = builder.pool().list({second, first}), .call = 8, .response = 9});
  const History history = std::move(*std::move(builder).build());
  const auto verdict = check(history);
  // One read alone would be a violation only for want of the appends.
  EXPECT_EQ(verdict->objects[0].violation->core, (std::vector<OperationIndex>{2, 3}));
  const auto explanation = explain_verdict(history, *verdict);
  EXPECT_FALSE(explanation->objects[0].blocked);
  EXPECT_TRUE(explanation->objects[0].attempts.empty());
}

TEST(Shrink, DoesNotSayThatNobodyWroteWhatIsWrittenLater) {
  const auto cas = [](std::int64_t from, std::int64_t to, Tick call, Tick response) {
    return HistoryBuilder::Operation{.method = "cas",
                                     .arguments = {Value::integer(from), Value::integer(to)},
                                     .result = Value::boolean(true),
                                     .call = call,
                                     .response = response};
  };
  const auto found = shrunk("cas-register initial=undefined",
                            {adds("write", 1, 7, 10), cas(1, 2, 5, 8), cas(2, 3, 4, 9), cas(3, 4, 3, 6)});
  EXPECT_THAT(found.violation.sentence, HasSubstr("cas(3, 4) -> true returned before write(1) was called"));
}

TEST(Shrink, TellsAnImpossibleOperationAloneWithWhatShowsIt) {
  // Among all four no order lets the counter be 3.
  const auto found =
      shrunk("counter", {adds("add", 1, 1, 2), shows("read", 1, 3, 4), adds("add", 1, 5, 6), shows("read", 3, 7, 8)});
  EXPECT_EQ(found.violation.core, (std::vector<OperationIndex>{3}));
  EXPECT_EQ(found.violation.context, (std::vector<OperationIndex>{0, 2}));
  EXPECT_EQ(found.violation.blocked, OperationIndex(3));
  EXPECT_TRUE(found.violation.minimal);
  EXPECT_THAT(found.violation.states, ElementsAre("2"));
}

TEST(Shrink, KeepsWhatMakesAnOperationPossible) {
  // Without enqueue(2) the dequeue would be impossible; that is no smaller proof.
  const auto found = shrunk("queue", {adds("enqueue", 1, 1, 2), adds("enqueue", 2, 3, 4), shows("dequeue", 2, 5, 6)});
  EXPECT_EQ(found.violation.core, (std::vector<OperationIndex>{0, 1, 2}));
  EXPECT_TRUE(found.violation.context.empty());
  EXPECT_TRUE(found.violation.minimal);
}

TEST(Shrink, SaysLessOfACoreThatHasASmallerViolation) {
  // One of two insertions and two of three removals contradict each other as well, though not in this history.
  const auto found = shrunk("queue", {adds("enqueue", 1, 1, 5), adds("enqueue", 1, 2, 6), shows("dequeue", 1, 4, 20),
                                      shows("dequeue", 1, 4, 21), shows("dequeue", 1, 4, 22)});
  EXPECT_EQ(found.violation.core.size(), 5U);
  EXPECT_FALSE(found.violation.minimal);
}

}  // namespace
}  // namespace linchpin::explain
