// What the runtime stands in front of: locks, waiting, threads, memory; and what it finds wrong with their use.
#include <array>
#include <atomic>
#include <barrier>
#include <cassert>
#include <condition_variable>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <set>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <poll.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "explore/command.hpp"
#include "linchpin/explore.hpp"
#include "turns.hpp"
#include "uninstrumented.hpp"

namespace linchpin::runtime_test {
namespace {

struct Shared {
  std::mutex mutex;
  std::recursive_mutex recursive;
  std::shared_mutex shared;
  std::timed_mutex timed;
  std::condition_variable changed;
  std::counting_semaphore<4> semaphore{0};
  std::latch latch{2};
  std::barrier<> barrier{2};
  std::once_flag once;
  std::atomic<int> number = 0;
  std::atomic<unsigned char> bytes[2] = {};
  int plain = 0;
  bool ready = false;
  int* block = nullptr;
};

Threads<Shared> shared() {
  return Threads<Shared>([] { return std::make_unique<Shared>(); });
}

ExploreResult run(const Threads<Shared>& threads, ExploreOptions options = {}) { return explore(threads, options); }

TEST(Runtime, MutexOrdersPlainAccesses) {
  const auto add = [](Shared& s) {
    const std::lock_guard lock(s.mutex);
    ++s.plain;
  };
  const ExploreResult result =
      run(shared().add(add).add(add).observe([](Shared& s) { return std::to_string(s.plain); }));
  EXPECT_TRUE(result.ok()) << result.to_string();
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.outcomes, std::vector<std::string>({"2"}));
  EXPECT_GT(result.schedules, 1U);
}

TEST(Runtime, UnorderedPlainAccessesRace) {
  const ExploreResult result = run(shared().add([](Shared& s) { s.plain = 1; }).add([](Shared& s) { s.plain = 2; }));
  EXPECT_EQ(result.finding, ExploreFinding::race);
  EXPECT_NE(result.message.find("runtime_test.cpp"), std::string::npos) << result.message;
}

TEST(Runtime, PlainAccessesInterleaveWhereRacesAreAllowed) {
  ExploreOptions options;
  options.races = false;
  const auto add = [](Shared& s) { s.plain = s.plain + 1; };
  const ExploreResult result =
      run(shared().add(add).add(add).observe([](Shared& s) { return std::to_string(s.plain); }), options);
  EXPECT_TRUE(result.ok()) << result.to_string();
  EXPECT_EQ(result.outcomes, std::vector<std::string>({"1", "2"}));
}

TEST(Runtime, NeighbouringBytesDoNotRace) {
  const ExploreResult result =
      run(shared().add([](Shared& s) { s.bytes[0].store(1); }).add([](Shared& s) { s.bytes[1].store(1); }));
  EXPECT_TRUE(result.ok()) << result.to_string();
}

template <class Number>
ExploreResult pass_on_beside_a_counter(ExploreOptions options = {}) {
  struct Slot {
    alignas(8) std::atomic<Number> full{0};
    Number sent = 0;  // of the same word
    int data = 0;
  };
  Threads<Slot> threads([] { return std::make_unique<Slot>(); });
  threads.add([](Slot& slot) {
    slot.data = 42;
    slot.full.store(1, std::memory_order_release);
    ++slot.sent;
  });
  threads.add([](Slot& slot) {
    if (slot.full.load(std::memory_order_acquire) == 1) assert(slot.data == 42);
  });
  return explore(threads, options);
}

TEST(Runtime, APlainNeighbourOfAnAtomicLeavesWhatItPassesOn) {
  ExploreOptions weak;
  weak.memory = ExploreMemory::cpp20;
  for (const ExploreOptions& options : {ExploreOptions{}, weak}) {
    for (const ExploreResult& result :
         {pass_on_beside_a_counter<std::uint8_t>(options), pass_on_beside_a_counter<std::uint16_t>(options),
          pass_on_beside_a_counter<int>(options)}) {
      EXPECT_TRUE(result.ok()) << result.to_string();
    }
  }
}

struct Bytes {
  std::atomic<int> number = 0;
  std::array<char, 64> from = {}, to = {};
};

void expect_race(const std::function<void(Bytes&)>& one, const std::function<void(Bytes&)>& other) {
  Threads<Bytes> threads([] { return std::make_unique<Bytes>(); });
  threads.add(one).add(other);
  const ExploreResult result = explore(threads);
  EXPECT_EQ(result.finding, ExploreFinding::race) << result.to_string();
}

// The compiler knows what these do, and would do it in place without a word.
TEST(Runtime, SmallCopiesAndComparisonsOfConstantSizeAreSeen) {
  const auto read = [](Bytes& bytes) { bytes.number = bytes.from[5]; };
  const auto write = [](Bytes& bytes) { bytes.from[5] = 1; };
  expect_race([](Bytes& bytes) { std::memset(bytes.from.data(), 1, 64); }, read);
  expect_race([](Bytes& bytes) { std::memset(bytes.from.data() + 4, 1, 4); }, read);
  expect_race([](Bytes& bytes) { std::memcpy(bytes.from.data(), bytes.to.data(), 64); }, read);
  expect_race([](Bytes& bytes) { std::memcpy(bytes.to.data(), bytes.from.data(), 64); }, write);
  expect_race([](Bytes& bytes) { std::memmove(bytes.to.data(), bytes.from.data(), 16); }, write);
  expect_race([](Bytes& bytes) { bytes.number = std::memcmp(bytes.to.data(), bytes.from.data(), 8); }, write);
  expect_race([](Bytes& bytes) { bytes.number = std::memcmp(bytes.from.data(), bytes.to.data(), 8) == 0 ? 1 : 0; },
              write);
}

TEST(Runtime, ComparisonsOfMemoryAreThoseOfTheCLibrary) {
  Threads<Bytes> threads([] { return std::make_unique<Bytes>(); });
  threads.add([](Bytes& bytes) {
    bytes.number = 1;
    for (std::size_t size = 0; size < 20; ++size) {
      bytes.from.fill('a');
      bytes.to.fill('a');
      assert(std::memcmp(bytes.from.data(), bytes.to.data(), size) == 0);
      for (std::size_t at = 0; at < 20; ++at) {
        bytes.to[at] = static_cast<char>(0xe0);  // as an unsigned one, it is greater
        bytes.from[at + 1] = static_cast<char>(0xff);
        const int compared = std::memcmp(bytes.from.data(), bytes.to.data(), size);
        assert(at < size ? compared < 0 : compared == 0);
        assert((std::memcmp(bytes.to.data(), bytes.from.data(), size) > 0) == (at < size));
        bytes.to[at] = bytes.from[at + 1] = 'a';
      }
    }
  });
  const ExploreResult result = explore(threads);
  EXPECT_TRUE(result.ok()) << result.to_string();
}

TEST(Runtime, ReadersShareALock) {
  const auto read = [](Shared& s) {
    const std::shared_lock lock(s.shared);
    return s.plain;
  };
  const ExploreResult result = run(shared().add(read).add(read).add([](Shared& s) {
    const std::unique_lock lock(s.shared);
    ++s.plain;
  }));
  EXPECT_TRUE(result.ok()) << result.to_string();
}

TEST(Runtime, WritingUnderASharedLockRaces) {
  const auto write = [](Shared& s) {
    const std::shared_lock lock(s.shared);
    ++s.plain;
  };
  EXPECT_EQ(run(shared().add(write).add(write)).finding, ExploreFinding::race);
}

TEST(Runtime, RecursiveMutex) {
  const auto add = [](Shared& s) {
    const std::lock_guard outer(s.recursive);
    const std::lock_guard inner(s.recursive);
    ++s.plain;
  };
  const ExploreResult result = run(shared().add(add).add(add));
  EXPECT_TRUE(result.ok()) << result.to_string();
}

TEST(Runtime, TryLockFailsWhileTheLockIsHeld) {
  const ExploreResult result = run(shared()
                                       .add([](Shared& s) { const std::lock_guard lock(s.mutex); })
                                       .add([](Shared& s) {
                                         s.number = s.mutex.try_lock() ? 1 : 2;
                                         if (s.number == 1) s.mutex.unlock();
                                       })
                                       .observe([](Shared& s) { return std::to_string(s.number); }));
  EXPECT_EQ(result.outcomes, std::vector<std::string>({"1", "2"}));
}

TEST(Runtime, TimedLockTimesOutByAVirtualClock) {
  const ExploreResult result = run(shared()
                                       .add([](Shared& s) {
                                         s.timed.lock();
                                         s.number = 1;
                                         s.timed.unlock();
                                       })
                                       .add([](Shared& s) {
                                         s.ready = s.timed.try_lock_for(std::chrono::hours(1));
                                         if (s.ready) s.timed.unlock();
                                       })
                                       .observe([](Shared& s) { return s.ready ? "locked" : "late"; }));
  EXPECT_TRUE(result.ok()) << result.to_string();
  EXPECT_EQ(result.outcomes, std::vector<std::string>({"late", "locked"}));
  EXPECT_LT(result.seconds, 60);
}

TEST(Runtime, SleepingTakesNoTime) {
  static constexpr int kHour = 3'600'000;  // milliseconds
  const auto sleeps = [](Shared& s) {
    while (s.number.load() == 0) poll(nullptr, 0, kHour);
    std::this_thread::sleep_for(std::chrono::milliseconds(kHour));
    usleep(1000);
  };
  const ExploreResult result = run(shared().add(sleeps).add([](Shared& s) {
    std::this_thread::sleep_for(std::chrono::milliseconds(kHour));
    s.number = 1;
  }));
  EXPECT_TRUE(result.ok() && result.complete) << result.to_string();
}

TEST(Runtime, ConditionVariablesWakeAndTimeOut) {
  const ExploreResult result = run(shared()
                                       .add([](Shared& s) {
                                         std::unique_lock lock(s.mutex);
                                         const bool woken =
                                             s.changed.wait_for(lock, std::chrono::seconds(1), [&] { return s.ready; });
                                         s.number = woken ? 1 : 2;
                                       })
                                       .add([](Shared& s) {
                                         const std::lock_guard lock(s.mutex);
                                         s.ready = true;
                                         s.changed.notify_all();
                                       })
                                       .observe([](Shared& s) { return std::to_string(s.number); }));
  EXPECT_TRUE(result.ok()) << result.to_string();
  EXPECT_EQ(result.outcomes, std::vector<std::string>({"1", "2"}));
}

TEST(Runtime, WaitWithoutPredicateLosesItsWakeup) {
  const ExploreResult result = run(shared()
                                       .add([](Shared& s) {
                                         std::unique_lock lock(s.mutex);
                                         s.changed.wait(lock);
                                       })
                                       .add([](Shared& s) { s.changed.notify_one(); }));
  EXPECT_EQ(result.finding, ExploreFinding::lost_wakeup) << result.to_string();
}

TEST(Runtime, SemaphoresLatchesAndAtomicsPassOnWhatCameBefore) {
  const ExploreResult semaphore = run(shared()
                                          .add([](Shared& s) {
                                            s.plain = 1;
                                            s.semaphore.release();
                                          })
                                          .add([](Shared& s) {
                                            s.semaphore.acquire();
                                            assert(s.plain == 1);
                                          }));
  EXPECT_TRUE(semaphore.ok()) << semaphore.to_string();
  const ExploreResult latch = run(shared()
                                      .add([](Shared& s) {
                                        s.plain = 1;
                                        s.latch.arrive_and_wait();
                                      })
                                      .add([](Shared& s) {
                                        s.latch.arrive_and_wait();
                                        assert(s.plain == 1);
                                      }));
  EXPECT_TRUE(latch.ok()) << latch.to_string();
  const ExploreResult waiting = run(shared()
                                        .add([](Shared& s) {
                                          s.plain = 1;
                                          s.number.store(1);
                                          s.number.notify_one();
                                        })
                                        .add([](Shared& s) {
                                          s.number.wait(0);
                                          assert(s.plain == 1);
                                        }));
  EXPECT_TRUE(waiting.ok()) << waiting.to_string();
}

TEST(Runtime, SpinningWaitsForAChange) {
  const ExploreResult result = run(shared()
                                       .add([](Shared& s) {
                                         s.plain = 1;
                                         s.number.store(1, std::memory_order_release);
                                       })
                                       .add([](Shared& s) {
                                         while (s.number.load(std::memory_order_acquire) == 0)
                                           std::this_thread::yield();
                                         assert(s.plain == 1);
                                       }));
  EXPECT_TRUE(result.ok()) << result.to_string();
  EXPECT_TRUE(result.complete);
}

TEST(Runtime, WaitingMayWriteAsItLooksAgain) {
  // As with hazard pointers: each look sets one and clears it.
  const ExploreResult result = run(shared()
                                       .add([](Shared& s) { s.number.store(1); })
                                       .add([](Shared& s) {
                                         do {
                                           s.bytes[0].store(1);
                                           s.bytes[0].store(0);
                                         } while (s.number.load() == 0);
                                       })
                                       .after([](Shared& s) { assert(s.number.load() == 1); }));
  EXPECT_TRUE(result.ok()) << result.to_string();
  EXPECT_TRUE(result.complete);
}

TEST(Runtime, OnceIsOnce) {
  const auto call = [](Shared& s) {
    std::call_once(s.once, [&] { ++s.plain; });
    assert(s.plain == 1);
  };
  const ExploreResult result = run(shared().add(call).add(call));
  EXPECT_TRUE(result.ok()) << result.to_string();
}

TEST(Runtime, ThreadsMayCreateThreads) {
  const ExploreResult result = run(shared().add([](Shared& s) {
    s.plain = 1;
    std::thread other([&] { ++s.plain; });
    std::jthread third([&] { s.number = 1; });
    other.join();
    ++s.plain;
    assert(s.plain == 3);
  }));
  EXPECT_TRUE(result.ok()) << result.to_string();
  const ExploreResult race = run(shared().add([](Shared& s) {
    std::thread other([&] { ++s.plain; });
    ++s.plain;
    other.join();
  }));
  EXPECT_EQ(race.finding, ExploreFinding::race) << race.to_string();
}

TEST(Runtime, TooManyThreadsAreToldSo) {
  const ExploreResult result = run(shared().add([](Shared& s) {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 10; ++i) threads.emplace_back([&] { ++s.number; });
  }));
  EXPECT_EQ(result.finding, ExploreFinding::unsupported) << result.to_string();
  EXPECT_NE(result.message.find("more than 8 threads"), std::string::npos) << result.message;
}

