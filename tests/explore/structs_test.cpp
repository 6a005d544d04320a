// Atomic structs: some of them compilers hand over to libatomic in spite of -fsanitize=thread. Which ones differs: g++
// does so for sizes that are no power of two, clang also for structs that are aligned to less than their size.
#include <atomic>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "linchpin/explore.hpp"

// The functions of libatomic, which are the compilers' own names: code that is compiled otherwise may call any of them.
extern "C" {
std::uint64_t libatomic_load_8(const volatile void* object, int order) __asm__("__atomic_load_8");
void libatomic_store_8(volatile void* object, std::uint64_t value, int order) __asm__("__atomic_store_8");
std::uint64_t libatomic_exchange_8(volatile void* object, std::uint64_t value,
                                   int order) __asm__("__atomic_exchange_8");
bool libatomic_exchange_if_8(volatile void* object, void* expected, std::uint64_t value, int order,
                             int failure_order) __asm__("__atomic_compare_exchange_8");
std::uint64_t libatomic_fetch_add_8(volatile void* object, std::uint64_t value,
                                    int order) __asm__("__atomic_fetch_add_8");
std::uint64_t libatomic_add_fetch_8(volatile void* object, std::uint64_t value,
                                    int order) __asm__("__atomic_add_fetch_8");
void libatomic_load(std::size_t size, void* object, void* result, int order) __asm__("__atomic_load");
void libatomic_store(std::size_t size, void* object, const void* value, int order) __asm__("__atomic_store");
}

