#include "types/mutex/owner_monitor.hpp"
#include "support/thoroughness.hpp"

#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "types/mutex/specification.hpp"

namespace owner_monitor_test {

namespace {

using linchpin::ProcessId;
using linchpin::Tick;
using linchpin::Value;
using linchpin::Verdict;
using linchpin::types::OwnedMutex;
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

const auto kOwned = specification_of("mutex owner=yes");

SketchedOperation operation(std::uint16_t method, Value result, ProcessId process, Tick call, Tick response) {
  return {.method = method, .arguments = {}, .result = result, .call = call, .response = response, .process = process};
}
SketchedOperation acquire(ProcessId process, Tick call, Tick response) {
  return operation(OwnedMutex::kAcquire, Value::none(), process, call, response);
}
SketchedOperation release(ProcessId process, Tick call, Tick response) {
  return operation(OwnedMutex::kRelease, Value::none(), process, call, response);
}
SketchedOperation tries(ProcessId process, Tick call, Tick response, Value result) {
  return operation(OwnedMutex::kTryAcquire, result, process, call, response);
}
SketchedOperation is_held(ProcessId process, Tick call, Tick response, bool result) {
  return operation(OwnedMutex::kIsHeld, Value::boolean(result), process, call, response);
}

const Value kYes = Value::boolean(true), kNo = Value::boolean(false), kLost = Value::unknown();

linchpin::core::Outcome decided(const Sketch& sketch) {
  const Built built = build(kOwned, sketch);
  EXPECT_EQ(linchpin::types::mutex::owners_applicable(built.part).applies, true);
  linchpin::core::Budget budget{linchpin::Limits{}};
  return linchpin::types::mutex::decide_owners(built.part, {.witness = true}, budget);
}

std::string why_not(const Sketch& sketch) {
  const auto applicability = linchpin::types::mutex::owners_applicable(build(kOwned, sketch).part);
  return applicability.applies ? "it applies" : applicability.why;
}

}  // namespace

TEST(OwnerMonitor, RejectsSectionsThatOverlap) {
  const auto outcome = decided({acquire(1, 1, 2), acquire(2, 3, 6), release(1, 7, 8), release(2, 9, 10)});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(outcome.blocked, 1U);
  EXPECT_EQ(outcome.sentence,
            "acquire() of process 2 needs the lock to be free, but process 1 held it when it returned, and called "
            "release only later");
}

TEST(OwnerMonitor, OrdersSectionsByTheReturnsOfTheirAcquires) {
  // The first to call is the last to acquire.
  const auto outcome = decided({acquire(1, 1, 20), acquire(2, 2, 9), acquire(3, 3, 5), release(3, 6, 30),
                                release(2, 10, 30), release(1, 21, 30)});
  EXPECT_EQ(outcome.verdict, Verdict::linearizable);
  EXPECT_EQ(outcome.witness, (std::vector<std::uint32_t>{2, 3, 1, 4, 0, 5}));
}

TEST(OwnerMonitor, LetsNobodyReleaseWhatAnotherHolds) {
  const auto outcome = decided({acquire(1, 1, 2), release(2, 3, 4)});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.blocked, 1U);
  EXPECT_EQ(outcome.sentence,
            "release() of process 2 needs the lock to be held by that process, but process 1 held it when it returned, "
            "and never released it");
}

TEST(OwnerMonitor, SaysThatALockWasReleasedTwice) {
  const auto outcome = decided(
      {acquire(2, 1, 2), release(2, 3, 4), acquire(1, 5, 6), release(1, 7, 8), release(1, 9, 10), acquire(3, 11, 12)});
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{2, 3, 4}));
  EXPECT_EQ(outcome.sentence,
            "release() of process 1 needs the lock to be held by that process, which had released it and not acquired "
            "it again");
}

TEST(OwnerMonitor, SaysThatALockWasAcquiredTwice) {
  const auto outcome = decided({acquire(1, 1, 2), tries(1, 3, 4, kYes)});
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(outcome.sentence,
            "try_acquire() -> true of process 1 needs the lock to be free, but that process held it itself, and had "
            "not released it");
}

