// Answers whose evidence does not hold are none, whoever gives them.
#include <array>
#include <chrono>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/examine.hpp"
#include "decide/units.hpp"
#include "history/subhistory.hpp"
#include "linchpin/check.hpp"
#include "linchpin/framework.hpp"

namespace linchpin {
namespace {

History small(std::int64_t dequeued) {
  HistoryBuilder builder;
  builder.set_type({.name = "queue", .options = {}});
  builder.add({.process = 0, .method = "enqueue", .arguments = {Value::integer(1)}, .call = 1, .response = 2});
  builder.add({.process = 1, .method = "dequeue", .result = Value::integer(dequeued), .call = 3, .response = 4});
  auto history = std::move(builder).build();
  EXPECT_TRUE(history);
  return std::move(*history);
}

ObjectVerdict checked(const History& history, const CheckOptions& options) {
  const auto verdict = check(history, options);
  EXPECT_TRUE(verdict) << verdict.error().to_string();
  EXPECT_EQ(verdict->verdict, verdict->objects[0].verdict);
  EXPECT_EQ(verdict->reason, verdict->objects[0].reason);
  return verdict->objects[0];
}

TEST(Evidence, AWitnessThatDoesNotReplayIsNoAnswer) {
  const ObjectVerdict verdict = checked(small(1), {.decider = "planted-witness"});
  EXPECT_EQ(verdict.verdict, Verdict::unknown);
  EXPECT_EQ(verdict.reason, Reason::internal);
  EXPECT_FALSE(verdict.witness);
  EXPECT_FALSE(verdict.witness_checked);
  ASSERT_EQ(verdict.refused_evidence.size(), 1U);
  EXPECT_EQ(verdict.refused_evidence[0].decider, "planted-witness");
  EXPECT_EQ(verdict.refused_evidence[0].claimed, Verdict::linearizable);
  EXPECT_THAT(verdict.refused_evidence[0].why, ::testing::HasSubstr("illegal where it stands"));
}

TEST(Evidence, ACoreThatIsLinearizableIsNoAnswer) {
  const ObjectVerdict verdict = checked(small(2), {.decider = "planted-core"});
  EXPECT_EQ(verdict.verdict, Verdict::unknown);
  EXPECT_EQ(verdict.reason, Reason::internal);
  EXPECT_FALSE(verdict.violation);
  ASSERT_EQ(verdict.refused_evidence.size(), 1U);
  EXPECT_EQ(verdict.refused_evidence[0].why, "the operations of the core are linearizable");
}

/// The first operation is a core by itself, but the history is linearizable: that is seen, and is no answer.
void expect_refused_by_the_whole(const History& history) {
  const ObjectVerdict verdict = checked(history, {.decider = "planted-core"});
  EXPECT_EQ(verdict.verdict, Verdict::unknown);
  ASSERT_EQ(verdict.refused_evidence.size(), 1U);
  EXPECT_EQ(verdict.refused_evidence[0].why,
            "the operations of the core are not linearizable on their own, but all together are");
}

TEST(Evidence, ACoreThatLeavesOutWhatMattersIsNoAnswer) {
  HistoryBuilder builder;
  builder.set_type({.name = "map", .options = {}});
  const Value key = builder.pool().string("k");
  builder.add(
      {.process = 0, .method = "get", .arguments = {key}, .result = Value::integer(1), .call = 1, .response = 9});
  builder.add({.process = 1, .method = "put", .arguments = {key, Value::integer(1)}, .call = 2});
  for (std::int64_t other = 0; other < 2000; ++other) {  // of another key, which are not looked at
    builder.add({.process = 2,
                 .method = "put",
                 .arguments = {Value::integer(other), key},
                 .call = 10 + 2 * other,
                 .response = 11 + 2 * other});
  }
  auto history = std::move(builder).build();
  ASSERT_TRUE(history) << history.error().to_string();
  expect_refused_by_the_whole(*history);
}

// The same, with operations of another object before and between.
TEST(Evidence, ACoreIsHeldAgainstAllOperationsOfItsObject) {
  HistoryBuilder builder;
  builder.set_type({.name = "map", .options = {}});
  const ObjectIndex own = builder.object("own"), other = builder.object("other");
  const Value key = builder.pool().string("k"), one = Value::integer(1);
  builder.add({.object = own, .method = "get", .arguments = {key}, .result = one, .call = 1, .response = 9});
  builder.add({.object = other, .method = "put", .arguments = {key, one}, .call = 2, .response = 3});
  builder.add({.object = own, .method = "put", .arguments = {key, one}, .call = 4, .response = 5});
  auto history = std::move(builder).build();
  ASSERT_TRUE(history) << history.error().to_string();
  expect_refused_by_the_whole(*history);
}

/// Of two keys one has an order that does not hold: the other's answer stays, whichever comes first.
TEST(Evidence, OnlyTheAnswersThatDoNotHoldAreTakenBack) {
  HistoryBuilder builder;
  builder.set_type({.name = "map", .options = {}});
  const Value one = Value::integer(1);
  builder.add({.process = 0, .method = "put", .arguments = {one, one}, .call = 1, .response = 2});
  builder.add({.process = 0, .method = "put", .arguments = {Value::integer(2), one}, .call = 3, .response = 4});
  builder.add(
      {.process = 0, .method = "get", .arguments = {Value::integer(2)}, .result = one, .call = 5, .response = 6});
  builder.add({.process = 0, .method = "put", .arguments = {Value::integer(3), one}, .call = 7, .response = 8});
  const History history = *std::move(builder).build();
  const auto specification = make_specification({.name = "map", .options = {}});
  ASSERT_TRUE(specification);
  const std::array specifications{*specification};
  auto parts = history::split_by_object(history, specifications, Ties::concurrent);
  ASSERT_TRUE(parts);
  std::vector<decide::Unit> units = decide::make_units(std::move((*parts)[0]), nullptr);
  ASSERT_EQ(units.size(), 3U);
  for (decide::Unit& unit : units) {
    unit.decided = true;
    unit.outcome.verdict = Verdict::linearizable;
    for (std::uint32_t local = unit.part.size(); local-- > 0;) unit.outcome.witness.push_back(local);
  }
  core::Budget budget{Limits{}};
  const CheckOptions options;
  Examiner examiner(history, options, budget);
  EXPECT_TRUE(examiner.take_back({.verdict = Verdict::linearizable}, **specification, units));
  EXPECT_EQ(units[0].outcome.verdict, Verdict::linearizable);
  EXPECT_EQ(units[1].outcome.verdict, Verdict::unknown);
  EXPECT_EQ(units[2].outcome.verdict, Verdict::linearizable);
}

/// Which of 80 values 60 takes took, one after the other: all that may be left are more than can be counted.
TEST(Evidence, AWitnessWithTooManyStatesIsLeftUnchecked) {
  HistoryBuilder builder;
  builder.set_type({.name = "bag", .options = {}});
  Tick now = 0;
  for (std::int64_t value = 0; value < 80; ++value, now += 2) {
    builder.add({.method = "add", .arguments = {Value::integer(value)}, .call = now, .response = now + 1});
  }
  for (int take = 0; take < 60; ++take, now += 2) {
    builder.add({.method = "take", .result = Value::unknown(), .call = now, .response = now + 1});
  }
  const History history = std::move(*std::move(builder).build());
  for (const std::string_view type : {"bag", "bag initial=[1]"}) {
    for (const auto& time : {std::optional<std::chrono::duration<double>>(), {std::chrono::milliseconds(300)}}) {
      CheckOptions options;
      options.limits.time = time;
      options.type = *TypeName::parse(type);
      const ObjectVerdict verdict = checked(history, options);
      EXPECT_EQ(verdict.verdict, Verdict::linearizable) << type;
      EXPECT_EQ(verdict.witness_checked, std::nullopt) << type;
      EXPECT_TRUE(verdict.refused_evidence.empty()) << type;
    }
  }
  std::stop_source stop;
  stop.request_stop();
  CheckOptions stopped{.verify = Verify::thoroughly};
  stopped.limits.stop = stop.get_token();
  EXPECT_TRUE(check(history, stopped));  // it ends
}

TEST(Evidence, IsNotCheckedWhereThatIsNotWanted) {
  const ObjectVerdict verdict = checked(small(1), {.decider = "planted-witness", .verify = Verify::never});
  EXPECT_EQ(verdict.verdict, Verdict::linearizable);
  EXPECT_FALSE(verdict.witness_checked);
}

TEST(Evidence, IsCheckedUnlessToldOtherwise) {
  EXPECT_EQ(checked(small(1), {}).witness_checked, true);
  EXPECT_EQ(checked(small(2), {}).core_checked, true);
}

/// A queue whose rules for decrease-and-conquer find no value, ever: they refute all that is added.
struct MisruledQueue {
  using State = std::vector<Value>;
  static constexpr std::array methods{Method{"enqueue", 1}, Method{"dequeue", 0}};
  static State initial() { return {}; }
  template <class Emit>
  static void step(const State& state, const Operation& operation, Emit emit) {
    State next = state;
    if (operation.method == 0) {
      next.push_back(operation.argument(0));
    } else {
      if (next.empty() || next.front() != operation.result) return;
      next.erase(next.begin());
    }
    emit(std::move(next));
  }
  static Act act(const Operation& operation, bool /*pending*/) {
    return operation.method == 0 ? Act{ActKind::add, operation.argument(0)} : Act{ActKind::take, operation.result};
  }
  static std::optional<std::uint32_t> linearizability_preserving_value(const ContainerHistory& /*history*/) {
    return std::nullopt;
  }
};

History two_through_a_queue(std::int64_t first, std::int64_t second) {
  HistoryBuilder builder;
  builder.add({.method = "enqueue", .arguments = {Value::integer(1)}, .call = 1, .response = 2});
  builder.add({.method = "enqueue", .arguments = {Value::integer(2)}, .call = 3, .response = 4});
  builder.add({.method = "dequeue", .result = Value::integer(first), .call = 5, .response = 6});
  builder.add({.method = "dequeue", .result = Value::integer(second), .call = 7, .response = 8});
  auto history = std::move(builder).build();
  EXPECT_TRUE(history);
  return std::move(*history);
}

/// The rules make the core of the search smaller as well, wrongly. What the search refuted is refuted all the same.
TEST(Evidence, AViolationStaysWhoseCoreWasMadeTooSmall) {
  const CheckOptions options{.specification = specify_container<MisruledQueue>("misruled-queue")};
  const ObjectVerdict right = checked(two_through_a_queue(1, 2), options);
  EXPECT_EQ(right.verdict, Verdict::linearizable);
  const ObjectVerdict wrong = checked(two_through_a_queue(2, 1), options);
  EXPECT_EQ(wrong.verdict, Verdict::violation);
  ASSERT_TRUE(wrong.violation);
  EXPECT_EQ(wrong.violation->core.size(), 3U);
  EXPECT_EQ(wrong.core_checked, true);
  ASSERT_EQ(wrong.refused_evidence.size(), 2U);
  EXPECT_EQ(wrong.refused_evidence[0].why, "the operations of the core are linearizable");
  EXPECT_THAT(wrong.refused_evidence[1].why, ::testing::EndsWith("is refuted, so the answer stays"));
}

/// What comes before the core's key is no matter of the other keys: two elements are inside when it starts.
TEST(Evidence, ACoreOfOneKeyStartsInTheStateOfThatKey) {
  struct Row {
    ProcessId process;
    Tick call, response;
    const char* method;
    std::int64_t element;
    Value result;
  };
  const Value yes = Value::boolean(true), no = Value::boolean(false);
  const Row rows[] = {
      {4, 2, 7, "add", 1, yes},      {0, 4, 6, "remove", 1, yes},
      {2, 6, 9, "remove", 1, yes},   {3, 6, 8, "add", 1, yes},
      {4, 8, 9, "add", 2, yes},      {5, 8, 13, "add", 1, yes},
      {4, 9, 16, "remove", 1, yes},  {2, 10, 20, "add", 1, yes},
      {3, 10, 12, "remove", 2, yes}, {6, 11, 14, "remove", 1, yes},
      {6, 15, 27, "remove", 1, yes}, {3, 17, 19, "remove", 1, yes},
      {5, 17, 21, "add", 1, yes},    {4, 18, 20, "add", 1, yes},
      {5, 21, 23, "add", 2, yes},    {4, 22, 26, "add", 2, yes},
      {3, 22, 27, "remove", 2, yes}, {2, 24, 30, "add", 1, yes},
      {6, 31, 33, "remove", 1, no},  {2, 37, 40, "add", 1, Value::unknown()},
  };
  HistoryBuilder builder;
  builder.set_type({.name = "set", .options = {}});
  for (const Row& row : rows) {
    builder.add({.process = row.process,
                 .method = row.method,
                 .arguments = {Value::integer(row.element)},
                 .result = row.result,
                 .call = row.call,
                 .response = row.response});
  }
  const auto history = std::move(builder).build();
  ASSERT_TRUE(history) << history.error().to_string();
  const ObjectVerdict verdict = checked(*history, {.verify = Verify::thoroughly});
  EXPECT_EQ(verdict.verdict, Verdict::violation);
  EXPECT_TRUE(verdict.refused_evidence.empty());
  EXPECT_EQ(verdict.core_checked, true);
  ASSERT_TRUE(verdict.violation);
  ASSERT_TRUE(verdict.violation->start);
  EXPECT_EQ(verdict.violation->start->state, "{1} of the key 1");
  EXPECT_LE(verdict.violation->core.size(), 3U);
}

/// An object whose answer is taken back: what else decides it?
TEST(Evidence, WhatIsLeftDecidesOneAfterTheOther) {
  const History history = small(1);
  auto specification = make_specification({.name = "queue", .options = {}});
  ASSERT_TRUE(specification);
  const std::array specifications{*specification};
  auto parts = history::split_by_object(history, specifications, Ties::concurrent);
  ASSERT_TRUE(parts);
  std::vector<decide::Unit> units = decide::make_units(std::move((*parts)[0]), nullptr);
  ASSERT_EQ(units.size(), 1U);
  std::vector<std::string_view> tried;
  core::Budget budget{Limits{}};
  while (units[0].outcome.reason != Reason::internal) {
    decide::run_units(units, {}, budget);
    ASSERT_TRUE(units[0].decided);
    if (units[0].outcome.reason == Reason::internal) break;
    EXPECT_EQ(units[0].outcome.verdict, Verdict::linearizable) << tried.back();
    tried.push_back(units[0].decider->name);
    ASSERT_LT(tried.size(), 20U);
    decide::take_back(units[0]);
  }
  ASSERT_GE(tried.size(), 4U);
  EXPECT_EQ(tried[0], "queue-monitor");
  EXPECT_EQ(tried[tried.size() - 3], "configuration-set");
  EXPECT_EQ(tried[tried.size() - 2], "depth-first");
  EXPECT_EQ(tried.back(), "few-configurations");
}

/// The first object's false violation would end the check; the others are decided all the same once it is taken back.
TEST(Evidence, OtherObjectsAreDecidedAfterAViolationIsTakenBack) {
  std::vector<decide::Unit> units(2);
  units[0].outcome.verdict = Verdict::violation;
  units[0].decided = true;
  units[1].skipped = true;
  decide::resume(units);
  EXPECT_TRUE(units[0].decided);
  EXPECT_FALSE(units[1].decided);
  EXPECT_FALSE(units[1].skipped);
}

}  // namespace
}  // namespace linchpin
