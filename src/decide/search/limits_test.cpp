// Searches end when their budget does, say unknown, and show how far they got.
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "core/budget.hpp"
#include "linchpin/check.hpp"

namespace linchpin {
namespace {

/// Enqueues and dequeues of few values by many processes, each value dequeued as if by chance: nothing decides it soon.
History hard_queue(std::size_t operations, std::uint32_t processes, std::uint64_t seed) {
  HistoryBuilder builder;
  builder.set_type({.name = "queue", .options = {}});
  std::mt19937_64 random(seed);
  std::vector<Tick> free(processes, 0);
  for (std::size_t k = 0; k < operations; ++k) {
    const auto process = static_cast<ProcessId>(k % processes);
    const Tick call = free[process] + static_cast<Tick>(random() % 3) + 1;
    const Tick response = call + static_cast<Tick>(random() % 60);
    free[process] = response + 1;
    const Value value = Value::integer(static_cast<std::int64_t>(random() % 3));
    if (k % 2 == 0) {
      builder.add({.process = process, .method = "enqueue", .arguments = {value}, .call = call, .response = response});
    } else {
      builder.add({.process = process, .method = "dequeue", .result = value, .call = call, .response = response});
    }
  }
  return std::move(*std::move(builder).build());
}

CheckOptions with_decider(std::string_view decider) {
  CheckOptions options;
  options.decider = decider;
  return options;
}

class Limited : public testing::TestWithParam<const char*> {};

TEST_P(Limited, EndsSoonAfterItsTimeAndSaysUnknown) {
  CheckOptions options = with_decider(GetParam());
#ifdef LINCHPIN_SANITIZED
  constexpr std::chrono::milliseconds kTime(2000);  // enough to get somewhere, also on a busy machine
#else
  constexpr std::chrono::milliseconds kTime(500);
#endif
  options.limits.time = kTime;
  const auto verdict = check(hard_queue(3000, 24, 1), options);
  ASSERT_TRUE(verdict);
  ASSERT_EQ(verdict->verdict, Verdict::unknown);
  EXPECT_EQ(verdict->reason, Reason::time);
  EXPECT_FALSE(verdict->objects[0].longest.empty());
  EXPECT_TRUE(verdict->objects[0].reached.has_value());
  // Far above the 5 % that the benchmark holds it to: machines that run tests are busy.
  EXPECT_LT(verdict->seconds, 2.0 + std::chrono::duration<double>(kTime).count());
}

TEST_P(Limited, EndsBeforeItTakesMoreMemoryThanAllowed) {
#ifdef LINCHPIN_SANITIZED
  GTEST_SKIP() << "a sanitizer's shadow and quarantine count as resident memory";
#endif
  CheckOptions options = with_decider(GetParam());
  constexpr std::size_t kAllowance = std::size_t{64} << 20;
  const std::size_t before = core::resident_bytes();
  options.limits.memory = before + kAllowance;
  // A cache with a bound of its own stays below for ever: there it is the time that ends the search.
  const bool bounded = std::string_view(GetParam()) == "wgl-lru";
  options.limits.time = std::chrono::seconds(bounded ? 1 : 60);
  const auto verdict = check(hard_queue(3000, 24, 2), options);
  ASSERT_TRUE(verdict);
  ASSERT_EQ(verdict->verdict, Verdict::unknown);
  EXPECT_EQ(verdict->reason, bounded ? Reason::time : Reason::memory);
  EXPECT_LT(core::resident_bytes(), before + kAllowance + kAllowance / 10);
}

TEST_P(Limited, EndsWhenItIsCancelled) {
  CheckOptions options = with_decider(GetParam());
  std::stop_source source;
  options.limits.stop = source.get_token();
  std::jthread canceller([&source] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    source.request_stop();
  });
  const auto verdict = check(hard_queue(3000, 24, 3), options);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->verdict, Verdict::unknown);
  EXPECT_EQ(verdict->reason, Reason::cancelled);
}

INSTANTIATE_TEST_SUITE_P(Searches, Limited,
                         testing::Values("search", "configuration-set", "few-configurations", "depth-first", "wgl",
                                         "wgl-lru"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace linchpin