TEST(OwnerMonitor, RejectsATryThatFailsWhileNobodyHolds) {
  const auto outcome = decided({acquire(1, 1, 2), release(1, 3, 4), tries(2, 5, 6, kNo), acquire(1, 7, 8)});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(outcome.sentence,
            "try_acquire() -> false of process 2 needs the lock to be held, but it was free during the whole call: no "
            "acquire could take effect in time");
}

TEST(OwnerMonitor, RejectsALookThatFindsTheLockFree) {
  const auto outcome = decided({acquire(1, 1, 2), is_held(2, 3, 4, false), release(1, 5, 6)});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(outcome.sentence,
            "is_held() -> false of process 2 needs the lock to be free, but process 1 held it during the whole call");
}

// A look decides who goes first: without it the second process could have the lock before the first.
TEST(OwnerMonitor, ShowsTheLookThatMadeTheHolderAcquire) {
  const auto outcome =
      decided({acquire(1, 0, 10), is_held(3, 1, 2, true), acquire(2, 5, 10), release(2, 10, 10), release(1, 20, 21)});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.core.size(), 5U);
  EXPECT_EQ(decided({acquire(1, 0, 10), acquire(2, 5, 10), release(2, 10, 10), release(1, 20, 21)}).verdict,
            Verdict::linearizable);
}

TEST(OwnerMonitor, LetsACrashedProcessTakeTheLockForGood) {
  const linchpin::Tick never = linchpin::kPending;
  EXPECT_EQ(decided({tries(1, 1, never, kLost), is_held(2, 2, 3, true), tries(2, 4, 5, kNo)}).verdict,
            Verdict::linearizable);
  EXPECT_EQ(decided({tries(1, 1, never, kNo), is_held(2, 2, 3, true)}).verdict, Verdict::violation);
  const auto outcome = decided({acquire(1, 1, never), is_held(2, 2, 3, true), acquire(3, 4, 5), release(3, 6, 7)});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(
      outcome.sentence,
      "is_held() -> true of process 2 needs the lock to be held, but it was free during the whole call: who might "
      "have acquired it would never have released it, and process 3 acquired it later");
}

TEST(OwnerMonitor, LetsACrashedHolderReleaseOrNot) {
  const linchpin::Tick never = linchpin::kPending;
  EXPECT_EQ(decided({acquire(1, 1, 2), release(1, 3, never), acquire(2, 4, 5)}).verdict, Verdict::linearizable);
  EXPECT_EQ(decided({acquire(1, 1, 2), release(1, 3, never), is_held(2, 4, 5, true)}).verdict, Verdict::linearizable);
  EXPECT_EQ(decided({acquire(1, 1, 2), release(1, 3, never), acquire(2, 4, 5), is_held(3, 6, 7, false)}).verdict,
            Verdict::violation);
}

TEST(OwnerMonitor, TellsFromWhatAProcessDoesNextWhetherItTookTheLock) {
  EXPECT_EQ(decided({tries(1, 1, 2, kLost), is_held(2, 3, 4, false), release(1, 5, 6)}).verdict, Verdict::violation);
  EXPECT_EQ(decided({tries(1, 1, 2, kLost), acquire(1, 3, 4)}).verdict, Verdict::violation)
      << "nobody held the lock when it failed";
  EXPECT_EQ(decided({acquire(2, 1, 2), tries(1, 3, 4, kLost), release(2, 5, 6), acquire(1, 7, 8)}).verdict,
            Verdict::linearizable);
  EXPECT_EQ(decided({tries(1, 1, 2, kLost), is_held(1, 3, 4, false)}).verdict, Verdict::violation);
  EXPECT_EQ(why_not({tries(1, 1, 2, kLost), tries(1, 3, 4, kLost), release(1, 5, 6)}),
            "whether try_acquire() -> ? of process 1 took the lock is not certain");
}

