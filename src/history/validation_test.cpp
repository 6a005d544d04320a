#include "history/validation.hpp"

#include <algorithm>
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

TEST(HistoryBuilder, CountsAnOperationAsPendingThatLosesItsResponse) {
  HistoryBuilder builder;
  const OperationIndex first = builder.add({.process = 0, .method = "m", .call = 1});
  const OperationIndex second = builder.add({.process = 1, .method = "m", .call = 1});
  for (const Tick response : {Tick{5}, kPending, kPending}) builder.respond(first, response, Value::none());
  for (const Tick response : {Tick{5}, Tick{6}}) builder.respond(second, response, Value::none());
  const auto history = std::move(builder).build();
  ASSERT_TRUE(history.has_value());
  EXPECT_TRUE(history->pending(first));
  EXPECT_EQ(history->pending_count(), 1U);
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