/// Each thread takes so many turns; an outcome is the order in which they came.
std::size_t orders(unsigned threads, unsigned turns, unsigned deviations) {
  ExploreOptions options;
  options.deviations = deviations;
  const ExploreResult result = explore_turns(threads, turns, options);
  EXPECT_TRUE(result.ok()) << result.to_string();
  return result.outcomes.size();
}

TEST(Runtime, EveryInterleavingIsRun) {
  EXPECT_EQ(orders(2, 3, 20), 20U);    // 6! / (3! 3!)
  EXPECT_EQ(orders(3, 2, 20), 90U);    // 6! / (2! 2! 2!)
  EXPECT_EQ(orders(3, 3, 20), 1680U);  // 9! / (3! 3! 3!)
  EXPECT_EQ(orders(2, 3, 0), 2U);
  EXPECT_EQ(orders(2, 3, 1), 6U);  // and each thread interrupted once, after one turn or two
}

thread_local int visits = 0;

TEST(Runtime, ThreadLocalVariablesAreFreshInEachSchedule) {
  const auto visit = [](Shared& s) {
    ++visits;
    assert(visits == 1);
    ++s.number;
  };
  const ExploreResult result = run(shared().add(visit).add(visit));
  EXPECT_TRUE(result.ok()) << result.to_string();
}

