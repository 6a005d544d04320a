// DPOR against all schedules: the same outcomes of small programs, the same number of histories of containers. (Each of
// its schedules is one of all, so that as many histories are the same ones.)
#include <semaphore.h>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <shared_mutex>
#include <thread>

#include <gtest/gtest.h>

#include "linchpin/explore.hpp"
#include "locked_queue.hpp"
#include "programs.hpp"
#include "stress/michael_scott_queue.hpp"
#include "stress/planted.hpp"

namespace linchpin::dpor_test {
namespace {

using programs::Program;
using programs::Shape;

struct Compared {
  std::uint64_t all = 0, dpor = 0;  ///< schedules
  std::size_t programs = 0, one_by_one = 0;
};

void compare(const ExploreResult& all, const ExploreResult& dpor, const std::string& what, Compared& compared) {
  EXPECT_EQ(all.finding, dpor.finding) << what << "\n" << all.to_string() << "\n" << dpor.to_string();
  ++compared.programs;
  compared.one_by_one += dpor.coverage[0].one_by_one;
  if (!all.ok()) return;
  EXPECT_TRUE(all.complete && dpor.complete) << what;
  EXPECT_EQ(all.outcomes, dpor.outcomes) << what;
  EXPECT_EQ(all.histories, dpor.histories) << what;
  compared.all += all.schedules;
  compared.dpor += dpor.schedules;
}

#ifdef __clang__
constexpr unsigned kShare = 4;  // of the programs, in the ordinary tests: all of them run as g++ compiles them
#else
constexpr unsigned kShare = 1;
#endif

void compare_random(const Shape& shape, unsigned programs, unsigned seed, ExploreMemory memory, Compared& compared) {
  if (const char* const more = std::getenv("LINCHPIN_DPOR_PROGRAMS"))
    programs *= static_cast<unsigned>(std::atoi(more));
  else
    programs = (programs + kShare - 1) / kShare;
  std::mt19937 generator(seed);
  for (unsigned i = 0; i < programs; ++i) {
    const Program program = programs::random_program(shape, generator);
    ExploreOptions options;
    options.memory = memory;
    options.races = !shape.plain;
    options.deadlocks = false;
    options.strategy = ExploreStrategy::exhaustive;
    options.schedules = 20'000;
    const ExploreResult all = explore(programs::threads_of(program), options);
    if (!all.complete) continue;
    options.strategy = ExploreStrategy::dpor;
    const ExploreResult dpor = explore(programs::threads_of(program), options);
    compare(all, dpor, "seed " + std::to_string(seed) + ": " + programs::text_of(program), compared);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Dpor, RandomProgramsHaveTheSameOutcomes) {
  for (const ExploreMemory memory : {ExploreMemory::sequential, ExploreMemory::cpp20}) {
    const bool weak = memory == ExploreMemory::cpp20;
    Compared compared;
    compare_random({.threads = 2, .instructions = 4, .weak = weak}, 14, 1, memory, compared);
    compare_random({.threads = 2, .instructions = weak ? 5U : 6U, .weak = weak}, 6, 2, memory, compared);
    compare_random({.threads = 3, .instructions = 2, .weak = weak}, 10, 3, memory, compared);
    compare_random({.threads = 3, .instructions = 3, .weak = weak}, 2, 4, memory, compared);
    compare_random({.threads = 2, .instructions = 5, .weak = weak, .locks = true}, 16, 5, memory, compared);
    compare_random({.threads = 3, .instructions = 2, .weak = weak, .locks = true}, 20, 6, memory, compared);
    compare_random({.threads = 2, .instructions = 3, .weak = weak, .plain = true}, 10, 7, memory, compared);
    compare_random({.threads = 3, .instructions = 2, .locks = true, .plain = true}, 8, 8, memory, compared);
    compare_random({.threads = 2, .instructions = 3, .weak = weak, .looks = true}, 10, 9, memory, compared);
    EXPECT_GE(compared.programs, 60U / kShare);
    EXPECT_LT(compared.dpor * 10, compared.all);
  }
}

using MichaelScottQueue = controls::MichaelScottQueue<controls::FewNodes>;

class Counter {
 public:
  void increment() { number_.fetch_add(1); }
  std::int64_t get() { return number_.load(); }

 private:
  std::atomic<std::int64_t> number_ = 0;
};

/// Where a switch of threads is a slow call, hundreds of thousands of schedules take a minute: these are for whoever
/// sets LINCHPIN_DPOR_PROGRAMS.
std::vector<std::string> and_large(std::vector<std::string> scenarios, const std::vector<std::string>& large) {
  if (std::getenv("LINCHPIN_DPOR_PROGRAMS") != nullptr) scenarios.insert(scenarios.end(), large.begin(), large.end());
  return scenarios;
}

/// Returns in how many scenarios DPOR did not follow everything, and ran schedules one by one.
template <class Container, class Type>
std::size_t compare_scenarios(const Type& type, const std::vector<std::string>& scenarios,
                              ExploreOptions options = {}) {
  Compared compared;
  for (const std::string& scenario : scenarios) {
    for (const ExploreMemory memory : {ExploreMemory::sequential, ExploreMemory::cpp20}) {
      const auto run = [&](ExploreStrategy strategy) {
        options.scenario = scenario;
        options.memory = memory;
        options.strategy = strategy;
        return explore(
            type, [] { return std::make_unique<Container>(); }, options);
      };
      const ExploreResult dpor = run(ExploreStrategy::dpor);
      const ExploreResult all = run(ExploreStrategy::exhaustive);
      compare(all, dpor, scenario, compared);
    }
  }
  return compared.one_by_one;
}

TEST(Dpor, StackHasTheSameHistories) {
  EXPECT_EQ(compare_scenarios<planted::CorrectStack<controls::FewNodes>>(
                as::stack, and_large({"push 1 | pop", "push 1; push 2 | pop", "push 1; pop, pop | push 2"},
                                     {"push 1, pop | push 2, pop", "push 1 | push 2 | pop"})),
            0U);
}

TEST(Dpor, MichaelScottQueueHasTheSameHistories) {
  EXPECT_EQ(compare_scenarios<MichaelScottQueue>(
                as::queue, and_large({"enqueue 1 | dequeue", "enqueue 1; dequeue | dequeue", "enqueue 1 | enqueue 2"},
                                     {"enqueue 1; dequeue, enqueue 2 | dequeue"})),
            0U);
}

TEST(Dpor, LockedQueueHasTheSameHistories) {
  EXPECT_EQ(compare_scenarios<LockedQueue>(
                as::queue, {"enqueue 1, dequeue | enqueue 2, dequeue", "enqueue 1 | enqueue 2 | dequeue",
                            "enqueue 1, dequeue | dequeue, enqueue 2, dequeue"}),
            0U);
}

TEST(Dpor, CounterHasTheSameHistories) {
  EXPECT_EQ(compare_scenarios<Counter>(
                as::counter, {"increment, read | increment, read", "increment, read | read, increment | read"}),
            0U);
}

TEST(Dpor, TwoLocksHaveTheSameHistories) {
  ExploreOptions options;
  options.deadlocks = false;
  compare_scenarios<planted::TwoLocks>(as::atomic_register, {"write 1, read | read, write 2", "write 1 | read | read"},
                                       options);
}

// The Michael-Scott queue of two threads with two operations each has 7,677,306 schedules (docs/explore.md).
TEST(Dpor, RunsAFewSchedulesInTenThousand) {
  for (const ExploreMemory memory : {ExploreMemory::sequential, ExploreMemory::cpp20}) {
    ExploreOptions options;
    options.scenario = "enqueue 1, dequeue | enqueue 2, dequeue";
    options.memory = memory;
    options.strategy = ExploreStrategy::dpor;
    const ExploreResult result = explore(
        as::queue, [] { return std::make_unique<MichaelScottQueue>(); }, options);
    EXPECT_TRUE(result.ok() && result.complete) << result.to_string();
    EXPECT_EQ(result.histories, 30U);
    EXPECT_LT(result.schedules, 1000U);
  }
}

TEST(Dpor, WhatIsLeftOutIsSaid) {
  ExploreOptions options;
  options.strategy = ExploreStrategy::dpor;
  options.scenario = "enqueue 1, dequeue | enqueue 2, dequeue";
  options.schedules = 10;
  const auto make = [] { return std::make_unique<MichaelScottQueue>(); };
  const ExploreResult few = explore(as::queue, make, options);
  EXPECT_TRUE(few.ok() && !few.complete) << few.to_string();
  EXPECT_EQ(few.schedules, 10U);
  options.schedules = 0;
  options.time = std::chrono::duration<double>(0);
  const ExploreResult none = explore(as::queue, make, options);
  EXPECT_TRUE(none.ok() && !none.complete) << none.to_string();
}

struct Shared {
  Shared() { sem_init(&semaphore, 0, 0); }
  std::mutex mutex;
  std::shared_mutex readers;
  std::timed_mutex timed;
  std::condition_variable changed;
  sem_t semaphore;
  std::once_flag once;
  std::atomic<int> number = 0, other = 0;
  std::atomic<int*> pointer = nullptr;
  int plain = 0;
  bool ready = false;
  std::string seen[3];
};

/// Of all schedules and of DPOR's, under both memory models, the outcomes are the same; returns how many there are.
std::size_t compare_by_hand(const std::string& what, std::vector<std::function<void(Shared&)>> functions,
                            bool one_by_one = false, ExploreOptions options = {}) {
  std::size_t outcomes = 0;
  for (const ExploreMemory memory : {ExploreMemory::sequential, ExploreMemory::cpp20}) {
    const auto run = [&](ExploreStrategy strategy) {
      Threads<Shared> threads([] { return std::make_unique<Shared>(); });
      for (const auto& function : functions) threads.add(function);
      threads.observe([](Shared& s) {
        return s.seen[0] + "," + s.seen[1] + "," + s.seen[2] + "," + std::to_string(s.number.load()) +
               std::to_string(s.plain);
      });
      options.memory = memory;
      options.strategy = strategy;
      return explore(threads, options);
    };
    Compared compared;
    const ExploreResult dpor = run(ExploreStrategy::dpor);
    compare(run(ExploreStrategy::exhaustive), dpor, what, compared);
    EXPECT_EQ(compared.one_by_one, one_by_one ? 1U : 0U) << what;
    EXPECT_TRUE(dpor.ok()) << what << dpor.to_string();
    outcomes = dpor.outcomes.size();
  }
  return outcomes;
}

TEST(Dpor, WaitingIsFollowed) {
  const auto consume = [](int which) {
    return [which](Shared& s) {
      std::unique_lock lock(s.mutex);
      while (!s.ready) s.changed.wait(lock);
      s.ready = false;
      s.seen[which] = std::to_string(++s.plain);
    };
  };
  const auto produce = [](Shared& s) {
    for (int i = 0; i < 2; ++i) {
      const std::lock_guard lock(s.mutex);
      s.ready = true;
      s.changed.notify_all();
    }
  };
  ExploreOptions pending;
  pending.deadlocks = false;  // the second of two may wait for ever
  EXPECT_GE(compare_by_hand("condition", {consume(0), consume(1), produce}, false, pending), 2U);
  const auto woken = [](int which) {
    return [which](Shared& s) {
      std::unique_lock lock(s.mutex);
      ++s.plain;
      s.changed.wait(lock);
      s.seen[which] = std::to_string(s.number.fetch_add(1));
    };
  };
  const auto wake = [](Shared& s) {
    for (int i = 0; i < 2; ++i) {
      const std::lock_guard lock(s.mutex);
      if (s.plain == 2) s.changed.notify_one();
    }
  };
  EXPECT_EQ(compare_by_hand("who is woken", {woken(0), woken(1), wake}, false, pending), 2U);
  const auto timed = [](Shared& s) {
    std::unique_lock lock(s.mutex);
    const bool in_time = s.changed.wait_for(lock, std::chrono::seconds(1), [&] { return s.ready; });
    s.seen[0] = in_time ? "in time" : "too late";
  };
  EXPECT_EQ(compare_by_hand("wait for some time", {timed, produce}), 2U);
  const auto lock_for_some_time = [](int which) {
    return [which](Shared& s) {
      if (!s.timed.try_lock_for(std::chrono::seconds(1))) return;
      s.seen[which] = std::to_string(++s.plain);
      s.timed.unlock();
    };
  };
  EXPECT_EQ(compare_by_hand("lock for some time", {lock_for_some_time(0), lock_for_some_time(1)}), 4U);
}

TEST(Dpor, LocksAreFollowed) {
  const auto write = [](Shared& s) {
    const std::unique_lock lock(s.readers);
    ++s.plain;
  };
  const auto read = [](int which) {
    return [which](Shared& s) {
      const std::shared_lock lock(s.readers);
      s.seen[which] = std::to_string(s.plain);
    };
  };
  EXPECT_EQ(compare_by_hand("readers and a writer", {read(0), read(1), write}), 4U);
  const auto try_to_write = [](Shared& s) {
    if (!s.readers.try_lock()) return;
    s.seen[2] = "wrote";
    ++s.plain;
    s.readers.unlock();
  };
  EXPECT_GE(compare_by_hand("readers, and one who tries", {read(0), read(1), try_to_write}), 5U);
  const auto post = [](Shared& s) {
    s.number.fetch_add(1);
    sem_post(&s.semaphore);
  };
  const auto take = [](int which) {
    return [which](Shared& s) {
      s.seen[which] = sem_trywait(&s.semaphore) == 0 ? std::to_string(s.number.load()) : "none";
    };
  };
  EXPECT_GE(compare_by_hand("semaphore", {post, take(0), take(1)}), 3U);
  const auto once = [](int which) {
    return [which](Shared& s) {
      std::call_once(s.once, [&] { s.plain = which + 1; });
      s.seen[which] = std::to_string(s.plain);
    };
  };
  EXPECT_EQ(compare_by_hand("once", {once(0), once(1), once(2)}), 3U);
}

TEST(Dpor, ThreadsAndMemoryAreFollowed) {
  const auto create = [](int which) {
    return [which](Shared& s) {
      std::thread made([&s, which] { s.seen[which] += std::to_string(s.number.fetch_add(1)); });
      s.other.fetch_add(1);
      made.join();
    };
  };
  EXPECT_EQ(compare_by_hand("threads that create threads", {create(0), create(1)}), 2U);
  // What is freed may be had again at once.
  const auto allocate = [](int which) {
    return [which](Shared& s) {
      s.other.fetch_add(1);
      int* const mine = new int(which);
      int* expected = nullptr;
      if (!s.pointer.compare_exchange_strong(expected, mine)) s.seen[which] = expected == mine ? "the same" : "another";
      delete mine;
    };
  };
  ExploreOptions reuse;
  reuse.reuse = ExploreReuse::lifo;
  EXPECT_GE(compare_by_hand("memory that is used again", {allocate(0), allocate(1)}, false, reuse), 4U);
  const auto look = [](int which) {
    return [which](Shared& s) {
      s.number.fetch_add(1);
      s.seen[which] = std::to_string(std::chrono::steady_clock::now().time_since_epoch().count() % 1'000'000);
    };
  };
  EXPECT_EQ(compare_by_hand("time", {look(0), look(1)}), 2U);
}

TEST(Dpor, FencesAndFailingExchangesAreFollowed) {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  const auto write = [](Shared& s) {
    s.number.store(1, kRelaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    s.other.store(1, kRelaxed);
  };
  const auto read = [](Shared& s) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    s.seen[0] = std::to_string(s.other.load(kRelaxed)) + std::to_string(s.number.load(kRelaxed));
  };
  EXPECT_EQ(compare_by_hand("fences", {write, read}), 4U);  // 10 only where the reader's fence comes first
  const auto store = [](Shared& s) { s.number.store(1, kRelaxed); };
  const auto exchange = [](Shared& s) {
    int expected = 1;
    s.seen[1] = s.number.compare_exchange_strong(expected, 2, std::memory_order_seq_cst, kRelaxed) ? "yes" : "no";
  };
  const auto load = [](Shared& s) { s.seen[2] = std::to_string(s.number.load()); };
  EXPECT_EQ(compare_by_hand("an exchange may fail on an older store", {store, exchange, load}), 5U);
}

TEST(Dpor, RunsAllSchedulesWhereItCannotFollow) {
  const auto set = [](Shared& s) {
    s.other.store(1);
    s.number.store(1);
  };
  const auto spin = [](Shared& s) {
    while (s.number.load() == 0) std::this_thread::yield();
    s.seen[1] = std::to_string(s.other.load());
  };
  EXPECT_EQ(compare_by_hand("yield", {set, spin}, true), 1U);
  const auto share = [](Shared& s) {
    int mine = 0;
    std::thread other([&] { mine = s.number.fetch_add(1); });
    other.join();
    s.seen[0] = std::to_string(mine);
  };
  EXPECT_EQ(compare_by_hand("a stack", {share, set}, true), 2U);
}

}  // namespace
}  // namespace linchpin::dpor_test
