// The recorder never invents an order.
//
// Two threads exchange messages as fast as they can: each has a variable of its own, writes the next number to it, and
// reads the other's. Whoever reads n has been told so by whoever wrote it, which is a ground truth about order that
// needs no clock:
//   - a read that returned n did not return before write(n) was called;
//   - a read that returned n was not called after write(n + 1) had returned.
// Variables are stored to and loaded from with single plain instructions, the hardest case: a store may wait in the
// processor's store buffer when its operation is over, and a load may be executed early.
#include <array>
#include <atomic>
#include <latch>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "linchpin/record.hpp"
#include "linchpin/recorded.hpp"

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#endif

namespace linchpin {
namespace {

constexpr std::int64_t kRound = 50'000;  // messages of a thread

class Exchange {
 public:
  explicit Exchange(const RecorderOptions& options) : recorder_("register initial=0", options) {
    recorder_.object("other", "register initial=0");
    for (ObjectIndex object = 0; object < 2; ++object) {
      writes_.push_back(recorder_.method("write", object));
      reads_.push_back(recorder_.method("read", object));
    }
  }

  /// One round of messages; how many of its orders contradict the ground truth.
  std::size_t run() {
    recorder_.clear();
    for (Variable& variable : variables_) variable.number.store(0);
    std::latch both(2);
    std::thread one([&] { exchange(0, both); });
    std::thread other([&] { exchange(1, both); });
    one.join();
    other.join();
    return contradictions();
  }

  std::size_t messages = 0;  ///< written
  std::size_t received = 0;  ///< by a read that found another number than the one before

 private:
  struct alignas(128) Variable {
    std::atomic<std::int64_t> number;
  };

  /// Each thread on a processor of its own: otherwise they hardly ever run at the same time on a busy machine.
  static void pin([[maybe_unused]] std::size_t own) {
#if defined(__linux__)
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(own, &one);
    pthread_setaffinity_np(pthread_self(), sizeof one, &one);
#endif
  }

  void exchange(std::size_t own, std::latch& both) {
    pin(own);
    ThreadLog& log = logs_[own] == nullptr ? *(logs_[own] = &recorder_.thread()) : *logs_[own];
    std::atomic<std::int64_t>& mine = variables_[own].number;
    const std::atomic<std::int64_t>& theirs = variables_[1 - own].number;
    both.arrive_and_wait();
    for (std::int64_t n = 1; n <= kRound; ++n) {
      log.record(
          writes_[own], [&] { mine.store(n, std::memory_order_release); }, n);
      log.record(reads_[1 - own], [&] { return theirs.load(std::memory_order_acquire); });
    }
  }

  std::size_t contradictions() {
    const auto history = history_of(recorder_);
    EXPECT_TRUE(history) << history.error().to_string();
    if (!history) return 0;
    std::array<std::vector<Tick>, 2> called;
    std::array<std::vector<Tick>, 2> returned;
    for (std::size_t variable = 0; variable < 2; ++variable) {
      called[variable].assign(kRound + 2, INT64_MIN);
      returned[variable].assign(kRound + 2, INT64_MAX);
    }
    for (OperationIndex i = 0; i < history->size(); ++i) {
      if (history->arguments(i).empty()) continue;
      const std::int64_t n = history->arguments(i)[0].integer();
      called[history->object(i).number()][n] = history->call(i);
      returned[history->object(i).number()][n] = history->response(i);
      ++messages;
    }
    std::size_t wrong = 0;
    std::array<std::int64_t, 2> latest{};
    for (OperationIndex i = 0; i < history->size(); ++i) {
      if (!history->arguments(i).empty()) continue;
      const ObjectIndex variable = history->object(i);
      const std::int64_t n = history->result(i).integer();
      wrong += history->response(i) < called[variable.number()][n] ? 1 : 0;
      wrong += returned[variable.number()][n + 1] < history->call(i) ? 1 : 0;
      received += n == std::exchange(latest[variable.number()], n) ? 0 : 1;
    }
    return wrong;
  }

  std::array<Variable, 2> variables_;
  Recorder recorder_;
  std::vector<RecordedMethod> writes_, reads_;
  std::array<ThreadLog*, 2> logs_{};
};

void expect_no_invented_order(const RecorderOptions& options, std::size_t messages) {
  Exchange exchange(options);
  while (exchange.messages < messages) ASSERT_EQ(exchange.run(), 0U) << "after " << exchange.messages << " messages";
  EXPECT_GT(exchange.received, 0U);
  ::testing::Test::RecordProperty("messages", static_cast<int>(exchange.messages));
  ::testing::Test::RecordProperty("received", static_cast<int>(exchange.received));
}

TEST(RecordedOrder, AgreesWithWhatThreadsToldEachOther) { expect_no_invented_order({}, 4'000'000); }

TEST(RecordedOrder, AgreesOnTheSteadyClock) { expect_no_invented_order({.clock = ClockSource::steady}, 1'000'000); }

TEST(RecordedOrder, AgreesWithoutGaps) { expect_no_invented_order({.gaps = false}, 1'000'000); }

// What the other option costs: with plain stores that may still be on their way, orders do come out wrong. Run by hand.
TEST(RecordedOrder, DISABLED_IsInventedWithoutDraining) { expect_no_invented_order({.drain = false}, 4'000'000); }

}  // namespace
}  // namespace linchpin