TEST(Runtime, FunctionStaticsAreMadeOnce) {
  const auto use = [](Shared& s) {
    static const std::vector<int> kNumbers = {1, 2, 3};
    s.number += kNumbers[1];
  };
  const ExploreResult result = run(shared().add(use).add(use));
  EXPECT_TRUE(result.ok()) << result.to_string();
}

TEST(Runtime, ExceptionsStayWithTheirThreads) {
  const auto throws = [](Shared& s) {
    try {
      ++s.number;
      throw std::runtime_error("caught");
    } catch (const std::exception&) {
      ++s.number;
    }
  };
  const ExploreResult result = run(shared().add(throws).add(throws));
  EXPECT_TRUE(result.ok()) << result.to_string();
  const ExploreResult escapes = run(shared().add([](Shared& s) {
    ++s.number;
    throw std::runtime_error("out of cheese");
  }));
  EXPECT_EQ(escapes.finding, ExploreFinding::exception);
  EXPECT_NE(escapes.message.find("out of cheese"), std::string::npos);
}

TEST(Runtime, MemoryIsWatched) {
  const ExploreResult used = run(shared().add([](Shared& s) {
    s.block = new int(1);
    delete s.block;
    s.number = *s.block;
  }));
  EXPECT_EQ(used.finding, ExploreFinding::use_after_free) << used.to_string();
  EXPECT_NE(used.message.find("freed at runtime_test.cpp"), std::string::npos) << used.message;
  const ExploreResult beside = run(shared().add([](Shared& s) {
    s.block = new int[4];
    volatile int i = 5;
    s.block[i] = 1;
    delete[] s.block;
  }));
  EXPECT_EQ(beside.finding, ExploreFinding::out_of_bounds) << beside.to_string();
  const ExploreResult leaked = run(shared().add([](Shared& s) { s.block = new int(1); }));
  EXPECT_EQ(leaked.finding, ExploreFinding::leak) << leaked.to_string();
  EXPECT_NE(leaked.message.find("allocated at runtime_test.cpp"), std::string::npos) << leaked.message;
  const ExploreResult twice = run(shared().add([](Shared& s) {
    s.block = new int(1);
    delete s.block;
    delete s.block;
  }));
  EXPECT_EQ(twice.finding, ExploreFinding::double_free) << twice.to_string();
}

