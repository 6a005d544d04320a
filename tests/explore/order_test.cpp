// Which operation comes before which: by real time, or by what happens before what. Containers whose answers differ.
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "explore/orderable.hpp"
#include "linchpin/explore.hpp"
#include "stress/michael_scott_queue.hpp"
#include "stress/node_store.hpp"

namespace linchpin::order_test {
namespace {

/// A set of the keys 0 and 1.
template <std::memory_order kLoad, std::memory_order kStore>
class Flags {
 public:
  bool add(std::int64_t key) { return !flags_[key].exchange(true, kStore); }
  bool contains(std::int64_t key) const { return flags_[key].load(kLoad); }

 private:
  std::atomic<bool> flags_[2] = {};
};
using Relaxed = Flags<std::memory_order_relaxed, std::memory_order_relaxed>;
using Passing = Flags<std::memory_order_acquire, std::memory_order_acq_rel>;
using Sequential = Flags<std::memory_order_seq_cst, std::memory_order_seq_cst>;

/// A thread's writes are published when it reads.
class LateRegister {
 public:
  void write(std::int64_t value) { late() = value; }
  std::int64_t read() {
    if (late()) value_.store(*late(), std::memory_order_relaxed);
    late().reset();
    return value_.load(std::memory_order_relaxed);
  }

 private:
  static std::optional<std::int64_t>& late() {
    thread_local std::optional<std::int64_t> value;
    return value;
  }
  std::atomic<std::int64_t> value_ = 0;
};

/// A set that forgets what is added, and in which to look for 1 passes on what came before.
template <std::memory_order kOrder>
class Forgetting {
 public:
  bool add(std::int64_t /*key*/) {
    looked_.load(std::memory_order_relaxed);
    return true;
  }
  bool contains(std::int64_t key) {
    if (key == 1) looked_.fetch_add(1, kOrder);
    return false;
  }

