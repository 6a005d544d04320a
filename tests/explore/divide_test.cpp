// The schedules of one scenario shared out among processes: the answer, with all its numbers, is that of one process.
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <memory>
#include <optional>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/syscall.h>

#include <gtest/gtest.h>

#include "explore/divide.hpp"
#include "linchpin/explore.hpp"
#include "locked_queue.hpp"
#include "stress/planted.hpp"
#include "turns.hpp"
#include "uninstrumented.hpp"

namespace linchpin::divide_test {
namespace {

/// All but times, and where blocks lie.
std::string without_time(ExploreResult result) {
  result.seconds = 0;
  std::string text = result.to_json();
  for (const std::string& outcome : result.outcomes) text += " " + outcome;
  if (result.history) text += std::to_string(result.history->size());
  return std::regex_replace(text, std::regex("block\\+0x[0-9a-f]+"), "block");
}

template <class Container, class Type>
ExploreResult run(const Type& type, const std::string& scenario, ExploreOptions options) {
  options.scenario = scenario;
  return explore(
      type, [] { return std::make_unique<Container>(); }, options);
}

using Stack = planted::CorrectStack<controls::FewNodes>;
constexpr const char* kPairs = "push 1, pop | push 2, pop";

std::vector<ExploreOptions> kinds() {
  std::vector<ExploreOptions> kinds(4);
  kinds[1].memory = ExploreMemory::cpp20;
  kinds[2].deviations = 1;
  kinds[3].strategy = ExploreStrategy::random;
  kinds[3].schedules = 1234;
  return kinds;
}

TEST(Divide, CleanAnswersAreTheSame) {
  for (ExploreOptions options : kinds()) {
    const ExploreResult one = run<Stack>(as::stack, kPairs, options);
    ASSERT_TRUE(one.ok()) << one.to_string();
    EXPECT_EQ(one.complete, options.strategy != ExploreStrategy::random);
    for (const unsigned jobs : {2U, 3U}) {
      options.jobs = jobs;
      const ExploreResult more = run<Stack>(as::stack, kPairs, options);
      EXPECT_EQ(without_time(more), without_time(one)) << jobs;
      EXPECT_GT(more.histories, 5U);
    }
  }
}

TEST(Divide, AllSchedulesAreTheSame) {
  for (const ExploreStrategy strategy : {ExploreStrategy::exhaustive, ExploreStrategy::bounded}) {
    ExploreOptions options;
    options.strategy = strategy;
    options.deviations = 40;  // more than any schedule has
    const ExploreResult one = run<Stack>(as::stack, "push 1 | push 2", options);
    ASSERT_TRUE(one.ok() && one.complete) << one.to_string();
    options.jobs = 2;
    EXPECT_EQ(without_time(run<Stack>(as::stack, "push 1 | push 2", options)), without_time(one));
  }
}

// Each stretch of the tree, by itself and one after the other: together they are all schedules, each once.
TEST(Divide, StretchesAreAllSchedules) {
  ExploreOptions options;
  options.deviations = 3;
  const ExploreResult one = explore_turns(3, 2, options);
  options.jobs = 2;
  const ExploreResult more = explore_turns(3, 2, options);
  EXPECT_EQ(more.outcomes, one.outcomes);
  EXPECT_EQ(more.schedules, one.schedules);
  EXPECT_EQ(more.steps, one.steps);
  EXPECT_TRUE(more.complete);
}

TEST(Divide, FindingsAreTheSame) {
  for (ExploreOptions options : kinds()) {
    const ExploreResult one =
        run<planted::MissingRetry<controls::FewNodes>>(as::stack, "push 1, push 2 | pop, pop", options);
    const bool enough = options.deviations > 1;
    ASSERT_EQ(one.finding, enough ? ExploreFinding::not_linearizable : ExploreFinding::none) << one.to_string();
    for (const unsigned jobs : {2U, 3U, 4U}) {
      options.jobs = jobs;
      const ExploreResult more =
          run<planted::MissingRetry<controls::FewNodes>>(as::stack, "push 1, push 2 | pop, pop", options);
      EXPECT_EQ(without_time(more), without_time(one)) << jobs;
    }
  }
}

TEST(Divide, RacesAndDeadlocksAreTheSame) {
  ExploreOptions options;
  const auto race = [&] {
    return run<planted::MissingRelease<controls::FewNodes>>(as::stack, "push 1, pop | pop, push 2", options);
  };
  const auto deadlock = [&] {
    return run<planted::TwoLocks>(as::atomic_register, "write 1, read | read, write 2", options);
  };
  const ExploreResult one_race = race(), one_deadlock = deadlock();
  EXPECT_EQ(one_race.finding, ExploreFinding::race) << one_race.to_string();
  EXPECT_EQ(one_deadlock.finding, ExploreFinding::deadlock) << one_deadlock.to_string();
  options.jobs = 3;
  EXPECT_EQ(without_time(race()), without_time(one_race));
  EXPECT_EQ(without_time(deadlock()), without_time(one_deadlock));
}

struct Numbers {
  std::atomic<int> x = 0, y = 0;
  int a = 0, b = 0;
};

/// Store buffering; `asserts`: that both see something, which is wrong.
ExploreResult by_hand(const ExploreOptions& options, bool asserts) {
  Threads<Numbers> threads([] { return std::make_unique<Numbers>(); });
  threads.add([](Numbers& n) {
    n.x.store(1, std::memory_order_relaxed);
    n.a = n.y.load(std::memory_order_relaxed);
  });
  threads.add([](Numbers& n) {
    n.y.store(1, std::memory_order_relaxed);
    n.b = n.x.load(std::memory_order_relaxed);
  });
  threads.after([asserts](Numbers& n) {
    if (asserts && n.a + n.b == 0) throw std::runtime_error("nobody saw anything");
  });
  threads.observe([](Numbers& n) { return std::to_string(n.a) + std::to_string(n.b); });
  return explore(threads, options);
}

TEST(Divide, ThreadsByHandAsWell) {
  ExploreOptions options;
  options.memory = ExploreMemory::cpp20;
  for (const bool asserts : {false, true}) {
    options.jobs = 1;
    const ExploreResult one = by_hand(options, asserts);
    EXPECT_EQ(one.finding, asserts ? ExploreFinding::exception : ExploreFinding::none) << one.to_string();
    if (!asserts) EXPECT_EQ(one.outcomes.size(), 4U);
    options.jobs = 3;
    const ExploreResult more = by_hand(options, asserts);
    EXPECT_EQ(without_time(more), without_time(one));
    EXPECT_EQ(more.complete, one.complete);
  }
  options.jobs = 65;
  EXPECT_TRUE(by_hand(options, false).error.has_value());
}

const pid_t starter = getpid();

/// Ends the process in which it is used, unless that is the first one.
class Deadly {
 public:
  void enqueue(int value) {
    if (getpid() != starter && planted::calls_in_this_process() == 200) syscall(SYS_kill, getpid(), SIGKILL);
    queue_.enqueue(value);
  }
  std::optional<int> dequeue() { return queue_.dequeue(); }

