// Each thing that threads wait for each other by, under both kinds of switching: it excludes, it wakes, it orders what
// came before it, and its times are those of the virtual clock. What cannot be explored is told by its name.
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "linchpin/explore.hpp"

namespace linchpin::primitives_test {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

struct State {
  std::atomic<int> number = 0, other = 0;
  int plain = 0;  // whoever touches it without an order has a race
  std::mutex mutex;
  std::shared_timed_mutex shared;
  std::condition_variable changed;
  std::condition_variable_any any;
  std::counting_semaphore<4> semaphore{0};
  std::barrier<> barrier{2};
  std::atomic_flag flag;
  pthread_barrier_t old_barrier;
  sem_t old_semaphore;
  pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_rwlock_t old_shared = PTHREAD_RWLOCK_INITIALIZER;
  pthread_spinlock_t spin;
  mtx_t c_mutex;
  cnd_t c_changed;
  bool ready = false;

  State() {
    pthread_barrier_init(&old_barrier, nullptr, 2);
    sem_init(&old_semaphore, 0, 0);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    mtx_init(&c_mutex, mtx_timed);
    cnd_init(&c_changed);
  }
};

/// Small numbers are told apart by what `observe` gives.
Threads<State> state() {
  Threads<State> threads([] { return std::make_unique<State>(); });
  threads.observe([](State& s) { return std::to_string(s.number) + std::to_string(s.other); });
  return threads;
}

using Outcomes = std::vector<std::string>;

class Primitives : public testing::TestWithParam<ExploreSwitching> {
 protected:
  /// All outcomes of all schedules.
  static ExploreResult run(const Threads<State>& threads, ExploreOptions options = {}) {
    options.switching = GetParam();
    options.deviations = 20;
    return explore(threads, options);
  }
  static void expect(const Threads<State>& threads, const Outcomes& outcomes) {
    const ExploreResult result = run(threads);
    EXPECT_TRUE(result.ok() && result.complete) << result.to_string();
    EXPECT_EQ(result.outcomes, outcomes);
  }
  static void expect(const Threads<State>& threads, ExploreFinding finding, const std::string& words = "") {
    const ExploreResult result = run(threads);
    EXPECT_EQ(result.finding, finding) << result.to_string();
    EXPECT_NE(result.message.find(words), std::string::npos) << result.message;
  }
};

TEST_P(Primitives, ConditionVariables) {
  const auto wakes = [](State& s) {
    const std::lock_guard lock(s.mutex);
    s.ready = true;
    s.plain = 1;
    s.changed.notify_one();
  };
  expect(state()
             .add([](State& s) {
               std::unique_lock lock(s.mutex);
               s.changed.wait(lock, [&] { return s.ready; });
               s.number = s.plain;
             })
             .add(wakes),
         {"10"});
  expect(state()
             .add([](State& s) {
               std::unique_lock lock(s.mutex);
               s.number = s.changed.wait_for(lock, hours(1), [&] { return s.ready; }) ? 1 : 2;
             })
             .add(wakes),
         {"10", "20"});
  expect(state()
             .add([](State& s) {
               std::shared_lock lock(s.shared);
               s.any.wait(lock, [&] { return s.ready; });
               s.number = 1;
             })
             .add([](State& s) {
               {
                 const std::lock_guard lock(s.shared);
                 s.ready = true;
               }
               s.any.notify_all();
             }),
         {"10"});
  // Whom one signal wakes is a choice.
  const auto waits = [](int bit) {
    return [bit](State& s) {
      std::unique_lock lock(s.mutex);
      s.plain += 1;
      if (s.changed.wait_for(lock, seconds(1)) == std::cv_status::no_timeout) s.number += bit;
    };
  };
  const ExploreResult either = run(state().add(waits(1)).add(waits(2)).add([](State& s) {
    const std::lock_guard lock(s.mutex);
    if (s.plain == 2) s.changed.notify_one();
  }));
  EXPECT_EQ(either.outcomes, Outcomes({"00", "10", "20"})) << either.to_string();
}

TEST_P(Primitives, LocksForReadersAndWriters) {
  const auto reads = [](State& s) {
    const std::shared_lock lock(s.shared);
    s.number += s.plain;
  };
  expect(state().add(reads).add(reads).add([](State& s) {
    const std::unique_lock lock(s.shared);
    s.plain = 1;
  }),
         {"00", "10", "20"});
  expect(state()
             .add([](State& s) {
               if (!s.shared.try_lock_shared_for(hours(1))) return;
               s.number = 1;
               s.shared.unlock_shared();
             })
             .add([](State& s) {
               const std::unique_lock lock(s.shared);
               s.other = 1;
             }),
         {"01", "11"});
  // Readers beside each other: both within at once.
  const auto meets = [](State& s) {
    pthread_rwlock_rdlock(&s.old_shared);
    s.number.fetch_add(1);
    if (s.number.load() == 2) s.other = 1;
    s.number.fetch_sub(1);
    pthread_rwlock_unlock(&s.old_shared);
  };
  expect(state().add(meets).add(meets), {"00", "01"});
  const auto excludes = [](State& s) {
    if (pthread_rwlock_trywrlock(&s.old_shared) != 0) return;
    s.number.fetch_add(1);
    s.plain += 1;
    pthread_rwlock_unlock(&s.old_shared);
  };
  expect(state().add(excludes).add(excludes), {"10", "20"});
  const auto spins = [](State& s) {
    pthread_spin_lock(&s.spin);
    s.plain += 1;
    s.number = s.plain;
    pthread_spin_unlock(&s.spin);
  };
  expect(state().add(spins).add(spins), {"20"});
}

State* once_state = nullptr;  // pthread_once passes nothing on

TEST_P(Primitives, Once) {
  const auto calls = [](State& s) {
    once_state = &s;
    pthread_once(&s.once, [] { once_state->plain += 1; });
    s.number += s.plain;
  };
  ExploreOptions options;
  const ExploreResult result = run(state().add([calls](State& s) {
    std::thread other([&] { calls(s); });
    other.join();
    calls(s);
  }));
  EXPECT_EQ(result.outcomes, Outcomes({"20"})) << result.to_string();
  // Who throws has not done it; the next one does.
  struct Once {
    std::once_flag flag;
    std::atomic<int> begun = 0, done = 0;
  };
  Threads<Once> threads([] { return std::make_unique<Once>(); });
  const auto tries = [](Once& o) {
    try {
      std::call_once(o.flag, [&] {
        if (o.begun.fetch_add(1) == 0) throw std::runtime_error("not yet");
        o.done.fetch_add(1);
      });
    } catch (const std::runtime_error&) {
    }
  };
  threads.add(tries).add(tries);
  threads.observe([](Once& o) { return std::to_string(o.begun) + std::to_string(o.done); });
  options.switching = GetParam();
  const ExploreResult again = explore(threads, options);
  EXPECT_EQ(again.outcomes, Outcomes({"21"})) << again.to_string();
}

TEST_P(Primitives, Semaphores) {
  expect(state()
             .add([](State& s) {
               s.plain = 1;
               sem_post(&s.old_semaphore);
             })
             .add([](State& s) {
               sem_wait(&s.old_semaphore);
               s.number = s.plain;
             }),
         {"10"});
  expect(state()
             .add([](State& s) {
               s.plain = 1;
               s.semaphore.release();
             })
             .add([](State& s) {
               s.semaphore.acquire();
               s.number = s.plain;
             }),
         {"10"});
  expect(state().add([](State& s) { sem_post(&s.old_semaphore); }).add([](State& s) {
    timespec until = {};
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 3600;
    s.number = sem_timedwait(&s.old_semaphore, &until) == 0 ? 1 : 2;
  }),
         {"10", "20"});
  expect(state().add([](State& s) { sem_post(&s.old_semaphore); }).add([](State& s) {
    int value = 0;
    sem_getvalue(&s.old_semaphore, &value);
    s.other = value;
    s.number = sem_trywait(&s.old_semaphore) == 0 ? 1 : 2;
  }),
         {"10", "11", "20"});
  expect(state().add([](State& s) { sem_wait(&s.old_semaphore); }), ExploreFinding::lost_wakeup);
}

TEST_P(Primitives, Barriers) {
  const auto old_ones = [](State& s) {
    s.number.fetch_add(1);
    const bool last = pthread_barrier_wait(&s.old_barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    if (s.number.load() != 2) s.other = 9;
    if (last) s.plain += 1;
    if (pthread_barrier_wait(&s.old_barrier) == PTHREAD_BARRIER_SERIAL_THREAD) s.other = s.plain;
  };
  expect(state().add(old_ones).add(old_ones), {"21"});
  const auto new_ones = [](State& s) {
    s.number.fetch_add(1);
    s.barrier.arrive_and_wait();
    if (s.number.load() != 2) s.other = 9;
  };
  ExploreOptions options;
  options.switching = GetParam();
  options.deviations = 1;
  const ExploreResult result = explore(state().add(new_ones).add(new_ones), options);
  EXPECT_TRUE(result.ok() && result.complete) << result.to_string();
  EXPECT_EQ(result.outcomes, Outcomes({"20"})) << result.to_string();
  expect(state().add([](State& s) { s.barrier.arrive_and_wait(); }), ExploreFinding::lost_wakeup);
  expect(state().add([](State& s) { pthread_barrier_wait(&s.old_barrier); }), ExploreFinding::lost_wakeup);
}

TEST_P(Primitives, WaitingForAtomics) {
  expect(state()
             .add([](State& s) {
               s.plain = 1;
               s.other.store(1);
               s.other.notify_all();
             })
             .add([](State& s) {
               s.other.wait(0);
               s.number = s.plain;
             }),
         {"11"});
  // What is not as large as a futex waits in a static table of the library, which is put back after each schedule.
  const auto sets = [](State& s) {
    s.plain = 1;
    s.flag.test_and_set();
    s.flag.notify_all();
  };
  const auto waits_for_flag = [](State& s) {
    s.flag.wait(false);
    s.number = s.plain;
  };
  expect(state().add(sets).add(waits_for_flag), {"10"});
  expect(state().add([](State& s) { s.flag.test_and_set(); }).add(waits_for_flag), ExploreFinding::lost_wakeup);
  // What std::atomic waits by, without looking several times before.
  const auto waits = [](State& s) {
    while (s.other.load() == 0) syscall(SYS_futex, &s.other, FUTEX_WAIT_PRIVATE, 0, nullptr);
    s.number = 1;
  };
  expect(state().add(waits).add([](State& s) {
    s.other.store(1);
    syscall(SYS_futex, &s.other, FUTEX_WAKE_PRIVATE, 1);
  }),
         {"11"});
  expect(state().add(waits).add([](State& s) { s.other.store(1); }), ExploreFinding::lost_wakeup);
}

TEST_P(Primitives, ThreadsThatAreStopped) {
  expect(state().add([](State& s) {
    std::jthread thread([&](const std::stop_token& token) {
      while (!token.stop_requested()) std::this_thread::yield();
      s.number = 1;
    });
    s.other = 1;
  }),
         {"11"});
}

TEST_P(Primitives, ThreadsOfC) {
  expect(state().add([](State& s) {
    thrd_t thread = 0;
    thrd_create(
        &thread,
        [](void* given) {
          State& shared = *static_cast<State*>(given);
          mtx_lock(&shared.c_mutex);
          shared.plain += 1;
          shared.ready = true;
          cnd_signal(&shared.c_changed);
          mtx_unlock(&shared.c_mutex);
          return 7;
        },
        &s);
    mtx_lock(&s.c_mutex);
    while (!s.ready) cnd_wait(&s.c_changed, &s.c_mutex);
    s.number = s.plain;
    mtx_unlock(&s.c_mutex);
    int result = 0;
    thrd_join(thread, &result);
    s.other = result;
  }),
         {"17"});
  const auto tries = [](State& s) {
    if (mtx_trylock(&s.c_mutex) != thrd_success) return;
    s.number.fetch_add(1);
    mtx_unlock(&s.c_mutex);
  };
  expect(state().add(tries).add(tries), {"10", "20"});
}

pthread_key_t key;
const int kKeyMade = pthread_key_create(&key, [](void* value) { static_cast<State*>(value)->number.fetch_add(1); });

TEST_P(Primitives, ThreadSpecificValuesAreFreshInEachSchedule) {
  ASSERT_EQ(kKeyMade, 0);
  const auto uses = [](State& s) {
    if (pthread_getspecific(key) != nullptr) s.other = 9;
    pthread_setspecific(key, &s);
    if (pthread_getspecific(key) != &s) s.other = 9;
  };
  expect(state().add(uses).add(uses), {"20"});
}

TEST_P(Primitives, TimePassesOnlyWhereSomebodyWaits) {
  expect(state()
             .add([](State& s) {
               const auto begin = std::chrono::steady_clock::now();
               std::this_thread::sleep_for(hours(2));
               s.number = std::chrono::steady_clock::now() - begin >= hours(2) ? 1 : 2;
             })
             .add([](State& s) {
               thrd_sleep(std::make_unique<timespec>(timespec{.tv_sec = 3600, .tv_nsec = 0}).get(), nullptr);
               s.other = 1;
             }),
         {"11"});
}

TEST_P(Primitives, WhatIsNotExploredIsToldByItsName) {
  const auto unsupported = [](const std::function<void(State&)>& function, const std::string& words) {
    expect(state().add([](State& s) { s.number = 1; }).add(function), ExploreFinding::unsupported, words);
  };
  unsupported([](State&) { static_cast<void>(fork()); }, "fork(): processes are not explored");
  unsupported([](State&) { pthread_cancel(pthread_self()); }, "pthread_cancel(): cancellation is not explored");
  unsupported([](State&) { pthread_kill(pthread_self(), SIGUSR1); }, "pthread_kill(): signals are not explored");
  unsupported([](State&) { static_cast<void>(raise(SIGUSR1)); }, "raise(): signals are not explored");
  unsupported([](State&) { static_cast<void>(kill(getpid(), SIGUSR1)); }, "kill(): signals are not explored");
  unsupported([](State&) { static_cast<void>(sigqueue(getpid(), SIGUSR1, {})); },
              "sigqueue(): signals are not explored");
  unsupported([](State&) { pthread_exit(nullptr); }, "pthread_exit() is not explored");
  unsupported([](State&) { thrd_exit(0); }, "thrd_exit() is not explored");
}

TEST_P(Primitives, TheEndOfTheProgramIsNoCleanAnswer) {
  using End = void (*)(int);
  for (const End end : {End{std::exit}, End{_exit}, End{std::_Exit}, End{std::quick_exit}}) {
    expect(state().add([](State& s) { s.number = 1; }).add([end](State& s) {
      if (s.number == 1) end(0);
    }),
           ExploreFinding::assertion, "xit() was called");
  }
}

TEST_P(Primitives, CrashesAndEndlessLoopsEnd) {
  expect(state().add([](State& s) {
    s.number = 1;
    volatile int* const nowhere = nullptr;
    *nowhere = 1;
  }),
         ExploreFinding::crash, "null pointer");
  expect(state().add([](State& s) {
    s.number = 1;
    for (;;) asm volatile("");
  }),
         ExploreFinding::endless, "nothing happens for seconds");
}

TEST_P(Primitives, AnswersDoNotDependOnSwitching) {
  ExploreOptions options;
  options.memory = ExploreMemory::cpp20;
  const auto both = [](State& s) {
    s.number.fetch_add(1, std::memory_order_relaxed);
    const std::lock_guard lock(s.mutex);
    s.plain += 1;
    s.other.store(s.plain, std::memory_order_relaxed);
  };
  const auto explored = [&](ExploreSwitching switching) {
    options.switching = switching;
    return explore(state().add(both).add(both), options);
  };
  const ExploreResult fibers = explored(ExploreSwitching::fibers), threads = explored(ExploreSwitching::threads);
  EXPECT_TRUE(fibers.ok() && fibers.complete) << fibers.to_string();
  EXPECT_EQ(fibers.schedules, threads.schedules);
  EXPECT_EQ(fibers.steps, threads.steps);
  EXPECT_EQ(fibers.outcomes, threads.outcomes);
}

/// Which threads the system sees.
TEST_P(Primitives, ThreadsOfTheSystemAreDifferentOnes) {
  const auto asks = [](std::atomic<int> State::*who) {
    return [who](State& s) { s.*who = static_cast<int>(syscall(SYS_gettid)); };
  };
  Threads<State> threads([] { return std::make_unique<State>(); });
  threads.add(asks(&State::number)).add(asks(&State::other));
  threads.observe([](State& s) { return s.number == s.other ? "one" : "two"; });
  ExploreOptions options;
  options.switching = GetParam();
  const ExploreResult result = explore(threads, options);
  EXPECT_TRUE(result.ok()) << result.to_string();
  EXPECT_EQ(result.outcomes, Outcomes({GetParam() == ExploreSwitching::threads ? "two" : "one"}));
}

INSTANTIATE_TEST_SUITE_P(Switching, Primitives, testing::Values(ExploreSwitching::fibers, ExploreSwitching::threads),
                         [](const auto& parameter) {
                           return parameter.param == ExploreSwitching::fibers ? "Fibers" : "Threads";
                         });

}  // namespace
}  // namespace linchpin::primitives_test