TEST(Runtime, AssertionsAndCrashesAreFindings) {
  const ExploreResult asserted =
      run(shared().add([](Shared& s) { s.number = 1; }).add([](Shared& s) { assert(s.number == 0); }));
  EXPECT_EQ(asserted.finding, ExploreFinding::assertion) << asserted.to_string();
  const ExploreResult crashed = run(shared().add([](Shared& s) {
    s.number = 1;
    *s.block = 1;
  }));
  EXPECT_EQ(crashed.finding, ExploreFinding::crash) << crashed.to_string();
  EXPECT_NE(crashed.message.find("null pointer"), std::string::npos) << crashed.message;
  const ExploreResult after = run(shared().add([](Shared& s) { s.number = 1; }).after([](Shared& s) { *s.block = 1; }));
  EXPECT_EQ(after.finding, ExploreFinding::crash) << after.to_string();
  EXPECT_EQ(after.message.find("an unknown place"), std::string::npos) << after.message;
}

// What makes the state, and what comes when all threads are done, is of no thread. What ends the program there is found
// all the same, with the schedule that leads to it.
enum class End { assertion, abortion, exit, exception, terminate };

void end(End how, bool now) {
  if (!now) return;
  switch (how) {
    case End::assertion: assert(!now); break;
    case End::abortion: std::abort();
    case End::exit: std::exit(0);
    case End::exception: throw std::runtime_error("it ends");
    case End::terminate: []() noexcept { end(End::exception, true); }();
  }
}