 private:
  LockedQueue queue_;
};

TEST(Divide, AJobThatIsKilledIsAnError) {
  ExploreOptions options;
  options.jobs = 2;
  options.deviations = 9;
  const ExploreResult result =
      run<Deadly>(as::queue, "enqueue 1, enqueue 2, dequeue | enqueue 3, dequeue, enqueue 4", options);
  EXPECT_FALSE(result.ok());
  EXPECT_FALSE(result.complete);
  ASSERT_TRUE(result.error.has_value()) << result.to_string();
  EXPECT_NE(result.error->message.find("before it was done"), std::string::npos) << result.error->message;
}

TEST(Divide, TimeHoldsForAll) {
  ExploreOptions options;
  options.deviations = 9;
  options.time = std::chrono::milliseconds(300);
  options.jobs = 2;
  const ExploreResult result =
      run<Stack>(as::stack, "push 1, pop, push 3 | push 2, pop, pop | pop, push 4, pop", options);
  EXPECT_TRUE(result.ok()) << result.to_string();
  EXPECT_FALSE(result.complete);
  EXPECT_GT(result.schedules, 0U);
  EXPECT_LT(result.seconds, 60);
}

/// Another number of steps in each process.
class Restless {
 public:
  void increment() {
    for (int i = getpid() % 7; i >= 0; --i) number_.fetch_add(0);
    number_.fetch_add(1);
  }
  int get() const { return number_.load(); }

 private:
  std::atomic<int> number_ = 0;
};

TEST(Divide, ProcessesThatDifferAreAnError) {
  ExploreOptions options;
  options.jobs = 3;
  const ExploreResult result = run<Restless>(as::counter, "increment, increment | increment, read", options);
  ASSERT_TRUE(result.error.has_value()) << result.to_string();
  EXPECT_NE(result.error->message.find("not the same in each process"), std::string::npos) << result.error->message;
}

TEST(Divide, WhatCannotBeDividedIsExploredByOneProcess) {
  ExploreOptions options;
  EXPECT_TRUE(explorer::divisible(options));
  options.schedules = 10;
  EXPECT_FALSE(explorer::divisible(options));
  options.strategy = ExploreStrategy::random;
  EXPECT_TRUE(explorer::divisible(options));
  options.schedules = 0;
  options.strategy = ExploreStrategy::dpor;
  EXPECT_FALSE(explorer::divisible(options));
  const ExploreResult one = run<Stack>(as::stack, kPairs, options);
  options.jobs = 3;
  EXPECT_EQ(without_time(run<Stack>(as::stack, kPairs, options)), without_time(one));
}

}  // namespace
}  // namespace linchpin::divide_test