TEST(OwnerMonitor, TakesOperationsOfOneTickInEitherOrder) {
  // All at one tick: the one that holds on goes last.
  EXPECT_EQ(
      decided({acquire(1, 1, 5), release(1, 5, 5), acquire(2, 2, 5), release(2, 5, 9), is_held(3, 6, 7, true)}).verdict,
      Verdict::linearizable);
  EXPECT_EQ(
      decided({acquire(2, 1, 5), release(2, 5, 9), acquire(1, 2, 5), release(1, 5, 5), is_held(3, 6, 7, true)}).verdict,
      Verdict::linearizable);
  EXPECT_EQ(decided({release(1, 5, 5), acquire(1, 5, 5)}).verdict, Verdict::linearizable);
}

TEST(OwnerMonitor, IsOneBitWhereNobodyIsNamed) {
  linchpin::HistoryBuilder builder;
  builder.add({.method = "acquire", .call = 1, .response = 2});
  builder.add({.method = "release", .call = 1, .response = 4});
  builder.add({.method = "release", .call = 5, .response = 6});
  const auto history = std::move(builder).build();
  ASSERT_TRUE(history);
  const std::array specifications{kOwned};
  const auto parts = linchpin::history::split_by_object(*history, specifications, linchpin::Ties::concurrent);
  const auto applicability = linchpin::types::mutex::owners_applicable((*parts)[0]);
  EXPECT_TRUE(applicability.applies);
  EXPECT_EQ(applicability.why, "no operation names its process: the lock is one bit");
  linchpin::core::Budget budget{linchpin::Limits{}};
  const auto outcome = linchpin::types::mutex::decide_owners((*parts)[0], {}, budget);
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.blocked, 2U);
}

TEST(OwnerMonitor, FindsASmallCoreWhereSomebodyAlwaysWaits) {
  Sketch sketch;
  constexpr Tick kHolders = 500;
  for (Tick k = 0; k < kHolders; ++k) {
    sketch.push_back(acquire(static_cast<ProcessId>(k), 10 * k + 1, 10 * k + 12));
    if (k + 1 < kHolders) sketch.push_back(release(static_cast<ProcessId>(k), 10 * k + 20, 10 * k + 21));
  }
  sketch.push_back(acquire(1000, 10 * kHolders + 3, 10 * kHolders + 4));
  EXPECT_EQ(decided(sketch).core.size(), 2U);
}

TEST(OwnerMonitor, AgreesWithTheOracleOnAllSmallHistories) {
  CrossCheck cross(linchpin::types::mutex::kOwnerMonitor, kOwned);
  Sketch labels;
  for (const ProcessId process : {1, 2}) {
    labels.push_back(acquire(process, 0, 0));
    labels.push_back(release(process, 0, 0));
    labels.push_back(tries(process, 0, 0, kYes));
    labels.push_back(tries(process, 0, 0, kLost));
  }
  labels.push_back(tries(3, 0, 0, kNo));
  labels.push_back(is_held(3, 0, 0, false));
  cross.exhaustive(labels, 3, true);
  if (thorough()) cross.exhaustive(labels, 4, true);
  EXPECT_GT(cross.linearizable, 500U);
  EXPECT_GT(cross.violations, 500U);
}

TEST(OwnerMonitor, AgreesWithTheOracleOnRandomHistories) {
  CrossCheck cross(linchpin::types::mutex::kOwnerMonitor, kOwned);
  cross.processes = 4;
  cross.random(
      [](Random& random) -> Drafter {
        return [looks = below(random, 2) == 0, lost = below(random, 2) == 0](Random& generator) {
          auto method = static_cast<std::uint16_t>(below(generator, 5));
          if (method == 4 || (!looks && method >= 2)) method = OwnedMutex::kRelease;
          if (method <= OwnedMutex::kRelease) return Draft{method, {}, {Value::none()}};
          if (lost && below(generator, 3) == 0) return Draft{method, {}, {kLost}};
          return Draft{method, {}, {kYes, kNo}};
        };
      },
      {}, 14);
  EXPECT_GT(cross.linearizable, cross.histories / 20);
  EXPECT_GT(cross.violations, cross.histories / 10);
  EXPECT_LT(cross.refused, cross.histories / 10);
}

}  // namespace owner_monitor_test
