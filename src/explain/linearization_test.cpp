// Points and states along an order.
#include "explain/linearization.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "evidence/witness.hpp"
#include "linchpin/check.hpp"
#include "linchpin/specification.hpp"

namespace linchpin::explain {
namespace {

using testing::ElementsAre;

History queue(const std::vector<HistoryBuilder::Operation>& operations) {
  HistoryBuilder builder;
  builder.set_type({.name = "queue", .options = {}});
  for (const HistoryBuilder::Operation& operation : operations) builder.add(operation);
  return std::move(*std::move(builder).build());
}
HistoryBuilder::Operation enqueue(std::int64_t value, Tick call, Tick response) {
  return {.method = "enqueue", .arguments = {Value::integer(value)}, .call = call, .response = response};
}
HistoryBuilder::Operation dequeue(std::int64_t value, Tick call, Tick response) {
  return {.method = "dequeue", .result = Value::integer(value), .call = call, .response = response};
}

TEST(Linearization, PutsPointsInTheMiddleWhereTheOrderAllowsIt) {
  const History history = queue({enqueue(1, 0, 10), enqueue(2, 0, 4), dequeue(2, 1, 9)});
  EXPECT_THAT(linearization_points(history, std::vector<OperationIndex>{1, 2, 0}), ElementsAre(2, 5, 5));
}

TEST(Linearization, KeepsEveryPointInItsIntervalAndInOrder) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    // Intervals around points that ascend: an order that is possible.
    std::vector<HistoryBuilder::Operation> operations;
    std::vector<OperationIndex> order;
    for (int k = 0; k < 30; ++k) {
      const Tick call = k - static_cast<Tick>(random() % 5);
      const Tick response = random() % 9 == 0 ? kPending : k + static_cast<Tick>(random() % 5);
      operations.push_back(enqueue(k, call, response));
      order.push_back(OperationIndex(static_cast<std::size_t>(k)));
    }
    const History history = queue(operations);
    const auto points = linearization_points(history, order);
    for (std::size_t k = 0; k < points.size(); ++k) {
      EXPECT_GE(points[k], history.call(order[k]));
      EXPECT_LE(points[k], history.response(order[k]));
      EXPECT_GE(points[k], points[k == 0 ? 0 : k - 1]);
    }
  }
}

TEST(Linearization, SurvivesTheFarthestTicks) {
  const Tick first = std::numeric_limits<Tick>::min();
  const History history = queue({enqueue(1, first, kPending - 1), enqueue(2, first, kPending)});
  const auto points = linearization_points(history, std::vector<OperationIndex>{0, 1});
  EXPECT_THAT(points, ElementsAre(-1, -1));
}

TEST(Linearization, ShowsTheStateAfterEachStep) {
  const History history = queue({enqueue(1, 1, 2), enqueue(2, 3, 4), dequeue(1, 5, 6)});
  const auto specification = *make_specification({.name = "queue", .options = {}});
  const Linearization all = follow(history, std::vector<OperationIndex>{0, 1, 2}, *specification, {});
  EXPECT_EQ(all.initial, "[]");
  ASSERT_EQ(all.states, 3U);
  EXPECT_EQ(all.steps[1].state, "[1, 2]");
  EXPECT_EQ(all.steps[2].state, "[2]");
  const Linearization some = follow(history, std::vector<OperationIndex>{0, 1, 2}, *specification, {.most_states = 1});
  EXPECT_EQ(some.states, 1U);
  EXPECT_EQ(some.steps.size(), 3U);
  EXPECT_EQ(some.steps[1].state, "");
}

/// A bit more each time, and nobody knows which: 2^n states after n steps.
struct Doubtful {
  using State = std::int64_t;
  static constexpr std::array methods{Method{"maybe", 0}};
  static State initial() { return 0; }
  template <class Emit>
  void step(const State& state, const Operation&, Emit emit) const {
    emit(State{2 * state});
    emit(State{2 * state + 1});
  }
};

TEST(Linearization, GivesUpStatesThatAreTooMany) {
  HistoryBuilder builder;
  std::vector<OperationIndex> order;
  for (Tick k = 0; k < 60; ++k) order.push_back(builder.add({.method = "maybe", .call = k}));
  const History history = *std::move(builder).build();
  const Linearization followed = follow(history, order, *specify<Doubtful>("doubtful"), {});
  EXPECT_EQ(followed.steps.size(), 60U);
  EXPECT_GE(followed.states, 8U);
  EXPECT_LE(followed.states, 16U);
}

/// Starts as 1 or 2, and nobody knows which until it is read.
struct Dice {
  using State = std::int64_t;
  enum : std::uint16_t { kThrow, kRead };
  static constexpr std::array methods{Method{"throw", 0}, Method{"read", 0}};
  static State initial() { return 0; }
  template <class Emit>
  void step(const State& state, const Operation& operation, Emit emit) const {
    if (operation.method == kThrow) {
      emit(State{1});
      emit(State{2});
    } else if (operation.returns(Value::integer(state))) {
      emit(State{state});
    }
  }
};

TEST(Linearization, ResolvesChancesSoThatTheRestSucceeds) {
  HistoryBuilder builder;
  builder.add({.method = "throw", .call = 1, .response = 2});
  builder.add({.method = "read", .result = Value::integer(2), .call = 3, .response = 4});
  const History history = std::move(*std::move(builder).build());
  const auto specification = specify<Dice>("dice");
  const Linearization run = follow(history, std::vector<OperationIndex>{0, 1}, *specification, {});
  ASSERT_EQ(run.states, 2U);
  EXPECT_EQ(run.steps[0].state, "2");
}

}  // namespace
}  // namespace linchpin::explain