namespace linchpin::structs_test {
namespace {

constexpr int kOrder = __ATOMIC_SEQ_CST;

template <class Number, unsigned kCount>
struct Numbers {
  Number of[kCount];
};

template <class Number, unsigned kCount>
struct alignas(sizeof(Number) * kCount) Aligned {
  Number of[kCount];
};

template <class Value>
struct Shared {
  std::atomic<Value> value = Value{};
  int data = 0;
  int seen[2] = {};
};

template <class Value>
Threads<Shared<Value>> shared() {
  return Threads<Shared<Value>>([] { return std::make_unique<Shared<Value>>(); }).observe([](Shared<Value>& s) {
    return std::to_string(s.seen[0]) + std::to_string(s.seen[1]);
  });
}

ExploreOptions all(ExploreMemory memory) {
  ExploreOptions options;
  options.memory = memory;
  options.deviations = 20;
  return options;
}

template <class Value>
class Structs : public testing::Test {};
using Values = testing::Types<Numbers<char, 1>, Numbers<char, 2>, Numbers<char, 3>, Numbers<short, 2>, Numbers<int, 2>,
                              Aligned<int, 2>, Numbers<int, 3>, Numbers<char, 13>, Numbers<long, 2>, Aligned<long, 2>>;
TYPED_TEST_SUITE(Structs, Values);

using Outcomes = std::vector<std::string>;

/// Both threads add one to the last number; who fails says so.
template <class Value>
ExploreResult adding(ExploreOptions options) {
  const auto add = [](int thread) {
    return [thread](Shared<Value>& s) {
      Value expected = s.value.load();
      Value next = expected;
      ++next.of[std::size(next.of) - 1];
      s.seen[thread] = s.value.compare_exchange_strong(expected, next) ? 0 : 1 + expected.of[std::size(next.of) - 1];
    };
  };
  return explore(shared<Value>().add(add(0)).add(add(1)), options);
}

TYPED_TEST(Structs, CompareExchangeIsOneStep) {
  for (const ExploreMemory memory : {ExploreMemory::sequential, ExploreMemory::cpp20}) {
    const ExploreResult result = adding<TypeParam>(all(memory));
    EXPECT_TRUE(result.ok() && result.complete) << result.to_string();
    EXPECT_EQ(result.outcomes, Outcomes({"00", "02", "20"}));
  }
}

TYPED_TEST(Structs, ExchangeIsOneStep) {
  for (const ExploreMemory memory : {ExploreMemory::sequential, ExploreMemory::cpp20}) {
    const auto put = [](int thread) {
      return [thread](Shared<TypeParam>& s) {
        TypeParam mine{};
        mine.of[0] = static_cast<std::decay_t<decltype(mine.of[0])>>(1 + thread);
        s.seen[thread] = s.value.exchange(mine).of[0];
      };
    };
    const ExploreResult result = explore(shared<TypeParam>().add(put(0)).add(put(1)), all(memory));
    EXPECT_TRUE(result.ok() && result.complete) << result.to_string();
    EXPECT_EQ(result.outcomes, Outcomes({"01", "20"}));
  }
}

/// Message passing: the value says that the data is there.
template <class Value>
ExploreResult passing(std::memory_order store, std::memory_order load, ExploreOptions options) {
  return explore(shared<Value>()
                     .add([store](Shared<Value>& s) {
                       s.data = 1;
                       Value ready{};
                       ready.of[0] = 1;
                       s.value.store(ready, store);
                     })
                     .add([load](Shared<Value>& s) {
                       while (s.value.load(load).of[0] == 0) {
                       }
                       s.seen[0] = s.data;
                     }),
                 options);
}

TYPED_TEST(Structs, StoresReleaseAndLoadsAcquireWhatTheirOrdersSay) {
  constexpr auto kRelaxed = std::memory_order_relaxed, kRelease = std::memory_order_release,
                 kAcquire = std::memory_order_acquire;
  for (const ExploreMemory memory : {ExploreMemory::sequential, ExploreMemory::cpp20}) {
    ExploreOptions options;
    options.memory = memory;
    const ExploreResult right = passing<TypeParam>(kRelease, kAcquire, options);
    EXPECT_TRUE(right.ok() && right.complete) << right.to_string();
    EXPECT_EQ(right.outcomes, Outcomes({"10"}));
    EXPECT_EQ(passing<TypeParam>(kRelaxed, kAcquire, options).finding, ExploreFinding::race);
    EXPECT_EQ(passing<TypeParam>(kRelease, kRelaxed, options).finding, ExploreFinding::race);
  }
}

TYPED_TEST(Structs, ALoadMaySeeAnOlderStore) {
  struct Two {
    std::atomic<TypeParam> x = TypeParam{}, y = TypeParam{};
    int a = 0, b = 0;
  };
  const auto run = [](ExploreMemory memory) {
    Threads<Two> threads([] { return std::make_unique<Two>(); });
    TypeParam one{};
    one.of[0] = 1;
    threads.add([one](Two& t) {
      t.x.store(one, std::memory_order_relaxed);
      t.a = t.y.load(std::memory_order_relaxed).of[0];
    });
    threads.add([one](Two& t) {
      t.y.store(one, std::memory_order_relaxed);
      t.b = t.x.load(std::memory_order_relaxed).of[0];
    });
    threads.observe([](Two& t) { return std::to_string(t.a) + std::to_string(t.b); });
    const ExploreResult result = explore(threads, all(memory));
    EXPECT_TRUE(result.ok() && result.complete) << result.to_string();
    return result.outcomes;
  };
  EXPECT_EQ(run(ExploreMemory::sequential), Outcomes({"01", "10", "11"}));
  EXPECT_EQ(run(ExploreMemory::cpp20), Outcomes({"00", "01", "10", "11"}));
}

TEST(LargeStructs, AreExploredUnderSequentialConsistencyOnly) {
  using Large = Numbers<long, 5>;
  const ExploreResult result = adding<Large>(all(ExploreMemory::sequential));
  EXPECT_TRUE(result.ok() && result.complete) << result.to_string();
  EXPECT_EQ(result.outcomes, Outcomes({"00", "02", "20"}));
  EXPECT_EQ(passing<Large>(std::memory_order_relaxed, std::memory_order_acquire, {}).finding, ExploreFinding::race);
  const ExploreResult weak = adding<Large>(all(ExploreMemory::cpp20));
  EXPECT_EQ(weak.finding, ExploreFinding::unsupported) << weak.to_string();
  EXPECT_NE(weak.message.find("more than 16 bytes"), std::string::npos) << weak.message;
}

TEST(Libatomic, FunctionsOfLibatomicAreAtomicAccesses) {
  struct Number {
    std::uint64_t value = 0;
  };
  const auto outcomes = [](void (*add)(std::uint64_t*)) {
    Threads<Number> threads([] { return std::make_unique<Number>(); });
    threads.add([add](Number& n) { add(&n.value); }).add([add](Number& n) { add(&n.value); });
    threads.observe([](Number& n) { return std::to_string(n.value); });
    const ExploreResult result = explore(threads, all(ExploreMemory::sequential));
    EXPECT_TRUE(result.ok() && result.complete) << result.to_string();
    EXPECT_GT(result.schedules, 1U);
    return result.outcomes;
  };
  EXPECT_EQ(outcomes([](std::uint64_t* n) { libatomic_fetch_add_8(n, 1, kOrder); }), Outcomes({"2"}));
  EXPECT_EQ(outcomes([](std::uint64_t* n) { libatomic_add_fetch_8(n, 1, kOrder); }), Outcomes({"2"}));
  EXPECT_EQ(outcomes([](std::uint64_t* n) { libatomic_store_8(n, libatomic_load_8(n, kOrder) + 1, kOrder); }),
            Outcomes({"1", "2"}));
  EXPECT_EQ(outcomes([](std::uint64_t* n) { libatomic_exchange_8(n, libatomic_load_8(n, kOrder) + 1, kOrder); }),
            Outcomes({"1", "2"}));
  EXPECT_EQ(outcomes([](std::uint64_t* n) {
              std::uint64_t expected = libatomic_load_8(n, kOrder);
              while (!libatomic_exchange_if_8(n, &expected, expected + 1, kOrder, kOrder)) {
              }
            }),
            Outcomes({"2"}));
  EXPECT_EQ(outcomes([](std::uint64_t* n) {
              std::uint64_t value = 0;
              libatomic_load(sizeof value, n, &value, kOrder);
              ++value;
              libatomic_store(sizeof value, n, &value, kOrder);
            }),
            Outcomes({"1", "2"}));
}

// Across two of the cells in which the race detector keeps its records.
TEST(Libatomic, ObjectsMayBeAnywhere) {
  struct Packed {
    int before = 0;
    int value[4] = {};
    int seen = 0;
  };
  Threads<Packed> threads([] { return std::make_unique<Packed>(); });
  threads.add([](Packed& p) {
    const int both[] = {1, 2, 3, 4};
    libatomic_store(sizeof both, p.value, both, kOrder);
  });
  threads.add([](Packed& p) {
    int both[4] = {};
    libatomic_load(sizeof both, p.value, both, kOrder);
    p.seen = both[0] + both[1] + both[2] + both[3];
  });
  threads.observe([](Packed& p) { return std::to_string(p.seen); });
  for (const ExploreMemory memory : {ExploreMemory::sequential, ExploreMemory::cpp20}) {
    const ExploreResult result = explore(threads, all(memory));
    EXPECT_TRUE(result.ok() && result.complete) << result.to_string();
    EXPECT_EQ(result.outcomes, Outcomes({"0", "10"}));
  }
}

TEST(Libatomic, WhatIsHandedOverIsAccessed) {
  struct State {
    std::uint64_t value = 0, mine = 0;
  };
  Threads<State> threads([] { return std::make_unique<State>(); });
  threads.add([](State& s) { libatomic_load(sizeof s.value, &s.value, &s.mine, kOrder); });
  threads.add([](State& s) { s.mine = 1; });
  EXPECT_EQ(explore(threads).finding, ExploreFinding::race);
}

}  // namespace
}  // namespace linchpin::structs_test