 private:
  std::atomic<int> looked_ = 0;
};

ExploreOptions options_of(ExploreOrder order, ExploreMemory memory, std::string scenario,
                          ExploreStrategy strategy = ExploreStrategy::exhaustive) {
  ExploreOptions options;
  options.order = order;
  options.memory = memory;
  options.scenario = std::move(scenario);
  options.strategy = strategy;
  return options;
}

constexpr auto kRealTime = ExploreOrder::real_time;
constexpr auto kHappensBefore = ExploreOrder::happens_before;
constexpr auto kSc = ExploreMemory::sequential;
constexpr auto kCpp20 = ExploreMemory::cpp20;

template <class Set>
ExploreResult explore_set(const ExploreOptions& options) {
  return explore(
      as::set, [] { return std::make_unique<Set>(); }, options);
}

/// Whether the set has an order in all its schedules, by all strategies that promise all histories.
template <class Set>
bool is_clean(ExploreOrder order, ExploreMemory memory, const std::string& scenario) {
  const ExploreResult all = explore_set<Set>(options_of(order, memory, scenario));
  const ExploreResult dpor = explore_set<Set>(options_of(order, memory, scenario, ExploreStrategy::dpor));
  EXPECT_EQ(dpor.finding, all.finding) << all.to_string() << dpor.to_string();
  if (all.ok()) {
    EXPECT_TRUE(all.complete && dpor.complete);
    EXPECT_EQ(dpor.histories, all.histories);
    EXPECT_LE(dpor.schedules, all.schedules);
    return true;
  }
  EXPECT_EQ(all.finding, ExploreFinding::not_linearizable) << all.to_string();
  return false;
}

// SB: both threads miss what the other one has added. Where nobody tells the other, C++20 allows it.
TEST(Order, StoreBufferingIsHiddenByRealTime) {
  const std::string scenario = "add 0, contains 1 | add 1, contains 0";
  EXPECT_TRUE(is_clean<Relaxed>(kRealTime, kCpp20, scenario));
  EXPECT_FALSE(is_clean<Relaxed>(kHappensBefore, kCpp20, scenario));
  EXPECT_FALSE(is_clean<Passing>(kHappensBefore, kCpp20, scenario));
  EXPECT_TRUE(is_clean<Sequential>(kHappensBefore, kCpp20, scenario));
  EXPECT_TRUE(is_clean<Relaxed>(kHappensBefore, kSc, scenario));
}

// MP: the second key without the first, which the same thread added before.
TEST(Order, MessagePassingIsHiddenByRealTime) {
  const std::string scenario = "add 0, add 1 | contains 1, contains 0";
  EXPECT_TRUE(is_clean<Relaxed>(kRealTime, kCpp20, scenario));
  EXPECT_FALSE(is_clean<Relaxed>(kHappensBefore, kCpp20, scenario));
  EXPECT_TRUE(is_clean<Passing>(kHappensBefore, kCpp20, scenario));
}

TEST(Order, WhatIsPublishedLateIsInOrderButForRealTime) {
  for (const ExploreMemory memory : {kSc, kCpp20}) {
    for (const char* scenario : {"write 1 | read", "write 1, read | write 2, read"}) {
      const auto explored = [&](ExploreOrder order) {
        return explore(
            as::atomic_register, [] { return std::make_unique<LateRegister>(); }, options_of(order, memory, scenario));
      };
      EXPECT_EQ(explored(kRealTime).finding, ExploreFinding::not_linearizable) << scenario;
      const ExploreResult weaker = explored(kHappensBefore);
      EXPECT_TRUE(weaker.ok() && weaker.complete) << weaker.to_string();
    }
  }
}

// What one thread releases after an operation, and another acquires before its own, orders the two.
TEST(Order, WhatSynchronisesOrders) {
  const std::string scenario = "add 0, contains 1 | contains 1, contains 0";
  for (const ExploreMemory memory : {kSc, kCpp20}) {
    EXPECT_FALSE(is_clean<Forgetting<std::memory_order_acq_rel>>(kHappensBefore, memory, scenario));
    EXPECT_TRUE(is_clean<Forgetting<std::memory_order_relaxed>>(kHappensBefore, memory, scenario));
    EXPECT_FALSE(is_clean<Forgetting<std::memory_order_relaxed>>(kRealTime, memory, scenario));
  }
}

TEST(Order, AFindingSaysWhatComesAfterWhatAndIsReplayed) {
  ExploreOptions options =
      options_of(kHappensBefore, kSc, "add 0, contains 1 | contains 1, contains 0", ExploreStrategy::bounded);
  options.minimise = false;
  using Set = Forgetting<std::memory_order_acq_rel>;
  const ExploreResult found = explore_set<Set>(options);
  ASSERT_EQ(found.finding, ExploreFinding::not_linearizable) << found.to_string();
  EXPECT_EQ(found.message,
            "not linearizable as a set: no order explains what the operations returned and keeps what happens before "
            "what\n"
            "    1  process 1: add(0) -> true\n"
            "    2  process 1: contains(1) -> false, after 1\n"
            "    3  process 2: contains(1) -> false\n"
            "    4  process 2: contains(0) -> false, after 1 and 3");
  EXPECT_TRUE(found.history.has_value());
  ExploreOptions again;
  again.replay = found.token;
  const ExploreResult replayed = explore_set<Set>(again);
  EXPECT_EQ(replayed.finding, found.finding);
  EXPECT_EQ(replayed.message, found.message);
  options.order = kRealTime;
  EXPECT_NE(explore_set<Set>(options).message, found.message);
}

// One object whose synchronisation is right has an order by either.
TEST(Order, ARightQueueIsCleanByBoth) {
  using Queue = controls::MichaelScottQueue<controls::FewNodes>;
  for (const ExploreMemory memory : {kSc, kCpp20}) {
    for (const ExploreOrder order : {kRealTime, kHappensBefore}) {
      for (const char* scenario :
           {"enqueue 1, dequeue | enqueue 2, dequeue", "enqueue 1; dequeue, dequeue | enqueue 2"}) {
        const ExploreResult result = explore(
            as::queue, [] { return std::make_unique<Queue>(); },
            options_of(order, memory, scenario, ExploreStrategy::dpor));
        EXPECT_TRUE(result.ok() && result.complete) << result.to_string();
      }
    }
  }
}

// The search over partial orders against the deciders, where the order is real time.
TEST(Order, SearchAgreesWithTheDecidersOnRealTime) {
  const auto type = TypeName::parse("queue");
  const auto specification = make_specification(*type);
  const std::shared_ptr<const Specification> specifications[] = {*specification};
  std::mt19937 generator(1);
  const auto below = [&](int n) { return std::uniform_int_distribution(0, n - 1)(generator); };
  unsigned violations = 0, linearizable = 0;
  for (int round = 0; round < 3000; ++round) {
    HistoryBuilder builder;
    const int operations = 2 + below(6);
    for (int i = 0; i < operations; ++i) {
      const bool adds = below(2) == 0, pending = below(6) == 0;
      const Tick call = below(12);
      HistoryBuilder::Operation operation{.process = static_cast<ProcessId>(i),
                                          .method = adds ? "enqueue" : "dequeue",
                                          .call = call,
                                          .response = pending ? kPending : call + 1 + below(8)};
      if (adds) operation.arguments = {Value::integer(i)};
      if (!adds) operation.result = below(3) == 0 ? Value::nil() : Value::integer(below(operations));
      if (pending) operation.result = Value::unknown();
      builder.add(operation);
    }
    builder.set_type(*type);
    auto history = std::move(builder).build();
    ASSERT_TRUE(history) << history.error().to_string();
    const auto verdict = check(*history);
    ASSERT_TRUE(verdict) << verdict.error().to_string();
    const auto parts = history::split_by_object(*history, specifications, Ties::concurrent);
    const history::Subhistory& part = parts->front();
    std::vector<std::uint64_t> before(part.size(), 0);
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      for (std::uint32_t j = 0; j < part.size(); ++j) {
        if (part.happens_before(j, i)) before[i] |= std::uint64_t{1} << j;
      }
    }
    EXPECT_EQ(explorer::orderable(part, before), verdict->verdict == Verdict::linearizable) << "round " << round;
    ++(verdict->verdict == Verdict::linearizable ? linearizable : violations);
  }
  EXPECT_GT(violations, 100U);
  EXPECT_GT(linearizable, 100U);
}

}  // namespace
}  // namespace linchpin::order_test