void expect_end(const Threads<Shared>& threads, End how, bool has_schedule) {
  const ExploreResult result = run(threads);
  EXPECT_EQ(result.finding, how == End::exception ? ExploreFinding::exception : ExploreFinding::assertion)
      << result.to_string();
  EXPECT_FALSE(result.token.empty());
  if (how == End::assertion) {
    EXPECT_NE(result.message.find("!now"), std::string::npos) << result.message;
    EXPECT_NE(result.message.find("runtime_test.cpp"), std::string::npos) << result.message;
  }
  if (has_schedule) EXPECT_FALSE(result.interleaving.empty());
  EXPECT_EQ(std::uncaught_exceptions(), 0);
  EXPECT_EQ(std::current_exception(), nullptr);
}

TEST(Runtime, WhatEndsTheProgramBesideTheThreadsIsFound) {
  for (const End how : {End::assertion, End::abortion, End::exit, End::exception, End::terminate}) {
    const auto both = [] {
      return shared().add([](Shared& s) { s.plain = s.number; }).add([](Shared& s) { s.number = 1; });
    };
    expect_end(both().after([=](Shared& s) { end(how, s.plain == 1); }), how, true);
    expect_end(both().observe([=](Shared& s) {
      end(how, s.plain == 1);
      return std::string();
    }),
               how, true);
    Threads<Shared> never([=] {
      end(how, true);
      return std::make_unique<Shared>();
    });
    expect_end(never.add([](Shared& s) { s.number = 1; }), how, false);
  }
}

