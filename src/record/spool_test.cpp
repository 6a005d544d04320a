// The spool: a history at any moment, whatever becomes of the program, of its threads and of the disk.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <deque>
#include <filesystem>
#include <fstream>
#include <latch>
#include <mutex>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linchpin/check.hpp"
#include "linchpin/record.hpp"
#include "linchpin/recorded.hpp"
#include "support/full_disk.hpp"
#include "support/histories.hpp"

namespace linchpin {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// A path where nothing is, and nothing is left.
class Spool : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove(path_); }
  void TearDown() override { std::filesystem::remove(path_); }

  [[nodiscard]] std::string content() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void put(std::string_view content) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc).write(content.data(), static_cast<long>(content.size()));
  }
  [[nodiscard]] Result<History> read() const {
    auto histories = read_histories(path_, {});
    if (!histories) return histories.error();
    return std::move(histories->at(0));
  }
  [[nodiscard]] RecorderOptions options(std::size_t buffer_bytes = 8192) const {
    return {.spool = path_, .keep_spool = true, .spool_every = std::chrono::hours(1), .buffer_bytes = buffer_bytes};
  }

  // Tests run at the same time, each in a process of its own.
  const std::string path_ = ::testing::TempDir() + std::to_string(getpid()) + "linchpin-spool-test";
};

std::string missing_of(const History& history) {
  for (const Annotation& annotation : history.annotations()) {
    if (annotation.text.starts_with("missing: ")) return annotation.text;
  }
  return "";
}

/// The first lines that differ; empty: none. For texts of which a test's framework cannot tell the difference in time.
std::string first_difference(const std::string& one, const std::string& other) {
  std::istringstream left(one), right(other);
  std::string a, b;
  for (int line = 1;; ++line) {
    const bool more = static_cast<bool>(std::getline(left, a)), as_well = static_cast<bool>(std::getline(right, b));
    if (!more && !as_well) return "";
    if (more != as_well || a != b)
      return fmt::format("line {}: \"{}\" and \"{}\"", line, more ? a : "", as_well ? b : "");
  }
}

struct LockedQueue {
  void enqueue(std::int64_t value) {
    const std::lock_guard lock(mutex);
    values.push_back(value);
  }
  std::optional<std::int64_t> dequeue() {
    const std::lock_guard lock(mutex);
    if (values.empty()) return std::nullopt;
    const std::int64_t value = values.front();
    values.pop_front();
    return value;
  }
  std::mutex mutex;
  std::deque<std::int64_t> values;
};

/// Enqueues and dequeues by turns, as `number` of several threads, until `enough` says so.
void work(Recorder& recorder, LockedQueue& queue, std::int64_t number,
          const std::function<bool(std::int64_t)>& enough) {
  const auto enqueue = recorder.method("enqueue");
  const auto dequeue = recorder.method("dequeue");
  ThreadLog& log = recorder.thread();
  for (std::int64_t i = 0; !enough(i); ++i) {
    const std::int64_t value = i * 8 + number;
    log.record(
        enqueue, [&] { queue.enqueue(value); }, value);
    log.record(dequeue, [&] { return queue.dequeue(); });
  }
}

TEST_F(Spool, IsTheRecordingOnceItIsClosed) {
  std::string expected;
  {
    Recorder recorder("counter", options());
    const ObjectIndex other = recorder.object("other", "register initial=0");
    const auto add = recorder.method("add");
    const auto write = recorder.method("write", other);
    for (int i = 0; i < 3000; ++i) {
      recorder.here().record(
          add, [] { return std::string("done"); }, i, fmt::format("text {}", i));
      recorder.here().call(write, INT64_MIN + i);
      if (i % 10 == 0) {
        recorder.here().cancel();
      } else if (i % 10 > 1) {
        recorder.here().returned();
      }
    }
    expected = testing::dump(*history_of(recorder));
    ASSERT_TRUE(recorder.close());
    const auto history = read();
    ASSERT_TRUE(history) << history.error().to_string();
    EXPECT_EQ(testing::dump(*history), expected);
    EXPECT_EQ(history->size(), 3000U + 2700);
    EXPECT_EQ(history->pending_count(), 300U);
  }
  const auto history = read();
  ASSERT_TRUE(history) << history.error().to_string();
  EXPECT_EQ(testing::dump(*history), expected);
}

