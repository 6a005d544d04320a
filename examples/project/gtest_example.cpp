// A recording and a stress run in GoogleTest.
#include <mutex>
#include <queue>
#include <thread>

#include <gtest/gtest-spi.h>
#include <linchpin/gtest.hpp>
#include <linchpin/stress.hpp>

namespace {

class LockedQueue {
 public:
  void push(int value) {
    const std::lock_guard lock(mutex_);
    values_.push(value);
  }
  std::optional<int> try_pop() {
    const std::lock_guard lock(mutex_);
    if (values_.empty()) return std::nullopt;
    const int value = values_.front();
    values_.pop();
    return value;
  }

 private:
  std::mutex mutex_;
  std::queue<int> values_;
};

TEST(LockedQueue, IsLinearizableWhenRecorded) {
  linchpin::Recorder recorder("queue");
  const auto enqueue = recorder.method("enqueue");
  const auto dequeue = recorder.method("dequeue");
  LockedQueue queue;
  std::thread producer([&] {
    for (int i = 0; i < 100; ++i)
      recorder.here().record(
          enqueue, [&] { queue.push(i); }, i);
  });
  for (int i = 0; i < 100; ++i) recorder.here().record(dequeue, [&] { return queue.try_pop(); });
  producer.join();
  EXPECT_LINEARIZABLE(recorder, "queue");
}

TEST(LockedQueue, IsLinearizableUnderStress) {
  EXPECT_THAT(linchpin::stress(linchpin::as::queue, [] { return LockedQueue(); }, {.rounds = 100}),
              linchpin::IsLinearizable());
}

/// What a failure looks like: the last value goes in first.
linchpin::Recorder& wrong() {
  static linchpin::Recorder recorder;
  static const bool kRecorded = [] {
    linchpin::ThreadLog& log = recorder.thread();
    log.record(
        recorder.method("enqueue"), [] {}, 1);
    log.record(
        recorder.method("enqueue"), [] {}, 2);
    log.record(recorder.method("dequeue"), [] { return 2; });
    return true;
  }();
  (void)kRecorded;
  return recorder;
}

TEST(Failure, IsTheExplanation) {
  EXPECT_NONFATAL_FAILURE(EXPECT_LINEARIZABLE(wrong(), "queue"), "not linearizable as a queue");
  EXPECT_NONFATAL_FAILURE(EXPECT_LINEARIZABLE(wrong(), "queue"), "dequeue() -> 2");
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(wrong(), linchpin::IsLinearizable("queue")), "not linearizable as a queue");
  EXPECT_FATAL_FAILURE(ASSERT_LINEARIZABLE(wrong(), "queue"), "not linearizable as a queue");
  EXPECT_NONFATAL_FAILURE(EXPECT_LINEARIZABLE(wrong(), "cueue"), "no data type");
  EXPECT_LINEARIZABLE(wrong(), "stack");
}

}  // namespace