/// A counter that nobody can make.
class Unmakeable {
 public:
  explicit Unmakeable(End how) { end(how, true); }
  void increment() { ++number_; }
  int get() const { return number_; }

 private:
  std::atomic<int> number_ = 0;
};

TEST(Runtime, WhatEndsTheProgramWhereTheContainerIsMadeIsFound) {
  for (const End how : {End::assertion, End::exception}) {
    for (const unsigned jobs : {1U, 2U}) {
      ExploreOptions options;
      options.jobs = jobs;
      const ExploreResult container = explore(
          as::counter, [how] { return std::make_unique<Unmakeable>(how); }, options);
      Threads<Unmakeable> made([how] { return std::make_unique<Unmakeable>(how); });
      made.add([](Unmakeable& counter) { counter.increment(); });
      for (const ExploreResult& result : {container, explore(made, options)}) {
        EXPECT_EQ(result.finding, how == End::assertion ? ExploreFinding::assertion : ExploreFinding::exception)
            << result.to_string();
      }
    }
  }
}

// Outside of schedules an assertion is the C library's, which says where it stands.
TEST(RuntimeDeathTest, AssertionsOutsideOfSchedulesKeepTheirPlace) {
  EXPECT_DEATH(end(End::assertion, true), "runtime_test.cpp:[0-9]+: .*end.*Assertion `!now' failed");
}

TEST(Runtime, LoopsWithoutEndAreFindings) {
  const ExploreResult atomic = run(shared().add([](Shared& s) {
    while (s.number.load() == 0) {
    }
  }));
  EXPECT_EQ(atomic.finding, ExploreFinding::endless) << atomic.to_string();
  const ExploreResult plain = run(shared().add([](Shared& s) {
    volatile int* const number = &s.plain;
    for (;;) *number = 1;
  }));
  EXPECT_EQ(plain.finding, ExploreFinding::endless) << plain.to_string();
  EXPECT_NE(plain.message.find("it accesses memory without end"), std::string::npos) << plain.message;
  const ExploreResult nothing = run(shared().add([](Shared& s) {
    ++s.number;
    for (;;) asm volatile("");
  }));
  EXPECT_EQ(nothing.finding, ExploreFinding::endless) << nothing.to_string();
  EXPECT_NE(nothing.message.find("nothing happens for seconds"), std::string::npos) << nothing.message;
}

TEST(Runtime, UnlockingSomebodyElsesMutexIsMisuse) {
  const ExploreResult result = run(shared().add([](Shared& s) { s.mutex.unlock(); }));
  EXPECT_EQ(result.finding, ExploreFinding::misuse) << result.to_string();
}

int survivor = 0;

TEST(Runtime, StateThatSurvivesASchedule) {
  for (const ExploreStrategy strategy : {ExploreStrategy::bounded, ExploreStrategy::random, ExploreStrategy::pct,
                                         ExploreStrategy::dpor, ExploreStrategy::exhaustive}) {
    survivor = 0;
    ExploreOptions options;
    options.strategy = strategy;
    const ExploreResult result = run(shared()
                                         .add([](Shared& s) {
                                           if (++survivor > 3) s.number = 1;
                                           s.number = 2;
                                         })
                                         .add([](Shared& s) {
                                           s.number = 3;
                                           s.number = 4;
                                         }),
                                     options);
    EXPECT_EQ(result.finding, ExploreFinding::nondeterminism) << result.to_string();
    EXPECT_NE(result.message.find("the first difference is at "), std::string::npos) << result.message;
  }
}

