#include "support/thoroughness.hpp"
#include "types/mutex/monitor.hpp"

#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "types/mutex/specification.hpp"

namespace mutex_monitor_test {

namespace {

using linchpin::Value;
using linchpin::types::Mutex;
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

const auto kMutex = specification_of("mutex");

Sketch labels() {
  return {{.method = Mutex::kAcquire, .arguments = {}, .result = Value::none()},
          {.method = Mutex::kRelease, .arguments = {}, .result = Value::none()},
          {.method = Mutex::kTryAcquire, .arguments = {}, .result = Value::boolean(true)},
          {.method = Mutex::kTryAcquire, .arguments = {}, .result = Value::boolean(false)},
          {.method = Mutex::kIsHeld, .arguments = {}, .result = Value::boolean(true)},
          {.method = Mutex::kIsHeld, .arguments = {}, .result = Value::boolean(false)}};
}

}  // namespace

TEST(MutexMonitor, RejectsTwoHolders) {
  const Built built =
      build(kMutex, {{.method = Mutex::kAcquire, .arguments = {}, .result = Value::none(), .call = 1, .response = 2},
                     {.method = Mutex::kAcquire, .arguments = {}, .result = Value::none(), .call = 3, .response = 4},
                     {.method = Mutex::kRelease, .arguments = {}, .result = Value::none(), .call = 5, .response = 6}});
  linchpin::core::Budget budget{linchpin::Limits{}};
  const auto outcome = linchpin::types::mutex::decide(built.part, {}, budget);
  EXPECT_EQ(outcome.verdict, linchpin::Verdict::violation);
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{0, 1}));
}

TEST(MutexMonitor, FindsASmallCoreWhereSomebodyAlwaysWaits) {
  const SketchedOperation acquire{.method = Mutex::kAcquire, .arguments = {}, .result = Value::none()};
  const SketchedOperation release{.method = Mutex::kRelease, .arguments = {}, .result = Value::none()};
  Sketch sketch;
  const auto add = [&](SketchedOperation operation, linchpin::Tick call, linchpin::Tick response) {
    operation.call = call;
    operation.response = response;
    sketch.push_back(operation);
  };
  // Each holder lets go when the next has long been waiting; at last two hold the lock.
  constexpr linchpin::Tick kHolders = 500;
  for (linchpin::Tick k = 0; k < kHolders; ++k) {
    add(acquire, 10 * k + 1, 10 * k + 12);
    if (k + 1 < kHolders) add(release, 10 * k + 20, 10 * k + 21);
  }
  add(acquire, 10 * kHolders + 3, 10 * kHolders + 4);
  const Built built = build(kMutex, sketch);
  linchpin::core::Budget budget{linchpin::Limits{}};
  const auto outcome = linchpin::types::mutex::decide(built.part, {}, budget);
  ASSERT_EQ(outcome.verdict, linchpin::Verdict::violation);
  EXPECT_LT(outcome.core.size(), 20U);
  const auto core = linchpin::history::restrict(built.part, outcome.core);
  EXPECT_EQ(linchpin::types::mutex::decide(core, {}, budget).verdict, linchpin::Verdict::violation);
}

TEST(MutexMonitor, LeavesOwnersToOthers) {
  const auto owned = specification_of("mutex owner=yes");
  EXPECT_EQ(linchpin::types::mutex::applicable(build(owned, labels()).part).why, "the mutex has an owner");
}

class MutexMonitorFrom : public testing::TestWithParam<const char*> {};

TEST_P(MutexMonitorFrom, AgreesWithTheOracleOnAllSmallHistories) {
  CrossCheck cross(linchpin::types::mutex::kMonitor, specification_of(GetParam()));
  cross.exhaustive(labels(), 3, true);
  if (thorough()) cross.exhaustive(labels(), 4, true);
  EXPECT_GT(cross.linearizable, 500U);
  EXPECT_GT(cross.violations, 500U);
}

TEST_P(MutexMonitorFrom, AgreesWithTheOracleOnRandomHistories) {
  CrossCheck cross(linchpin::types::mutex::kMonitor, specification_of(GetParam()));
  cross.random(
      [](Random&) -> Drafter {
        return [](Random& generator) {
          const auto method = static_cast<std::uint16_t>(below(generator, 4));
          return Draft{method,
                       {},
                       method <= Mutex::kRelease ? std::vector{Value::none()}
                                                 : std::vector{Value::boolean(true), Value::boolean(false)}};
        };
      },
      {}, 12, 50'000);
  EXPECT_GT(cross.linearizable, cross.histories / 50);
  EXPECT_GT(cross.violations, cross.histories / 10);
}

INSTANTIATE_TEST_SUITE_P(Starts, MutexMonitorFrom, testing::Values("mutex", "mutex held=yes"));

}  // namespace mutex_monitor_test
