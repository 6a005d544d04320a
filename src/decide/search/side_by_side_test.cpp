// Searches side by side: which answer counts, what one that ends without leaves behind, and what turns hand over.
#include "decide/search/side_by_side.hpp"

#include <chrono>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "decide/search/search_task.hpp"
#include "decide/search/turns.hpp"

namespace linchpin::decide {
namespace {

/// What a search does in a test.
struct Script {
  std::uint64_t steps = UINT64_MAX;  ///< after which it ends
  core::Outcome outcome = {};        ///< then
  bool throws = false;               ///< instead
  std::size_t memory = 0;            ///< bytes that it asks for at the end, without which it gives up
  std::uint32_t passed = 0;
};

class Scripted final : public SearchTask {
 public:
  explicit Scripted(Script script) : script_(std::move(script)) {}
  bool run(std::uint64_t steps, core::Budget& budget) override {
    std::this_thread::sleep_for(std::chrono::microseconds(10));
    steps_ += steps;
    if (budget.spent_now()) return true;
    if (steps_ < script_.steps) return false;
    if (script_.throws) throw std::runtime_error("thrown by a search");
    ended_ = budget.allows(script_.memory);
    return true;
  }
  [[nodiscard]] core::Outcome outcome() const override { return ended_ ? script_.outcome : core::Outcome{}; }
  [[nodiscard]] std::uint32_t passed() const override { return script_.passed; }

