// Histories on which other tools have been seen to hang, crash or answer wrongly, each with the right verdict.
//
// Rows are "method value call response", value -1 meaning empty for removals and looks, as the decrease-and-conquer
// tools write them. Every decider that applies must agree, not only the chosen one, and the evidence is re-checked.
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "decide/choose.hpp"
#include "decide/search/search_task.hpp"
#include "linchpin/check.hpp"
#include "support/held.hpp"

namespace linchpin {
namespace {

/// "enq 1 1 2; deq -1 3 4" as a history of the given type.
History rows(const std::string& type, const std::string& text) {
  HistoryBuilder builder;
  builder.set_type(*TypeName::parse(type));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line, ';');) {
    std::istringstream fields(line);
    std::string method;
    std::int64_t number = 0;
    Tick call = 0;
    Tick response = 0;
    fields >> method >> number >> call >> response;
    const bool adds = method == "enq" || method == "push" || method == "insert" || method == "write";
    const bool tests = method.starts_with("contains_");
    const bool found = method == "contains_true";
    const Value value = number == -1 ? Value::nil() : Value::integer(number);
    if (tests) method = "contains";
    HistoryBuilder::Operation operation{.method = method, .call = call, .response = response};
    if (adds || tests) operation.arguments = {value};
    operation.result = tests ? Value::boolean(found) : adds ? Value::none() : value;
    builder.add(operation);
  }
  return std::move(*std::move(builder).build());
}

void expect(Verdict verdict, const History& history) {
  CheckOptions options;
  options.verify = Verify::thoroughly;
  const auto chosen = check(history, options);
  ASSERT_TRUE(chosen) << chosen.error().to_string();
  EXPECT_EQ(chosen->verdict, verdict) << "by " << chosen->objects[0].decider;
  const ObjectVerdict& object = chosen->objects[0];
  EXPECT_EQ(test::what_did_not_hold(object), "");
  EXPECT_EQ(verdict == Verdict::linearizable ? object.witness_checked : object.core_checked, true);
  for (const core::Decider& search : decide::searches()) {
    options.decider = search.name;
    const auto found = check(history, options);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->verdict, verdict) << search.name;
    EXPECT_EQ(test::what_did_not_hold(*found), "");
  }
}

const std::string kLargestFirst = "priority-queue order=largest";

TEST(Fastlin, NeverEndsOnACompletedPeek) { expect(Verdict::linearizable, rows("queue", "enq 1 1 2; peek 1 3 4")); }
TEST(Fastlin, NeverEndsWhenAPeekReturnedBeforeTheDequeueReturns) {
  expect(Verdict::linearizable, rows("queue", "enq 1 1 2; peek 1 3 4; deq 1 5 6"));
}
TEST(Fastlin, AcceptsAnEmptyResultAfterAnUnmatchedAdd) {
  expect(Verdict::violation, rows("queue", "enq 1 1 2; deq -1 3 4"));
}
TEST(Fastlin, RefusesContainsFalseOfAValueNeverAdded) {
  expect(Verdict::linearizable, rows("set", "contains_false 5 1 2"));
}
TEST(Fastlin, CrashesOnALonelyEmptyPoll) { expect(Verdict::linearizable, rows(kLargestFirst, "poll -1 10 11")); }
TEST(Fastlin, CrashesOnZeroLengthOperations) { expect(Verdict::linearizable, rows("stack", "push 1 1 1; pop 1 2 2")); }
TEST(Fastlin, RefusesAPeekOfTheNextValue) {
  expect(Verdict::linearizable, rows("queue", "enq 1 1 2; enq 2 3 4; enq 3 5 6; deq 1 7 8; peek 2 9 10"));
}
TEST(Fastlin, AcceptsAPeekThatOverlapsALongPush) {
  expect(Verdict::violation, rows("stack", "push 1 1 2; push 2 3 7; peek 2 4 5; pop 1 6 8"));
}
TEST(Fastlin, AcceptsAnEmptyResultAfterAPeekOfAnOpenEnqueue) {
  expect(Verdict::violation, rows("queue", "enq 1 1 6; peek 1 2 3; deq -1 4 5"));
}
TEST(Fastlin, RefusesDuplicatesSilently) {
  expect(Verdict::linearizable, rows("queue", "enq 1 1 2; deq 1 3 4; enq 1 5 6; deq 1 7 8"));
}
TEST(Fastlin, OrdersEqualTicksInQueuesButNotInSets) {
  expect(Verdict::linearizable, rows("queue", "enq 1 1 2; enq 2 2 3; deq 2 4 5; deq 1 6 7"));
  expect(Verdict::linearizable, rows("set", "insert 1 1 2; contains_false 1 2 3"));
}

