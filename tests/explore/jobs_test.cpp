// Scenarios shared out among processes: the answer is that of one, and a process that dies is no clean answer.
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <ctime>
#include <memory>
#include <optional>
#include <regex>
#include <string>

#include <gtest/gtest.h>

#include "linchpin/explore.hpp"
#include "locked_queue.hpp"
#include "stress/planted.hpp"
#include "uninstrumented.hpp"

namespace linchpin::jobs_test {
namespace {

/// Looks, and then takes: two dequeues may take the same, but only behind two values.
class LateMistake {
 public:
  void enqueue(int value) { queue_.enqueue(value); }
  std::optional<int> dequeue() {
    const int before = taken_.load();
    const auto value = queue_.dequeue();
    if (value) taken_.store(before + 1);
    if (value && before == 1 && taken_.load() != 2) return 77;
    if (value && before == 0 && taken_.exchange(1) == 2) return 78;
    return value;
  }

 private:
  LockedQueue queue_;
  std::atomic<int> taken_ = 0;
};

template <class Queue>
ExploreResult run(ExploreOptions options) {
  return explore(
      as::queue, [] { return std::make_unique<Queue>(); }, options);
}

/// All but times, and where blocks lie: what earlier explorations of the same process have made comes before them.
std::string without_time(ExploreResult result) {
  result.seconds = 0;
  std::string text = result.to_json();
  if (result.history) text += std::to_string(result.history->size());
  return std::regex_replace(text, std::regex("block\\+0x[0-9a-f]+"), "block");
}

TEST(Jobs, CleanAnswersAreTheSame) {
  for (const ExploreStrategy strategy : {ExploreStrategy::bounded, ExploreStrategy::dpor}) {
    ExploreOptions options;
    options.strategy = strategy;
    const ExploreResult one = run<LockedQueue>(options);
    ASSERT_TRUE(one.ok() && one.complete) << one.to_string();
    for (const unsigned jobs : {2U, 3U}) {
      options.jobs = jobs;
      const ExploreResult more = run<LockedQueue>(options);
      EXPECT_EQ(without_time(more), without_time(one)) << jobs;
      EXPECT_GT(more.schedules, 100U);
    }
  }
}

TEST(Jobs, MoreJobsThanScenarios) {
  ExploreOptions options;
  options.operations = 1;
  options.prefix = 0;
  const ExploreResult one = run<LockedQueue>(options);
  options.jobs = 8;
  EXPECT_EQ(without_time(run<LockedQueue>(options)), without_time(one));
}

TEST(Jobs, FindingsAreTheSame) {
  ExploreOptions options;
  const ExploreResult one = run<LateMistake>(options);
  ASSERT_EQ(one.finding, ExploreFinding::not_linearizable) << one.to_string();
  ASSERT_GT(one.scenarios, 3U) << "all jobs have something to do before";
  ASSERT_TRUE(one.history.has_value());
  for (const unsigned jobs : {2U, 3U, 5U}) {
    options.jobs = jobs;
    EXPECT_EQ(without_time(run<LateMistake>(options)), without_time(one)) << jobs;
  }
}

TEST(Jobs, RacesAreTheSame) {
  const auto race = [](unsigned jobs) {
    ExploreOptions options;
    options.jobs = jobs;
    return explore(
        as::stack, [] { return std::make_unique<planted::MissingRelease<controls::FewNodes>>(); }, options);
  };
  const ExploreResult one = race(1);
  ASSERT_EQ(one.finding, ExploreFinding::race) << one.to_string();
  for (const unsigned jobs : {2U, 3U}) {
    const ExploreResult more = race(jobs);
    EXPECT_EQ(without_time(more), without_time(one)) << jobs;
    EXPECT_EQ(more.places.size(), 2U);
  }
}

TEST(Jobs, BeyondTheBoundsAsWell) {
  ExploreOptions options;
  options.threads = 1;
  options.operations = 1;
  options.beyond = std::chrono::seconds(60);
  options.jobs = 1;
  const ExploreResult one = run<LateMistake>(options);
  ASSERT_EQ(one.finding, ExploreFinding::not_linearizable) << one.to_string();
  ASSERT_TRUE(one.coverage.back().beyond);
  EXPECT_TRUE(one.complete);
  options.jobs = 2;
  EXPECT_EQ(without_time(run<LateMistake>(options)), without_time(one));
}

TEST(Jobs, TimeHoldsForAll) {
  ExploreOptions options;
  options.threads = 3;
  options.operations = 5;
  options.deviations = 9;
  options.time = std::chrono::milliseconds(300);
  options.jobs = 2;
  options.methods = {"enqueue"};
  const ExploreResult result = run<LockedQueue>(options);
  EXPECT_TRUE(result.ok()) << result.to_string();
  EXPECT_FALSE(result.complete);
  EXPECT_LT(result.seconds, 60);
}

const pid_t starter = getpid();

/// Ends the process in which it is used, unless that is the first one.
class Deadly {
 public:
  void enqueue(int value) {
    if (getpid() != starter && planted::calls_in_this_process() == 100) syscall(SYS_kill, getpid(), SIGKILL);
    queue_.enqueue(value);
  }
  std::optional<int> dequeue() { return queue_.dequeue(); }

 private:
  LockedQueue queue_;
};

TEST(Jobs, AJobThatIsKilledIsAnError) {
  ExploreOptions options;
  options.jobs = 2;
  const ExploreResult result = run<Deadly>(options);
  EXPECT_FALSE(result.ok());
  EXPECT_FALSE(result.complete);
  ASSERT_TRUE(result.error.has_value()) << result.to_string();
  EXPECT_NE(result.error->message.find("of 2 has ended by signal 9 (Killed) before it was done"), std::string::npos)
      << result.error->message;
}

/// The second job finds something in its first scenario, and takes its time. By then the first job dies of its second
/// one, which nobody needs any more: `enqueue | enqueue` was its first, and `dequeue | dequeue` comes after what is
/// found.
class DeadlyAndWrong {
 public:
  void enqueue(int /*value*/) { ++number_; }
  std::optional<int> dequeue() {
    if (number_.load() == 0) {
      constexpr int kBefore = 3;  // the first scenario
      if (getpid() != starter && planted::calls_in_this_process() > kBefore) syscall(SYS_kill, getpid(), SIGKILL);
      return std::nullopt;
    }
    const timespec time = {.tv_sec = 0, .tv_nsec = 200'000'000};
    syscall(SYS_nanosleep, &time, nullptr);
    return 99;
  }

 private:
  std::atomic<int> number_ = 0;
};

TEST(Jobs, WhatIsFoundBeforeCountsAllTheSame) {
  ExploreOptions options;
  options.jobs = 2;
  options.minimise = false;
  const ExploreResult result = run<DeadlyAndWrong>(options);
  EXPECT_EQ(result.finding, ExploreFinding::not_linearizable) << result.to_string();
  EXPECT_EQ(result.scenarios, 2U);
}

TEST(Jobs, WrongNumbersAreErrors) {
  for (const unsigned jobs : {0U, 65U}) {
    ExploreOptions options;
    options.jobs = jobs;
    const ExploreResult result = run<LockedQueue>(options);
    ASSERT_TRUE(result.error.has_value());
    EXPECT_EQ(result.error->message, "there are 1 to 64 jobs, not " + std::to_string(jobs));
  }
}

}  // namespace
}  // namespace linchpin::jobs_test
