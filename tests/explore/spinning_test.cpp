// Threads that look again and again: those that give up or go to sleep after some looks do so in some schedule,
// whatever others could do meanwhile; those that look for ever end each schedule, and are found where nobody comes.
#include <array>
#include <atomic>
#include <compare>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <semaphore>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "linchpin/explore.hpp"
#include "programs.hpp"

// Looks until it sees something or has looked so often; returns how often it was in vain. The count is in the register,
// and nothing else differs from look to look.
#define LINCHPIN_LOOK_IN(name)                                     \
  extern "C" long look_##name(std::atomic<int>* flag, long looks); \
  asm(".text\n.type look_" #name                                   \
      ", @function\n"                                              \
      "look_" #name                                                \
      ":\n"                                                        \
      "  push %" #name                                             \
      "\n  push %rdi\n  push %rsi\n"                               \
      "  xor %" #name ", %" #name                                  \
      "\n"                                                         \
      "1: mov 8(%rsp), %rdi\n  xor %esi, %esi\n"                   \
      "  call __tsan_atomic32_load@PLT\n"                          \
      "  test %eax, %eax\n  jne 2f\n"                              \
      "  inc %" #name "\n  cmp (%rsp), %" #name                    \
      "\n  jne 1b\n"                                               \
      "2: mov %" #name                                             \
      ", %rax\n"                                                   \
      "  add $16, %rsp\n  pop %" #name                             \
      "\n  ret\n"                                                  \
      ".size look_" #name ", . - look_" #name "\n")
LINCHPIN_LOOK_IN(rbx);
LINCHPIN_LOOK_IN(rbp);
LINCHPIN_LOOK_IN(r12);
LINCHPIN_LOOK_IN(r13);
LINCHPIN_LOOK_IN(r14);
LINCHPIN_LOOK_IN(r15);
#undef LINCHPIN_LOOK_IN

namespace linchpin::spinning_test {
namespace {

struct State {
  std::atomic<int> flag = 0, other = 0;
  std::counting_semaphore<4> semaphore{0};
  std::mutex mutex;
  int plain = 0, looked_at = 0;
  std::string seen[3];
};

using Function = std::function<void(State&)>;
using Outcomes = std::vector<std::string>;

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr ExploreStrategy kComplete[] = {ExploreStrategy::bounded, ExploreStrategy::dpor, ExploreStrategy::exhaustive};

ExploreResult run(const std::vector<Function>& functions, ExploreStrategy strategy, ExploreMemory memory,
                  ExploreOptions options = {}) {
  Threads<State> threads([] { return std::make_unique<State>(); });
  for (const Function& function : functions) threads.add(function);
  threads.observe([](State& s) { return s.seen[0] + "," + s.seen[1] + "," + s.seen[2]; });
  options.strategy = strategy;
  options.memory = memory;
  return explore(threads, options);
}

/// By each strategy that says that it is complete, under both memory models.
template <class Expect>
void each(const std::vector<Function>& functions, Expect expect) {
  for (const ExploreMemory memory : {ExploreMemory::sequential, ExploreMemory::cpp20}) {
    for (const ExploreStrategy strategy : kComplete) {
      const ExploreResult result = run(functions, strategy, memory);
      SCOPED_TRACE(testing::Message() << "strategy " << static_cast<int>(strategy) << ", memory "
                                      << static_cast<int>(memory) << "\n"
                                      << result.to_string());
      expect(result);
    }
  }
}

void expect_outcomes(const std::vector<Function>& functions, const Outcomes& outcomes) {
  each(functions, [&](const ExploreResult& result) {
    EXPECT_TRUE(result.ok() && result.complete);
    EXPECT_EQ(result.outcomes, outcomes);
  });
}

/// Of so many looks, how many were in vain.
Function look(int looks, int which = 0, bool yields = false) {
  return [=](State& s) {
    int i = 0;
    while (i < looks && s.flag.load(kRelaxed) == 0) {
      ++i;
      if (yields) std::this_thread::yield();
    }
    s.seen[which] = i == looks ? "none" : std::to_string(i);
  };
}

void set_flag(State& s) { s.flag.store(1, kRelaxed); }

TEST(Spinning, AMissingNotifyIsALostWakeup) {
  const Function wait = [](State& s) { s.flag.wait(0); };
  each({wait, [](State& s) { s.flag.store(1); }},
       [](const ExploreResult& result) { EXPECT_EQ(result.finding, ExploreFinding::lost_wakeup); });
  each({wait,
        [](State& s) {
          s.flag.store(1);
          s.flag.notify_one();
        }},
       [](const ExploreResult& result) { EXPECT_TRUE(result.ok() && result.complete); });
}

TEST(Spinning, NotifyingOneOfTwoIsALostWakeup) {
  const Function wait = [](State& s) { s.flag.wait(0); };
  const auto set = [](bool all) {
    return [all](State& s) {
      s.flag.store(1);
      all ? s.flag.notify_all() : s.flag.notify_one();
    };
  };
  ExploreOptions options;
  const ExploreResult one = run({wait, wait, set(false)}, ExploreStrategy::bounded, ExploreMemory::sequential, options);
  EXPECT_EQ(one.finding, ExploreFinding::lost_wakeup) << one.to_string();
  const ExploreResult all = run({wait, wait, set(true)}, ExploreStrategy::bounded, ExploreMemory::sequential, options);
  EXPECT_TRUE(all.ok() && all.complete) << all.to_string();
}

TEST(Spinning, WhoGivesUpAfterSomeLooksMay) {
  expect_outcomes({look(6), set_flag}, {"0,,", "1,,", "2,,", "3,,", "4,,", "5,,", "none,,"});
  expect_outcomes({look(6, 0, true), set_flag}, {"0,,", "1,,", "2,,", "3,,", "4,,", "5,,", "none,,"});
}

TEST(Spinning, TwoMayGiveUp) {
  ExploreOptions options;
  const std::vector<Function> functions = {look(5), look(5, 1), set_flag};
  const ExploreResult all = run(functions, ExploreStrategy::exhaustive, ExploreMemory::sequential, options);
  EXPECT_EQ(all.outcomes.size(), 36U) << all.to_string();
  const ExploreResult dpor = run(functions, ExploreStrategy::dpor, ExploreMemory::sequential, options);
  EXPECT_EQ(dpor.outcomes, all.outcomes) << dpor.to_string();
  EXPECT_EQ(dpor.coverage[0].one_by_one, 0U);
  EXPECT_LT(dpor.schedules, all.schedules / 10);
}

TEST(Spinning, TryAcquireMayFail) {
  const Function take = [](State& s) { s.seen[0] = s.semaphore.try_acquire() ? "took" : "none"; };
  expect_outcomes({take, [](State& s) { s.semaphore.release(); }}, {"none,,", "took,,"});
  const Function try_to_lock = [](State& s) {
    int tries = 0;
    while (tries < 6 && !s.mutex.try_lock()) ++tries;
    s.seen[0] = tries < 6 ? "locked" : "none";
    if (tries < 6) s.mutex.unlock();
  };
  const Function lock = [](State& s) {
    const std::lock_guard lock(s.mutex);
    ++s.plain;
  };
  expect_outcomes({try_to_lock, lock}, {"locked,,", "none,,"});
}

/// Whoever has seen the second store need not see the first one, however often it looks.
TEST(Spinning, AnOlderStoreMayBeSeenUntilOneGivesUp) {
  const std::vector<Function> functions = {[](State& s) {
                                             if (s.other.load(kRelaxed) == 0) return;
                                             look(6)(s);
                                           },
                                           [](State& s) {
                                             s.flag.store(1, kRelaxed);
                                             s.other.store(1, kRelaxed);
                                           }};
  const Outcomes all = {",,", "0,,", "1,,", "2,,", "3,,", "4,,", "5,,", "none,,"};
  for (const ExploreStrategy strategy : {ExploreStrategy::dpor, ExploreStrategy::exhaustive}) {
    const ExploreResult weak = run(functions, strategy, ExploreMemory::cpp20);
    EXPECT_TRUE(weak.ok() && weak.complete) << weak.to_string();
    EXPECT_EQ(weak.outcomes, all) << weak.to_string();
    EXPECT_EQ(run(functions, strategy, ExploreMemory::sequential).outcomes, (Outcomes{",,", "0,,"}));
  }
}

TEST(Spinning, WhoLooksForEverEndsWhereSomebodyComes) {
  expect_outcomes({[](State& s) {
                     while (s.flag.load() == 0) {
                     }
                     s.seen[0] = std::to_string(s.plain);
                   },
                   [](State& s) {
                     s.plain = 1;
                     s.flag.store(1);
                   }},
                  {"1,,"});
  expect_outcomes({[](State& s) {
                     while (s.flag.load() == 0) std::this_thread::yield();
                     s.seen[0] = "done";
                   },
                   set_flag},
                  {"done,,"});
  const auto lock = [](int which) {
    return [which](State& s) {
      while (s.flag.exchange(1) != 0) {
      }
      s.seen[which] = std::to_string(++s.plain);
      s.flag.store(0);
    };
  };
  expect_outcomes({lock(0), lock(1)}, {"1,2,", "2,1,"});
  const auto lock_politely = [](int which) {
    return [which](State& s) {
      int expected = 0;
      while (!s.flag.compare_exchange_strong(expected, 1)) {
        expected = 0;
        std::this_thread::yield();
      }
      s.seen[which] = std::to_string(++s.plain);
      s.flag.store(0);
    };
  };
  expect_outcomes({lock_politely(0), lock_politely(1)}, {"1,2,", "2,1,"});
}

TEST(Spinning, WhoWritesAsItLooksGoesRoundInCircles) {
  const Function set_locked = [](State& s) {
    const std::lock_guard lock(s.mutex);
    s.plain = 1;
  };
  const auto poll = [](bool yields) {
    return [yields](State& s) {
      for (;;) {
        {
          const std::lock_guard lock(s.mutex);
          if (s.plain == 1) break;
        }
        if (yields) std::this_thread::yield();
      }
      s.seen[0] = "done";
    };
  };
  const Function announce = [](State& s) {  // as with hazard pointers; each look writes a plain variable, too
    do {
      s.other.store(1);
      s.other.store(0);
      s.looked_at = s.flag.load();
    } while (s.looked_at == 0);
    s.seen[0] = "done";
  };
  const auto expect_done = [](const ExploreResult& result) {
    EXPECT_TRUE(result.ok() && result.complete);
    EXPECT_EQ(result.outcomes, (Outcomes{"done,,"}));
    EXPECT_EQ(result.coverage[0].held_back, 0U);
    EXPECT_LT(result.steps, 2000 * result.schedules);
  };
  each({poll(true), set_locked}, expect_done);
  each({announce, set_flag}, expect_done);
  // Nothing that is compared comes between one lock and the next: only the bound on steps ends that.
  const ExploreResult result = run({poll(false), set_locked}, ExploreStrategy::bounded, ExploreMemory::sequential);
  EXPECT_TRUE(result.ok() && result.complete) << result.to_string();
  EXPECT_EQ(result.outcomes, (Outcomes{"done,,"}));
  EXPECT_EQ(result.coverage[0].held_back, 1U);
}

TEST(Spinning, WhoLooksForEverIsFoundWhereNobodyComes) {
  const auto expect_endless = [](const std::vector<Function>& functions) {
    each(functions, [](const ExploreResult& result) { EXPECT_EQ(result.finding, ExploreFinding::endless); });
  };
  const Function spin = [](State& s) {
    while (s.flag.load() == 0) {
    }
  };
  const Function spin_politely = [](State& s) {
    while (s.other.load() == 0) std::this_thread::yield();
  };
  expect_endless({spin, [](State& s) { s.other.store(1); }});
  expect_endless({spin_politely, [](State& s) { s.flag.store(1); }});
  expect_endless({spin, spin_politely});
  each({[](State& s) { s.flag.wait(0); }, [](State& s) { s.other.store(1); }},
       [](const ExploreResult& result) { EXPECT_EQ(result.finding, ExploreFinding::lost_wakeup); });
}

/// A loop that counts is in another state each time, so that there is no telling that it goes on for ever: it waits
/// after some looks, and the answer says that.
TEST(Spinning, WhoCountsItsLooksIsHeldBackAndTheAnswerSaysSo) {
  const Function count = [](State& s) {
    int looks = 0;
    while (s.flag.load(kRelaxed) == 0) ++looks;
    s.seen[0] = looks > 0 ? "some" : "none";
  };
  each({count, set_flag}, [](const ExploreResult& result) {
    EXPECT_TRUE(result.ok() && result.complete);
    EXPECT_EQ(result.outcomes, (Outcomes{"none,,", "some,,"}));
    EXPECT_EQ(result.coverage[0].held_back, 1U);
    EXPECT_NE(result.to_string().find("looks in vain"), std::string::npos);
  });
  each({look(6), set_flag}, [](const ExploreResult& result) { EXPECT_EQ(result.coverage[0].held_back, 0U); });
  each({[](State& s) {
          while (s.flag.load() == 0) {
          }
        },
        set_flag},
       [](const ExploreResult& result) { EXPECT_EQ(result.coverage[0].held_back, 0U); });
}

/// Of a plain access the engine does not know what the thread keeps in registers: it always looks 31 times.
TEST(Spinning, PlainLooksEnd) {
  ExploreOptions options;
  options.races = false;
  const Function look_at_plain = [](State& s) {
    volatile int* const plain = &s.plain;
    while (*plain == 0) {
    }
  };
  const ExploreResult result =
      run({look_at_plain, [](State& s) { s.plain = 1; }}, ExploreStrategy::bounded, ExploreMemory::sequential, options);
  EXPECT_TRUE(result.ok() && result.complete) << result.to_string();
  EXPECT_EQ(result.coverage[0].held_back, 1U);
}

/// A look in vain is told from the one before by nothing but a count in a register.
TEST(Spinning, RegistersAreState) {
  for (const auto function : {look_rbx, look_rbp, look_r12, look_r13, look_r14, look_r15}) {
    expect_outcomes({[function](State& s) { s.seen[0] = std::to_string(function(&s.flag, 6)); }, set_flag},
                    {"0,,", "1,,", "2,,", "3,,", "4,,", "5,,", "6,,"});
  }
}

/// All outcomes of a program under sequential consistency, by going through its states one by one, each once: loops
/// that change nothing come to an end by that. Independent of the engine; instructions are those of programs::run.
class States {
 public:
  explicit States(const programs::Program& program) : program_(program) { visit({}); }
  [[nodiscard]] Outcomes outcomes() const { return {outcomes_.begin(), outcomes_.end()}; }
  /// From some state on, no thread ends.
  [[nodiscard]] bool endless() {
    std::set<State> ends;
    for (bool grew = true; grew;) {
      grew = false;
      for (const auto& [state, next] : next_) {
        bool comes = next.empty();
        for (const State& after : next) comes = comes || ends.contains(after);
        grew = (comes && ends.insert(state).second) || grew;
      }
    }
    return ends.size() < next_.size();
  }

 private:
  struct State {
    std::array<std::size_t, programs::kThreads> at{};
    std::array<int, programs::kThreads> latest{}, looks{};
    std::array<int, programs::kVariables> variables{};
    std::array<std::array<int, programs::kMost>, programs::kThreads> seen{};
    auto operator<=>(const State&) const = default;
  };

  void visit(const State& state) {
    if (next_.contains(state)) return;
    std::vector<State>& next = next_[state];
    for (std::size_t thread = 0; thread < program_.size(); ++thread) {
      if (state.at[thread] < program_[thread].size()) next.push_back(step(state, thread));
    }
    if (next.empty()) outcomes_.insert(text_of(state));
    const std::vector<State> all = next;
    for (const State& after : all) visit(after);
  }

  [[nodiscard]] State step(State state, std::size_t thread) const {
    using programs::Do;
    std::size_t i = state.at[thread];
    const programs::Instruction& now = program_[thread][i];
    int& latest = state.latest[thread];
    int& looks = state.looks[thread];
    int& variable = state.variables[now.variable % programs::kVariables];
    switch (now.what) {
      case Do::load: latest = variable; break;
      case Do::store: variable = now.value; break;
      case Do::add: latest = std::exchange(variable, variable + now.value); break;
      case Do::exchange: latest = std::exchange(variable, now.value); break;
      case Do::exchange_if:
        if (variable == latest)
          variable = now.value;
        else
          latest = variable;
        break;
      case Do::skip: i += latest == now.value ? 1 : 0; break;
      case Do::look:
      case Do::look_politely:
        if (looks < programs::kLooks && variable == 0) {
          ++looks;
          return state;
        }
        latest = std::exchange(looks, 0);
        break;
      case Do::await:
      case Do::await_politely:
        if (variable == 0) return state;
        latest = variable;
        break;
      case Do::poll:
      case Do::poll_politely: {
        int& next = state.variables[(now.variable + 1U) % programs::kVariables];
        if (looks < 2) {
          next += looks++ == 0 ? 1 : -1;
          return state;
        }
        looks = 0;
        if (variable == 0) return state;
        latest = variable;
        break;
      }
      default: ADD_FAILURE() << "no such instruction here";
    }
    state.seen[thread][i % programs::kMost] = latest;
    state.at[thread] = i + 1;
    return state;
  }

  static std::string text_of(const State& state) {
    std::string text;
    for (const auto& seen : state.seen) {
      for (const int value : seen) text += static_cast<char>('0' + value);
    }
    for (const int variable : state.variables) text += static_cast<char>('0' + variable);
    for (unsigned i = 0; i < programs::kLocks; ++i) text += '0';
    return text;
  }

  const programs::Program& program_;
  std::map<State, std::vector<State>> next_;
  std::set<std::string> outcomes_;
};

#ifdef __clang__
constexpr unsigned kShare = 4;  // of the programs, in the ordinary tests: all of them run as g++ compiles them
#else
constexpr unsigned kShare = 1;
#endif

TEST(Spinning, RandomProgramsHaveTheOutcomesOfTheirStates) {
  const char* const more = std::getenv("LINCHPIN_DPOR_PROGRAMS");
  const unsigned times = more != nullptr ? static_cast<unsigned>(std::atoi(more)) : 1;
  const programs::Shape shapes[] = {{.threads = 2, .instructions = 3, .looks = true},
                                    {.threads = 2, .instructions = 3, .waits = true},
                                    {.threads = 2, .instructions = 3, .looks = true, .waits = true},
                                    {.threads = 3, .instructions = 2, .waits = true},
                                    {.threads = 2, .instructions = 2, .looks = true, .polls = true},
                                    {.threads = 2, .instructions = 3, .polls = true}};
  std::size_t compared = 0, endless = 0, looked = 0;
  for (const programs::Shape& shape : shapes) {
    for (unsigned seed = 0; seed < times * 40 / kShare; ++seed) {
      std::mt19937 generator(seed);
      const programs::Program program = programs::random_program(shape, generator);
      SCOPED_TRACE("seed " + std::to_string(seed) + ": " + programs::text_of(program));
      States states(program);
      for (const ExploreStrategy strategy : kComplete) {
        ExploreOptions options;
        options.strategy = strategy;
        options.deviations = 20;
        options.schedules = 5'000;
        options.steps = 1'000;
        const ExploreResult result = explore(programs::threads_of(program), options);
        if (states.endless()) {
          EXPECT_EQ(result.finding, ExploreFinding::endless) << result.to_string();
          ++endless;
          continue;
        }
        EXPECT_TRUE(result.ok()) << result.to_string();
        if (!result.complete) continue;
        EXPECT_EQ(result.outcomes, states.outcomes());
        EXPECT_EQ(result.coverage[0].held_back, 0U);
        ++compared;
        looked += strategy == ExploreStrategy::dpor && result.coverage[0].one_by_one == 0 ? 1 : 0;
      }
      if (testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GE(compared, 200U / kShare);
  EXPECT_GE(endless, 20U / kShare);
  EXPECT_GE(looked, 40U / kShare);
}

}  // namespace
}  // namespace linchpin::spinning_test
