// Each planted bug is found by the default bounds, after the same number of schedules in each run; and its mended twin
// is clean.
#include <algorithm>
#include <functional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linchpin/explore.hpp"
#include "linchpin/gtest.hpp"
#include "stress/planted.hpp"

namespace linchpin::planted_test {
namespace {

/// Two explorations must not differ in anything but their time.
template <class Explore>
ExploreResult twice(Explore explore_it) {
  ExploreResult first = explore_it();
  const ExploreResult second = explore_it();
  EXPECT_EQ(first.schedules, second.schedules);
  EXPECT_EQ(first.token, second.token);
  EXPECT_EQ(first.scenario, second.scenario);
  constexpr std::uint64_t kFew = 200'000;  // about a second
  EXPECT_LT(first.schedules, kFew);
  return first;
}

template <class Container, class Type>
ExploreResult find(const Type& type, ExploreOptions options = {}) {
  return twice([&] {
    return explore(
        type, [] { return std::make_unique<Container>(); }, options);
  });
}

TEST(Planted, CorrectStackIsClean) {
  for (const ExploreMemory memory : {ExploreMemory::sequential, ExploreMemory::cpp20}) {
    ExploreOptions options;
    options.memory = memory;
    const ExploreResult result = find<planted::CorrectStack<controls::FewNodes>>(as::stack, options);
    EXPECT_TRUE(result.ok()) << result.to_string();
    EXPECT_TRUE(result.complete);
    EXPECT_EQ(result.coverage.size(), 2U);
  }
}

TEST(Planted, MissingRetry) {
  const ExploreResult result = find<planted::MissingRetry<controls::FewNodes>>(as::stack);
  EXPECT_EQ(result.finding, ExploreFinding::not_linearizable) << result.to_string();
  EXPECT_LE(result.deviations, 2U);
  EXPECT_FALSE(result.interleaving.empty());
}

TEST(Planted, EarlyDelete) {
  const ExploreResult result = find<planted::EarlyDelete>(as::stack);
  EXPECT_EQ(result.finding, ExploreFinding::race) << result.to_string();  // one frees what the other is reading
  EXPECT_NE(result.message.find("frees memory at planted.hpp"), std::string::npos) << result.message;
}

TEST(Planted, BeyondTheBounds) {
  ExploreOptions options;
  const ExploreResult within = find<planted::AbaOfOldest<2>>(as::stack, options);
  EXPECT_TRUE(within.ok()) << within.to_string();
  options.beyond = std::chrono::minutes(1);
  const ExploreResult result = find<planted::AbaOfOldest<2>>(as::stack, options);
  EXPECT_EQ(result.finding, ExploreFinding::not_linearizable) << result.to_string();
  ASSERT_FALSE(result.coverage.empty());
  EXPECT_TRUE(result.coverage.back().beyond);
  EXPECT_EQ(result.coverage.back().operations, 3U);
  options.beyond = std::chrono::milliseconds(1);
  const ExploreResult clean = explore(
      as::stack, [] { return std::make_unique<planted::CorrectStack<controls::FewNodes>>(); }, options);
  EXPECT_TRUE(clean.complete) << "what is left out beyond the bounds was never promised";
}

TEST(Planted, ReusesMemoryBeyondTheBounds) {
  ExploreOptions options;
  options.races = false;  // or the freeing itself would be found
  options.threads = 1;
  options.beyond = std::chrono::minutes(1);
  const ExploreResult result = explore(
      as::stack, [] { return std::make_unique<planted::EarlyDelete>(); }, options);
  EXPECT_NE(result.finding, ExploreFinding::none);
  EXPECT_TRUE(std::any_of(result.coverage.begin(), result.coverage.end(),
                          [](const ExploreCoverage& covered) { return covered.reuse == ExploreReuse::lifo; }));
}

TEST(Planted, LostUpdate) {
  const ExploreResult result = find<planted::LostUpdate>(as::counter);
  EXPECT_EQ(result.finding, ExploreFinding::not_linearizable) << result.to_string();
  EXPECT_EQ(result.deviations, 1U);
}

TEST(Planted, MissingRelease) {
  const ExploreResult race = find<planted::MissingRelease<controls::FewNodes>>(as::stack);
  EXPECT_EQ(race.finding, ExploreFinding::race) << race.to_string();
  EXPECT_NE(race.message.find("planted.hpp"), std::string::npos) << race.message;
}

TEST(Planted, WrongFenceMended) {
  const ExploreResult mended = find<planted::FencedRing<std::memory_order_release>>(as::queue);
  EXPECT_TRUE(mended.ok()) << mended.to_string();
}

/// A queue that may look at a new head and at an old tail, and then says that it is empty.
template <std::memory_order kLook>
class OldTail {
 public:
  void push(std::int64_t value) {
    const std::lock_guard lock(producers_);
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    slots_.at(tail).store(value);
    tail_.store(tail + 1);
  }
  std::optional<std::int64_t> pop() {
    std::size_t head = head_.load(kLook);
    while (tail_.load(kLook) > head) {
      if (head_.compare_exchange_strong(head, head + 1)) return slots_.at(head).load();
    }
    return std::nullopt;
  }