TEST_F(Spool, IsAHistoryWhileThreadsGoOn) {
  std::atomic<bool> over = false;
  RecorderOptions often = options();
  often.spool_every = std::chrono::milliseconds(3);
  Recorder recorder("queue", often);
  LockedQueue queue;
  std::vector<std::thread> threads;
  for (int number = 0; number < 3; ++number) {
    threads.emplace_back(
        [&, number] { work(recorder, queue, number, [&](std::int64_t i) { return over || i == 20'000; }); });
  }
  const std::string copy = path_ + ".copy";
  std::size_t most = 0;
  for (int i = 0; i < 30; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::filesystem::copy_file(path_, copy, std::filesystem::copy_options::overwrite_existing);
    const auto histories = read_histories(copy, {});
    ASSERT_TRUE(histories);
    const auto& history = histories->at(0);
    if (!history) {  // nothing had been written yet
      EXPECT_EQ(history.error().code, ErrorCode::truncated) << history.error().to_string();
      continue;
    }
    EXPECT_THAT(missing_of(*history), HasSubstr("the recording was not closed"));
    const auto verdict = check(*history);
    ASSERT_TRUE(verdict) << verdict.error().to_string();
    EXPECT_EQ(verdict->verdict, Verdict::linearizable);
    EXPECT_GE(history->size(), most);
    most = history->size();
  }
  std::filesystem::remove(copy);
  over = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(most, 0U);
  ASSERT_TRUE(recorder.close());
  EXPECT_EQ(first_difference(testing::dump(*read()), testing::dump(*history_of(recorder))), "");
}

TEST_F(Spool, IsWhatIsLeftOfAProgramThatWasKilled) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    Recorder recorder("queue", options(std::size_t{1} << 16));
    LockedQueue queue;
    const auto never = [&](std::int64_t i) {
      if (i == 5000) static_cast<void>(!::write(ready[1], "x", 1));
      return false;
    };
    std::thread other([&] { work(recorder, queue, 0, never); });
    work(recorder, queue, 1, never);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(ready[0]);
  close(ready[1]);
  const auto history = read();
  ASSERT_TRUE(history) << history.error().to_string();
  // Of 10,000 operations of one thread all but the last buffer of 64 KiB, and those of the other by then.
  EXPECT_GT(history->size(), 7000U);
  EXPECT_THAT(missing_of(*history), StartsWith("missing: the recording was not closed: what was called after tick "));
  const auto verdict = check(*history);
  ASSERT_TRUE(verdict) << verdict.error().to_string();
  EXPECT_EQ(verdict->verdict, Verdict::linearizable);
}

TEST_F(Spool, IsNotHeldBackByAThreadThatDoesNothing) {
  Recorder recorder("counter", options());
  const auto add = recorder.method("add");
  ThreadLog& idle = recorder.thread();
  ThreadLog& stuck = recorder.thread();
  ThreadLog& busy = recorder.thread();
  idle.record(
      add, [] {}, 1);
  stuck.call(add, 2);
  for (int i = 0; i < 10'000; ++i)
    busy.record(
        add, [] {}, 3);
  const auto history = read();
  ASSERT_TRUE(history) << history.error().to_string();
  EXPECT_GT(history->size(), 10'000U - 8192 / 40);
  EXPECT_EQ(history->pending_count(), 1U);
}

// A value that was enqueued by an operation still in progress, and dequeued, must not come from nowhere.
TEST_F(Spool, HasTheOperationsInProgressWhoseEffectOthersHaveSeen) {
  Recorder recorder("queue", options());
  const auto enqueue = recorder.method("enqueue");
  const auto dequeue = recorder.method("dequeue");
  ThreadLog& slow = recorder.thread();
  ThreadLog& fast = recorder.thread();
  for (std::int64_t i = 0; i < 1000; ++i) {
    slow.call(enqueue, i);
    fast.record(dequeue, [&] { return i; });
    if (i > 200 && i % 100 == 42) {
      const auto history = read();
      ASSERT_TRUE(history) << history.error().to_string();
      EXPECT_EQ(check(*history)->verdict, Verdict::linearizable);
    }
    slow.returned();
  }
  ASSERT_TRUE(recorder.close());
  EXPECT_EQ(read()->pending_count(), 0U);
  EXPECT_EQ(read()->size(), 2000U);
}

TEST_F(Spool, CutOffOrDamagedAnywhereIsAPrefixOrAnError) {
  {
    Recorder recorder("queue", options(4096));
    LockedQueue queue;
    work(recorder, queue, 0, [](std::int64_t i) { return i == 400; });
  }
  const std::string whole = content();
  const auto all = read();
  ASSERT_TRUE(all) << all.error().to_string();
  EXPECT_EQ(missing_of(*all), "");
  EXPECT_EQ(all->size(), 800U);
  std::size_t histories = 0;
  const auto expect_prefix = [&](const std::string& bytes) {
    put(bytes);
    const auto history = read();
    if (!history) return;
    ++histories;
    if (missing_of(*history).empty()) {
      EXPECT_EQ(testing::dump(*history), testing::dump(*all));
      return;
    }
    for (OperationIndex i = 0; i < history->size(); ++i) {
      ASSERT_EQ(history->call(i), all->call(i));
      if (history->pending(i)) continue;
      EXPECT_EQ(history->response(i), all->response(i));
      EXPECT_EQ(history->describe(i), all->describe(i));
    }
  };
  for (std::size_t length = 0; length < whole.size(); length += 149) expect_prefix(whole.substr(0, length));
  for (std::size_t i = 0; i < whole.size(); i += 97) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x11);
    expect_prefix(damaged);
  }
  EXPECT_GT(histories, 300U);
}

TEST_F(Spool, DoesNotOverwriteAFileUnlessItMay) {
  put("precious");
  {
    Recorder recorder("counter", options());
    ASSERT_TRUE(recorder.failure());
    EXPECT_EQ(recorder.failure()->code, ErrorCode::io);
    EXPECT_THAT(recorder.failure()->to_string(), HasSubstr("overwrite_spool"));
    const auto closed = recorder.close();
    EXPECT_FALSE(closed);
  }
  EXPECT_EQ(content(), "precious");
  RecorderOptions overwriting = options();
  overwriting.overwrite_spool = true;
  { const Recorder recorder("counter", overwriting); }
  EXPECT_TRUE(read());
  overwriting.keep_spool = false;
  { const Recorder recorder("counter", overwriting); }
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(Spool, OnAFullDiskIsAnErrorWhenMemoryIsUsedUpToo) {
  const linchpin::testing::FullDisk full(20'000);
  RecorderOptions small = options();
  small.bytes = 30'000;
  Recorder recorder("counter", small);
  const auto add = recorder.method("add");
  const auto some = [&](int count) {
    for (int i = 0; i < count; ++i)
      recorder.here().record(
          add, [] {}, i);
  };
  some(900);
  ASSERT_TRUE(recorder.failure());
  EXPECT_FALSE(recorder.full());  // memory has what the disk has not
  const auto kept = history_of(recorder);
  ASSERT_TRUE(kept) << kept.error().to_string();
  EXPECT_EQ(kept->size(), 900U);
  EXPECT_FALSE(recorder.close());
  some(10'000);
  EXPECT_TRUE(recorder.full());
  EXPECT_EQ(history_of(recorder).error().code, ErrorCode::io);
  EXPECT_THAT(recorder.write(path_ + ".lch").error().message, HasSubstr("cannot write what was recorded"));
  EXPECT_GT(history_of(recorder, Loss::accepted)->size(), 900U);
  const auto history = read();  // up to when the disk was full
  ASSERT_TRUE(history) << history.error().to_string();
  EXPECT_GT(history->size(), 100U);
  EXPECT_NE(missing_of(*history), "");
}

TEST_F(Spool, BeginsAgainWhenTheRecordingDoes) {
  Recorder recorder("counter", options());
  const auto add = recorder.method("add");
  for (int i = 0; i < 5000; ++i)
    recorder.here().record(
        add, [] {}, i);
  recorder.clear();
  recorder.here().record(
      add, [] {}, 7);
  ASSERT_TRUE(recorder.close());
  EXPECT_EQ(read()->size(), 1U);
  EXPECT_EQ(history_of(recorder)->size(), 1U);
}

}  // namespace
}  // namespace linchpin