TEST(PolyLin, AcceptsAStackThatPopsPastALaterPush) {
  expect(Verdict::violation, rows("stack", "push 3 1 2; push 1 3 4; push 2 5 8; pop 3 6 9; pop 2 7 10"));
}
TEST(PolyLin, AcceptsAQueueWhosePeekSeesTheSecondValueFirst) {
  expect(Verdict::violation, rows("queue", "enq 2 1 5; peek 1 2 4; enq 1 3 8; deq 2 6 7; deq 1 9 10"));
}
TEST(PolyLin, AcceptsContainsFalseAfterAnInsert) {
  expect(Verdict::violation, rows("set", "insert 1 1 2; contains_false 1 3 4"));
}

TEST(LiMo, AcceptsAQueueThatLosesItsOrderLate) {
  expect(
      Verdict::violation,
      rows("queue", "enq 1 1 2; deq 1 3 4; enq 2 5 6; enq 4 7 12; enq 3 8 11; deq 3 9 10; deq 4 13 14; deq 2 15 16"));
}
TEST(LiMo, AcceptsADequeueBehindAValueThatStays) {
  expect(Verdict::violation, rows("queue", "enq 2 1 2; deq 1 3 5; enq 1 4 6"));
}

TEST(Fptlin, StartsWithAKeyInTheSet) {
  HistoryBuilder builder;
  builder.set_type({.name = "set", .options = {}});
  builder.add({.process = 0,
               .method = "REMOVE",
               .arguments = {Value::integer(0)},
               .result = Value::boolean(false),
               .call = 1,
               .response = 2});
  expect(Verdict::linearizable, *std::move(builder).build());
}
TEST(Fptlin, RefusesAnEnqueueNeverDequeued) {
  expect(Verdict::linearizable, rows("queue", "enq 1 1 2; enq 2 3 4; deq 1 5 6"));
}

HistoryBuilder::Operation cas(std::int64_t from, std::int64_t to, Tick call, Tick response) {
  return {.method = "cas",
          .arguments = {Value::integer(from), Value::integer(to)},
          .result = Value::boolean(true),
          .call = call,
          .response = response};
}

TEST(Thesis, AcceptsAChainWhoseLastCasReturnedBeforeTheWriteBegan) {
  HistoryBuilder builder;
  builder.set_type(*TypeName::parse("cas-register initial=undefined"));
  builder.add({.method = "write", .arguments = {Value::integer(1)}, .call = 7, .response = 10});
  builder.add(cas(1, 2, 5, 8));
  builder.add(cas(2, 3, 4, 9));
  builder.add(cas(3, 4, 3, 6));
  expect(Verdict::violation, *std::move(builder).build());
}
TEST(Thesis, RefusesACasThatOverlapsAWrite) {
  HistoryBuilder builder;
  builder.set_type(*TypeName::parse("cas-register initial=undefined"));
  builder.add({.method = "write", .arguments = {Value::integer(1)}, .call = 1, .response = 6});
  builder.add(cas(1, 2, 3, 8));
  builder.add({.method = "read", .result = Value::integer(2), .call = 9, .response = 10});
  expect(Verdict::linearizable, *std::move(builder).build());
}

TEST(Porcupine, AnswersFalseForAResponseBeforeItsCall) {
  HistoryBuilder builder;
  builder.add({.process = 0,
               .method = "read",
               .result = Value::nil(),
               .call = 5,
               .response = 4,
               .place = {.line = 3, .column = 1}});
  const auto history = std::move(builder).build();
  ASSERT_FALSE(history);
  EXPECT_EQ(history.error().code, ErrorCode::response_before_call);
  EXPECT_EQ(history.error().line, 3U);
}
TEST(Porcupine, AnswersFalseForACallWithoutReturn) {
  HistoryBuilder builder;
  builder.set_type(*TypeName::parse("map absent=empty-string"));
  ValuePool& pool = builder.pool();
  builder.add({.process = 0, .method = "put", .arguments = {pool.string("k"), pool.string("v")}, .call = 1});
  builder.add({.process = 1,
               .method = "get",
               .arguments = {pool.string("k")},
               .result = pool.string("v"),
               .call = 2,
               .response = 3});
  builder.add({.process = 1,
               .method = "get",
               .arguments = {pool.string("j")},
               .result = pool.string(""),
               .call = 4,
               .response = 5});
  expect(Verdict::linearizable, *std::move(builder).build());
}

TEST(CheckLin, CannotRefuteWhatAnExhaustiveSearchRefutes) {
  expect(Verdict::violation, rows("queue", "enq 1 1 2; enq 2 3 4; deq 2 5 6; deq 1 7 8"));
}
TEST(CheckLin, LetsPendingOperationsShiftItsResults) {
  HistoryBuilder builder;
  builder.set_type({.name = "queue", .options = {}});
  builder.add({.process = 0, .method = "enqueue", .arguments = {Value::integer(1)}, .call = 1});
  builder.add({.process = 1, .method = "dequeue", .result = Value::integer(1), .call = 2, .response = 3});
  builder.add({.process = 2, .method = "dequeue", .call = 2});
  builder.add({.process = 1, .method = "dequeue", .result = Value::nil(), .call = 4, .response = 5});
  expect(Verdict::linearizable, *std::move(builder).build());
}

}  // namespace
}  // namespace linchpin