 private:
  std::mutex producers_;
  std::array<std::atomic<std::int64_t>, 8> slots_{};
  std::atomic<std::size_t> head_ = 0, tail_ = 0;
};

TEST(Planted, OldTail) {
  ExploreOptions options;
  EXPECT_TRUE(find<OldTail<std::memory_order_relaxed>>(as::queue, options).ok());
  options.memory = ExploreMemory::cpp20;
  const ExploreResult result = find<OldTail<std::memory_order_relaxed>>(as::queue, options);
  EXPECT_EQ(result.finding, ExploreFinding::not_linearizable) << result.to_string();
  const ExploreResult mended = find<OldTail<std::memory_order_acquire>>(as::queue, options);
  EXPECT_TRUE(mended.ok()) << mended.to_string();
  EXPECT_TRUE(mended.complete);
}

/// A queue whose dequeue waits.
template <class Queue>
ExploreResult explore_waiting(ExploreOptions options) {
  ExploredOperations<Queue> operations;
  operations.add("enqueue", [](Queue& queue, Fresh value) { queue.enqueue(value); });
  operations.add("dequeue", [](Queue& queue) { return queue.take(); });
  options.scenario = "enqueue 1, enqueue 2 | dequeue | dequeue";
  return explore(
      "queue", [] { return std::make_unique<Queue>(); }, operations, options);
}

TEST(Planted, ANumberThatNoValueIsEndsTheSchedule) {
  struct Large {
    std::uint64_t content = ~std::uint64_t{0};
  };
  ExploredOperations<Large> operations;
  operations.add("read", [](Large& large) { return large.content; });
  ExploreOptions options;
  options.scenario = "read | read";
  const ExploreResult result = explore(
      "register", [] { return std::make_unique<Large>(); }, operations, options);
  EXPECT_EQ(result.finding, ExploreFinding::unsupported) << result.to_string();
  EXPECT_THAT(result.message, testing::HasSubstr("18446744073709551615 is above 2^63 - 1"));
}

TEST(Planted, LostWakeupMended) {
  const ExploreResult mended = explore_waiting<planted::Blocking<true>>({});
  EXPECT_TRUE(mended.ok()) << mended.to_string();
}

/// The planted bugs, each with what it is found as.
struct Bug {
  const char* name;
  ExploreFinding finding;
  std::function<ExploreResult(ExploreOptions)> explore_it;
  std::string scenario = {};  ///< in which it is found, where finding that takes long
};
template <class Container, class Type>
Bug bug(const char* name, ExploreFinding finding, const Type& type, ExploreOptions wanted = {}) {
  return {.name = name, .finding = finding, .explore_it = [type, wanted](const ExploreOptions& options) {
            ExploreOptions all = wanted;
            all.strategy = options.strategy;
            all.minimise = options.minimise;
            all.memory = options.memory;
            if (!options.scenario.empty()) all.scenario = options.scenario;
            return explore(
                type, [] { return std::make_unique<Container>(); }, all);
          }};
}
std::vector<Bug> bugs() {
  constexpr ExploreFinding kWrong = ExploreFinding::not_linearizable, kRace = ExploreFinding::race;
  ExploreOptions three, given, sizes;
  three.threads = 3;
  given.scenario = "push 1, push 2, push 3; pop, pop | pop, pop, push 4, push 5";
  sizes.methods = {"enqueue", "dequeue", "size"};
  Bug aba = bug<planted::Aba<4>>("ABA, last freed first", kWrong, as::stack, three);
  aba.scenario = "push 1, push 2 | pop, push 3 | pop, pop";
  return {aba,
          bug<planted::MissingRetry<controls::FewNodes>>("missing retry", kWrong, as::stack),
          bug<planted::AbaOfOldest<4>>("ABA, first freed first", kWrong, as::stack, given),
          bug<planted::SplitSize>("split size", kWrong, as::queue, sizes),
          bug<planted::LostUpdate>("lost update", kWrong, as::counter),
          bug<planted::EarlyUnlock>("early unlock", kWrong, as::map),
          bug<planted::CheckThenAct<8>>("check then act", kWrong, as::queue),
          bug<planted::MissingRelease<controls::FewNodes>>("missing release", kRace, as::stack),
          bug<planted::MissingAcquire<controls::FewNodes>>("missing acquire", kRace, as::stack),
          bug<planted::FencedRing<std::memory_order_acquire>>("wrong fence", kRace, as::queue),
          {.name = "lost wake-up",
           .finding = ExploreFinding::lost_wakeup,
           .explore_it = explore_waiting<planted::Blocking<false>>},
          bug<planted::TwoLocks>("deadlock by order of locks", ExploreFinding::deadlock, as::atomic_register),
          bug<planted::EarlyDelete>("early delete", kRace, as::stack)};
}

TEST(Planted, EachBugIsFound) {
  for (const Bug& bug : bugs()) {
    const ExploreResult result = twice([&] { return bug.explore_it({}); });
    EXPECT_EQ(result.finding, bug.finding) << bug.name << "\n" << result.to_string();
  }
}

TEST(Planted, EachBugIsFoundByDpor) {
  for (const ExploreMemory memory : {ExploreMemory::sequential, ExploreMemory::cpp20}) {
    for (const Bug& bug : bugs()) {
      ExploreOptions options;
      options.memory = memory;
      options.strategy = ExploreStrategy::dpor;
      options.minimise = false;
      options.scenario = bug.scenario;
      const ExploreResult result = bug.explore_it(options);
      EXPECT_EQ(result.finding, bug.finding) << bug.name << "\n" << result.to_string();
    }
  }
}

TEST(Planted, EachRunTakesAsManySchedules) {
  for (const Bug& bug : bugs()) {
    ExploreOptions options;
    options.minimise = false;
    options.scenario = bug.scenario;
    const std::uint64_t schedules = bug.explore_it(options).schedules;
    for (int run = 1; run < 10; ++run) EXPECT_EQ(bug.explore_it(options).schedules, schedules) << bug.name;
  }
}

TEST(Planted, StandardMutexIsClean) {
  ExploreOptions options;
  options.prefix = 0;
  const ExploreResult result = explore(
      as::mutex, [] { return std::make_unique<std::mutex>(); }, options);
  EXPECT_TRUE(result.ok()) << result.to_string();
  EXPECT_TRUE(result.complete);
  options.operations = 6;  // of two operations each
  options.scenario = "acquire, acquire, acquire, acquire, acquire | acquire";
  const ExploreResult many = explore(
      as::mutex, [] { return std::make_unique<std::mutex>(); }, options);
  EXPECT_EQ(many.finding, ExploreFinding::unsupported) << many.to_string();
}

TEST(Planted, RandomStrategiesFindItToo) {
  for (const ExploreStrategy strategy : {ExploreStrategy::random, ExploreStrategy::pct}) {
    ExploreOptions options;
    options.strategy = strategy;
    options.schedules = 1000;
    const ExploreResult result = find<planted::LostUpdate>(as::counter, options);
    EXPECT_EQ(result.finding, ExploreFinding::not_linearizable) << result.to_string();
  }
}

TEST(Planted, TokenReplaysTheSameSchedule) {
  const ExploreResult found = find<planted::CheckThenAct<8>>(as::queue);
  ExploreOptions options;
  options.replay = found.token;
  const ExploreResult again = explore(
      as::queue, [] { return std::make_unique<planted::CheckThenAct<8>>(); }, options);
  EXPECT_EQ(again.finding, found.finding);
  EXPECT_EQ(again.schedules, 1U);
  ASSERT_EQ(again.interleaving.size(), found.interleaving.size());
  for (std::size_t i = 0; i < found.interleaving.size(); ++i) {
    EXPECT_EQ(again.interleaving[i].thread, found.interleaving[i].thread);
    EXPECT_EQ(again.interleaving[i].where, found.interleaving[i].where);
  }
}

TEST(Planted, TextAndJsonTellTheInterleaving) {
  const ExploreResult result = find<planted::LostUpdate>(as::counter);
  const std::string text = result.to_string();
  EXPECT_NE(text.find("thread 2"), std::string::npos) << text;
  EXPECT_NE(text.find("load seq_cst"), std::string::npos) << text;
  EXPECT_NE(text.find("--replay 'sc,none,rld,"), std::string::npos) << text;
  const std::string json = result.to_json();
  EXPECT_NE(json.find("\"finding\": \"not_linearizable\""), std::string::npos) << json;
  EXPECT_NE(json.find("\"interleaving\": [{\"thread\": "), std::string::npos) << json;
}

TEST(Matcher, OfWhatWasExplored) {
  const auto correct = [] { return std::make_unique<planted::CorrectStack<controls::FewNodes>>(); };
  EXPECT_THAT(explore(as::stack, correct), IsLinearizable());
  const ExploreResult wrong = explore(as::counter, [] { return std::make_unique<planted::LostUpdate>(); });
  EXPECT_THAT(wrong, testing::Not(IsLinearizable()));
  EXPECT_NE(judge(wrong).message.find("--replay"), std::string::npos) << judge(wrong).message;
  ExploreOptions no_time;
  no_time.time = std::chrono::duration<double>(0);
  EXPECT_THAT(explore(as::stack, correct, no_time), testing::Not(IsLinearizable())) << "not all was explored";
}

}  // namespace
}  // namespace linchpin::planted_test