 private:
  Script script_;
  std::uint64_t steps_ = 0;
  bool ended_ = false;
};

constexpr std::uint64_t kSoon = 50'000;
constexpr std::uint64_t kLong = std::uint64_t{1} << 30;

SideBySide::Lane lane(Script script, bool spare = false) {
  return {.task = std::make_unique<Scripted>(std::move(script)), .spare = spare};
}

TEST(SideBySide, TheFirstAnswerCounts) {
  for (std::size_t quick = 0; quick < 3; ++quick) {
    SideBySide searches;
    for (std::size_t at = 0; at < 3; ++at) {
      searches.add(at == quick ? lane({.steps = kSoon, .outcome = {.verdict = Verdict::violation}}) : lane({}));
    }
    core::Budget budget{Limits{}};
    EXPECT_TRUE(searches.run(kLong, budget));
    EXPECT_EQ(searches.outcome().verdict, Verdict::violation);
    EXPECT_EQ(budget.reason(), Reason::none);
  }
}

TEST(SideBySide, ARoundEndsAfterItsSteps) {
  SideBySide searches;
  searches.add(lane({.passed = 3}));
  searches.add(lane({.steps = 4 * kSoon, .outcome = {.verdict = Verdict::linearizable}, .passed = 7}));
  core::Budget budget{Limits{}};
  EXPECT_FALSE(searches.run(kSoon, budget));
  EXPECT_EQ(searches.outcome().verdict, Verdict::unknown);
  EXPECT_EQ(searches.passed(), 7);
  EXPECT_TRUE(searches.run(kLong, budget));
  EXPECT_EQ(searches.outcome().verdict, Verdict::linearizable);
}

TEST(SideBySide, OneThatCannotDecideLeavesItToTheOthers) {
  SideBySide searches;
  searches.add(lane({.steps = 1, .outcome = core::not_applicable()}));
  searches.add(lane({.steps = kSoon, .outcome = {.verdict = Verdict::linearizable}}));
  searches.add(lane({.steps = 1, .outcome = core::not_applicable()}));
  core::Budget budget{Limits{}};
  EXPECT_TRUE(searches.run(kLong, budget));
  EXPECT_EQ(searches.outcome().verdict, Verdict::linearizable);

  SideBySide later;
  later.add(lane({.steps = 1, .outcome = core::not_applicable()}));
  later.add(lane({.steps = 4 * kSoon, .outcome = {.verdict = Verdict::linearizable}}));
  EXPECT_FALSE(later.run(kSoon, budget));
  EXPECT_EQ(later.size(), 1);
  EXPECT_TRUE(later.run(kLong, budget));
  EXPECT_EQ(later.outcome().verdict, Verdict::linearizable);
}

TEST(SideBySide, ASpareOneTakesHalfOfTheMemory) {
  constexpr std::size_t kAllowance = std::size_t{1} << 30;
  core::Budget budget{Limits{.time = std::nullopt, .memory = 2 * core::resident_bytes() + kAllowance}};
  const Script asks{.steps = 1, .outcome = {.verdict = Verdict::violation}, .memory = kAllowance / 4 * 3};
  SideBySide searches;
  searches.add(lane({}));
  searches.add(lane(asks, true));
  while (searches.size() == 2) ASSERT_FALSE(searches.run(kSoon, budget));
  EXPECT_EQ(searches.outcome().verdict, Verdict::unknown);
  searches.add(lane(asks));
  EXPECT_TRUE(searches.run(kLong, budget));
  EXPECT_EQ(searches.outcome().verdict, Verdict::violation);
  EXPECT_EQ(budget.reason(), Reason::none);
}

TEST(SideBySide, ASpentBudgetEndsThem) {
  SideBySide searches;
  for (int at = 0; at < 3; ++at) searches.add(lane({}, at == 2));
  core::Budget budget{Limits{.time = std::chrono::milliseconds(50), .memory = std::nullopt}};
  EXPECT_TRUE(searches.run(UINT64_MAX / 2, budget));
  EXPECT_EQ(searches.outcome().verdict, Verdict::unknown);
  EXPECT_EQ(budget.reason(), Reason::time);
}

TEST(SideBySide, WhatASearchThrowsIsThrown) {
  for (const std::size_t bad : {0U, 1U}) {
    SideBySide searches;
    for (std::size_t at = 0; at < 2; ++at) searches.add(at == bad ? lane({.steps = kSoon, .throws = true}) : lane({}));
    core::Budget budget{Limits{}};
    EXPECT_THROW((void)searches.run(kLong, budget), std::runtime_error);
  }
}

TEST(Turns, HandOverAMemberAndGoOnWithoutIt) {
  static constexpr core::Decider kEndless{
      .name = "endless",
      .applicable = nullptr,
      .start = [](const history::Subhistory&, const core::DeciderOptions&) -> std::unique_ptr<SearchTask> {
        return std::make_unique<Scripted>(Script{});
      }};
  static constexpr core::Decider kInItsSecondWay{
      .name = "in-its-second-way",
      .applicable = nullptr,
      .start = [](const history::Subhistory&, const core::DeciderOptions& options) -> std::unique_ptr<SearchTask> {
        Script script;
        if (options.way == 1) script = {.steps = kSoon, .outcome = {.verdict = Verdict::violation}};
        return std::make_unique<Scripted>(script);
      },
      .ways = 2};
  const history::Subhistory part;
  std::vector<Turns::Member> members;
  members.push_back({.decider = &kInItsSecondWay});
  members.push_back({.decider = &kEndless});
  Turns turns(part, {}, std::move(members), 1024);
  core::Budget budget{Limits{}};
  EXPECT_FALSE(turns.run(kLong, budget));
  const auto taken = turns.take_out(kInItsSecondWay);
  ASSERT_TRUE(taken);
  EXPECT_NE(taken->task, nullptr);
  EXPECT_FALSE(turns.take_out(kInItsSecondWay));
  EXPECT_FALSE(turns.take_out(kEndless)) << "the last one stays";
  EXPECT_FALSE(turns.run(kLong, budget));
  turns.add({.decider = &kInItsSecondWay, .way = 1});
  EXPECT_TRUE(turns.run(kLong << 8U, budget));
  EXPECT_EQ(turns.outcome().verdict, Verdict::violation);
  EXPECT_EQ(turns.decided_by(), &kInItsSecondWay);
}

}  // namespace
}  // namespace linchpin::decide