// What lives on is not yet there in the first schedule, and goes on to change: each schedule is compared with the
// first.
TEST(Runtime, StateThatSurvivesIsShownByItsPlace) {
  survivor = 0;
  ExploreOptions options;
  options.strategy = ExploreStrategy::random;
  options.schedules = 50;
  const ExploreResult result = run(shared().add([](Shared& s) {
    if (++survivor > 10) s.number = 1;
    s.number = 2;
  }),
                                   options);
  EXPECT_EQ(result.finding, ExploreFinding::nondeterminism) << result.to_string();
  EXPECT_NE(result.message.find("the first difference is at step 1: thread 1 at runtime_test.cpp"), std::string::npos)
      << result.message;
}

TEST(Runtime, CodeThatIsNotInstrumentedIsAnError) {
  const ExploreResult result = explore(as::counter, [] { return std::make_unique<planted::Uninstrumented>(); });
  ASSERT_TRUE(result.error.has_value()) << result.to_string();
  EXPECT_NE(result.error->hint.find("linchpin_explore"), std::string::npos);
}

TEST(Runtime, ThreadsThatAreNotInstrumentedAreAnError) {
  const ExploreResult result = run(shared().add([](Shared&) { planted::calls_in_this_process(); }));
  ASSERT_TRUE(result.error.has_value()) << result.to_string();
  EXPECT_FALSE(result.ok());
  EXPECT_NE(result.error->hint.find("linchpin_explore"), std::string::npos);
}

/// Its first uses differ from later ones.
class Restless {
 public:
  void increment() { number_.fetch_add(++survivor > 4 ? 2 : 1); }
  int get() const { return number_.load(); }

 private:
  std::atomic<int> number_ = 0;
};

TEST(Runtime, AContainerThatDiffersFromScheduleToScheduleIsToldByItsPlace) {
  survivor = 0;
  const std::string file = testing::TempDir() + "linchpin-no-page.html";
  std::string options[] = {"--scenario", "increment", "--report", file};
  std::vector<char*> arguments;
  for (std::string& option : options) arguments.push_back(option.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int code = explorer::run_command(
      "test", arguments,
      stress_plan::plan_of<explore_plan::Plan>(as::counter, [] { return std::make_unique<Restless>(); }), {});
  const std::string out = testing::internal::GetCapturedStdout(), error = testing::internal::GetCapturedStderr();
  EXPECT_EQ(code, 2);
  EXPECT_NE(out.find("the same choices gave another schedule"), std::string::npos) << out;
  EXPECT_NE(out.find("the first difference is at step 1: thread 1 at runtime_test.cpp:"), std::string::npos) << out;
  EXPECT_EQ(error, "note: " + file + " is not written: what was found has no steps to show\n");
  EXPECT_NE(access(file.c_str(), F_OK), 0);
}

TEST(Runtime, ThreadsByHandHaveAPage) {
  const std::string file = testing::TempDir() + "linchpin-threads.html";
  std::string options[] = {"--report", file};
  std::vector<char*> arguments;
  for (std::string& option : options) arguments.push_back(option.data());
  const Threads<Shared> threads = shared()
                                      .add([](Shared& s) {
                                        s.plain = 1;
                                        s.number.store(1, std::memory_order_relaxed);
                                      })
                                      .add([](Shared& s) {
                                        while (s.number.load(std::memory_order_acquire) == 0) {
                                        }
                                        s.ready = s.plain == 1;
                                      });
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int code = explorer::run_command("test", arguments, threads.program(), {});
  const std::string out = testing::internal::GetCapturedStdout();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(code, 1) << out;
  std::ifstream page(file);
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  EXPECT_NE(text.find(R"("verdict":"unknown","operations":2,"finding":"race")"), std::string::npos)
      << text.substr(text.size() > 1000 ? text.size() - 1000 : 0);
}

TEST(Runtime, WaitingInASystemCallIsFound) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const ExploreResult result = run(shared().add([end = ends[0]](Shared& s) {
    ++s.number;
    char byte = 0;
    if (read(end, &byte, 1) == 1) ++s.number;
  }));
  close(ends[0]);
  close(ends[1]);
  EXPECT_EQ(result.finding, ExploreFinding::endless) << result.to_string();
}

TEST(Runtime, TimeIsKept) {
  ExploreOptions options;
  options.deviations = 20;
  options.time = std::chrono::milliseconds(100);
  const auto add = [](Shared& s) {
    for (int i = 0; i < 20; ++i) ++s.number;
  };
  const ExploreResult result = run(shared().add(add).add(add), options);
  EXPECT_TRUE(result.ok());
  EXPECT_FALSE(result.complete);
  EXPECT_NE(result.to_string().find("not all was covered"), std::string::npos);
}

/// A counter that waits for a byte that nobody writes.
class Waiting {
 public:
  explicit Waiting(int end) : end_(end) {}
  void increment() {
    ++number_;
    char byte = 0;
    if (read(end_, &byte, 1) == 1) ++number_;
  }
  int get() const { return number_; }

 private:
  int end_;
  std::atomic<int> number_ = 0;
};

TEST(Runtime, AContainerThatWaitsInASystemCallIsFound) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  for (const unsigned jobs : {1U, 2U}) {
    ExploreOptions options;
    options.jobs = jobs;
    const ExploreResult result = explore(
        as::counter, [end = ends[0]] { return std::make_unique<Waiting>(end); }, options);
    EXPECT_EQ(result.finding, ExploreFinding::endless) << result.to_string();
    EXPECT_NE(result.message.find("a thread waits in a system call"), std::string::npos) << result.message;
    EXPECT_FALSE(result.complete);
  }
  close(ends[0]);
  close(ends[1]);
}

TEST(Runtime, MoreThanIsSupportedIsAnError) {
  const auto counted = [](const ExploreOptions& options) {
    const ExploreResult result = explore(
        as::counter, [] { return std::make_unique<std::atomic<int>>(); }, options);
    return result.error ? result.error->message : "no error";
  };
  ExploreOptions options;
  options.threads = 7;
  EXPECT_EQ(counted(options), "scenarios have 1 to 6 threads with 1 to 6 operations each, and 1 key or more");
  options.threads = 2;
  options.operations = 7;
  EXPECT_EQ(counted(options), "scenarios have 1 to 6 threads with 1 to 6 operations each, and 1 key or more");
  options.operations = 2;
  options.scenario = "read | read | read | read | read | read | read";
  EXPECT_EQ(counted(options), "the scenario has more than 6 threads");
  options.scenario = "read, read, read, read, read, read, read, read, read | read";
  EXPECT_EQ(counted(options), "a thread of the scenario has more than 8 calls");
  Threads<Shared> threads = shared();
  for (int i = 0; i < 9; ++i) threads.add([](Shared& s) { ++s.number; });
  const ExploreResult result = run(threads);
  ASSERT_TRUE(result.error.has_value()) << result.to_string();
  EXPECT_EQ(result.error->message, "the scenario has 9 threads");
}

TEST(Runtime, WrongOptionsAreErrors) {
  ExploreOptions options;
  options.scenario = "increment | fly";
  EXPECT_TRUE(explore(
                  as::counter, [] { return std::make_unique<std::atomic<int>>(); }, options)
                  .error.has_value());
  options.scenario = "increment | read";
  options.depth = 9;
  EXPECT_TRUE(explore(
                  as::counter, [] { return std::make_unique<std::atomic<int>>(); }, options)
                  .error.has_value());
  options.depth = 3;
  options.methods = {""};
  EXPECT_EQ(explore(
                as::counter, [] { return std::make_unique<std::atomic<int>>(); }, options)
                .error.value_or(Error())
                .message,
            "the object has no method ''");
  options.methods = {};
  options.steps = 0;
  EXPECT_EQ(run(shared().add([](Shared& s) { ++s.number; }), options).error.value_or(Error()).message,
            "a schedule has 1 step or more");
  options.steps = 1000;
  options.replay = "nonsense";
  EXPECT_TRUE(run(shared().add([](Shared& s) { ++s.number; }), options).error.has_value());
}

}  // namespace
}  // namespace linchpin::runtime_test
