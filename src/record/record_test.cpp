// The recorder: what it writes down, what becomes of operations that never return, and what it does when memory ends.
#include "linchpin/record.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <latch>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "linchpin/check.hpp"
#include "linchpin/judgement.hpp"
#include "linchpin/recorded.hpp"
#include "support/full_disk.hpp"

namespace linchpin {
namespace {

/// "0 enqueue(7) -> none" for each operation; pending ones end in "-> pending".
std::string dump(const History& history) {
  std::string text;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    std::string arguments;
    for (const Value value : history.arguments(i))
      arguments += (arguments.empty() ? "" : ", ") + history.pool().to_text(value);
    const std::string object = history.objects()[history.object(i).number()].name;
    text += fmt::format("{} {}{}({}) -> {}\n", history.process_name(history.process(i)),
                        object.empty() ? "" : object + ".", history.method_name(history.method(i)), arguments,
                        history.pending(i)            ? "pending"
                        : history.result(i).is_none() ? "none"
                                                      : history.pool().to_text(history.result(i)));
  }
  return text;
}

std::string dump(const Recorder& recorder) {
  const auto history = history_of(recorder);
  return history ? dump(*history) : history.error().to_string();
}

struct TemporaryFile {
  /// Tests run at the same time, each in a process of its own.
  explicit TemporaryFile(const std::string& name) : path(::testing::TempDir() + std::to_string(getpid()) + name) {
    std::remove(path.c_str());
  }
  ~TemporaryFile() { std::remove(path.c_str()); }
  std::string path;
};

/// The recording as written to a file and read back.
std::string dump_of_file(const Recorder& recorder) {
  const TemporaryFile file("linchpin-record-test.lch");
  const auto written = recorder.write(file.path);
  if (!written) return written.error().to_string();
  const auto histories = read_histories(file.path, {});
  if (!histories || !(*histories)[0]) return "cannot be read";
  return dump(*(*histories)[0]);
}

TEST(Recorder, WritesDownCallsAndTypedResults) {
  Recorder recorder("queue capacity=3");
  const auto put = recorder.method("put");
  const auto take = recorder.method("take");
  ThreadLog& log = recorder.thread();
  enum class Colour { red, blue };
  log.record(
      put, [] {}, 7);
  log.record(
      put, [] { return true; }, std::string("a b"));
  log.record(
      put, [] { return Colour::blue; }, INT64_MIN, false, nullptr);
  log.record(take, [] { return std::optional<int>(); });
  log.record(take, [] { return std::optional<std::string>("a b"); });
  log.record(take, [] { return std::make_unique<unsigned long>(3); });
  log.record(take, [] { return Value::unknown(); });
  const std::string expected =
      "0 put(7) -> none\n0 put(\"a b\") -> true\n0 put(-9223372036854775808, false, nil) -> 1\n"
      "0 take() -> nil\n0 take() -> \"a b\"\n0 take() -> 3\n0 take() -> ?\n";
  EXPECT_EQ(dump(recorder), expected);
  EXPECT_EQ(dump_of_file(recorder), expected);
  EXPECT_EQ(recorder.size(), 7U);
  EXPECT_EQ(history_of(recorder)->objects()[0].type.to_string(), "queue capacity=3");
}

TEST(Recorder, TakesAPointerToNoTextForNil) {
  Recorder recorder;
  const auto read = recorder.method("read");
  ThreadLog& log = recorder.thread();
  char* const none = nullptr;
  log.record(read, []() -> const char* { return nullptr; });
  log.record(
      read, []() -> const char* { return "text"; }, none);
  EXPECT_EQ(dump(recorder), "0 read() -> nil\n0 read(nil) -> text\n");
}

constexpr std::uint64_t kTooLarge = std::uint64_t{1} << 63U;

TEST(Recorder, RefusesIntegersThatNoValueIs) {
  Recorder recorder("priority-queue", {.gaps = false});
  const auto insert = recorder.method("insert");
  const auto poll = recorder.method("poll");
  ThreadLog& log = recorder.thread();
  ThreadLog& other = recorder.thread();
  log.record(
      insert, [] {}, kTooLarge - 1);
  log.record(
      insert, [] {}, "in the way", std::optional(~std::uint64_t{0}), "behind");
  log.record(
      insert, [] {}, 1);
  other.record(poll, [] { return 1; });
  EXPECT_TRUE(recorder.full());
  const auto history = history_of(recorder);
  ASSERT_FALSE(history);
  EXPECT_EQ(history.error().code, ErrorCode::too_large);
  EXPECT_EQ(history.error().message,
            "operations were lost: 18446744073709551615 is above 2^63 - 1, the largest integer that can be recorded");
  const auto before = history_of(recorder, Loss::accepted);
  ASSERT_TRUE(before);
  ASSERT_GE(before->size(), 1U);  // without gaps, the other thread's may begin before the end
  EXPECT_EQ(before->describe(0), "insert(9223372036854775807)");
  for (OperationIndex i = 1; i < before->size(); ++i) EXPECT_TRUE(before->pending(i)) << before->describe(i);
  recorder.clear();
  log.record(
      insert, [] {}, 1);
  EXPECT_EQ(dump(recorder), "0 insert(1) -> none\n");
}

TEST(Recorder, AnOperationWhoseResultNoValueIsMayHaveTakenEffect) {
  enum class Large : std::uint64_t { one = kTooLarge };
  Recorder recorder("priority-queue");
  const auto poll = recorder.method("poll");
  ThreadLog& log = recorder.thread();
  log.record(poll, [] { return kTooLarge - 1; });
  EXPECT_EQ(log.record(poll, [] { return Large::one; }), Large::one);
  log.record(poll, [] { return 1; });
  EXPECT_NE(dump(recorder).find("9223372036854775808 is above 2^63 - 1"), std::string::npos) << dump(recorder);
  EXPECT_EQ(dump(*history_of(recorder, Loss::accepted)), "0 poll() -> 9223372036854775807\n0 poll() -> pending\n");
}

TEST(Recorder, PassesResultsThrough) {
  Recorder recorder;
  const auto method = recorder.method("m");
  auto pointer = recorder.here().record(method, [] { return std::make_unique<int>(5); });
  EXPECT_EQ(*pointer, 5);
}

TEST(Recorder, TakesAnOperationThatThrowsForPendingAndGoesOnAsAnotherProcess) {
  Recorder recorder("queue");
  const auto enqueue = recorder.method("enqueue");
  ThreadLog& log = recorder.thread();
  log.record(
      enqueue, [] {}, 1);
  EXPECT_THROW(log.record(
                   enqueue, []() -> bool { throw std::runtime_error("full"); }, 2),
               std::runtime_error);
  log.record(
      enqueue, [] {}, 3);
  const std::string expected = "0 enqueue(1) -> none\n0 enqueue(2) -> pending\n1 enqueue(3) -> none\n";
  EXPECT_EQ(dump(recorder), expected);
  EXPECT_EQ(dump_of_file(recorder), expected);
}

TEST(Recorder, KeepsTheOperationInWhichAThreadDied) {
  Recorder recorder("queue");
  const auto enqueue = recorder.method("enqueue");
  std::thread([&] { recorder.here().call(enqueue, 1); }).join();
  recorder.here().record(
      enqueue, [] {}, 2);
  EXPECT_EQ(dump(recorder), "0 enqueue(1) -> pending\n1 enqueue(2) -> none\n");
}

TEST(Recorder, ReadsBesideAThreadThatIsStuckInAnOperation) {
  Recorder recorder("queue");
  const auto enqueue = recorder.method("enqueue");
  std::latch inside(1);
  std::latch go_on(1);
  std::thread stuck([&] {
    recorder.here().record(
        enqueue,
        [&] {
          inside.count_down();
          go_on.wait();
        },
        1);
  });
  inside.wait();
  EXPECT_EQ(dump(recorder), "0 enqueue(1) -> pending\n");
  go_on.count_down();
  stuck.join();
  EXPECT_EQ(dump(recorder), "0 enqueue(1) -> none\n");
}

TEST(Recorder, ForgetsACancelledOperation) {
  Recorder recorder;
  const auto method = recorder.method("m");
  ThreadLog& log = recorder.thread();
  log.call(method, 1);
  log.cancel();
  log.record(
      method, [] {}, 2);
  EXPECT_EQ(dump(recorder), "0 m(2) -> none\n");
}

TEST(Recorder, KeepsObjectsApart) {
  Recorder recorder("queue");
  const ObjectIndex lock = recorder.object("lock", "mutex owner=yes");
  const auto enqueue = recorder.method("enqueue");
  const auto acquire = recorder.method("acquire", lock);
  recorder.here().record(acquire, [] {});
  recorder.here().record(
      enqueue, [] {}, 1);
  EXPECT_EQ(dump(recorder), "0 lock.acquire() -> none\n0 enqueue(1) -> none\n");
  EXPECT_EQ(dump_of_file(recorder), dump(recorder));
}

TEST(Recorder, AnObjectHasOneNameAndOneType) {
  Recorder recorder("queue");
  const ObjectIndex lock = recorder.object("lock", "mutex owner=yes");
  EXPECT_EQ(recorder.object("lock", " mutex  owner=yes"), lock);
  recorder.here().record(recorder.method("lock", lock), [] {});
  const TemporaryFile file("linchpin-record-test-objects.lch");
  ASSERT_TRUE(recorder.write(file.path));
  ASSERT_TRUE(read_histories(file.path, {})->front()) << "one of them could not be read";
  EXPECT_EQ(recorder.object("lock", "mutex"), lock);
  for (const auto& error : {history_of(recorder).error(), recorder.write(file.path).error()}) {
    EXPECT_EQ(error.code, ErrorCode::bad_option);
    EXPECT_EQ(error.message,
              "operations were lost: the object 'lock' is given two types, 'mutex owner=yes' and 'mutex'");
  }
}

TEST(Recorder, EndsForAllThreadsWhenMemoryDoes) {
  Recorder recorder("counter", {.bytes = 3 * 8192, .buffer_bytes = 8192});
  const auto add = recorder.method("add");
  ThreadLog& one = recorder.thread();
  ThreadLog& other = recorder.thread();
  one.record(
      add, [] {}, 1);
  other.call(add, 2);
  EXPECT_FALSE(recorder.full());
  for (int i = 0; i < 1000; ++i)
    one.record(
        add, [] {}, 1);  // two buffers of 4 KiB, one of them the other's, and two of 8
  EXPECT_TRUE(recorder.full());
  other.returned();
  other.record(
      add, [] {}, 3);  // there would be room for it
  const auto history = history_of(recorder, Loss::accepted);
  ASSERT_TRUE(history);
  EXPECT_EQ(history->size(), 4096 / 40 + 2 * (8192 / 40) + 1);
  EXPECT_EQ(history->pending_count(), 1U);  // what returned after the end
  recorder.clear();
  EXPECT_FALSE(recorder.full());
  one.record(
      add, [] {}, 4);
  EXPECT_EQ(dump(recorder), "0 add(4) -> none\n");
}

TEST(Recorder, LossIsAnErrorOfWhateverHandsTheRecordingOut) {
  Recorder recorder("counter", {.bytes = 4096});
  const auto add = recorder.method("add");
  for (int i = 0; i < 1000; ++i)
    recorder.here().record(
        add, [] {}, 1);
  const TemporaryFile file("linchpin-record-test-loss.lch");
  const auto written = recorder.write(file.path);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::too_large);
  EXPECT_NE(written.error().message.find("lost: the 4096 bytes"), std::string::npos) << written.error().message;
  EXPECT_FALSE(std::filesystem::exists(file.path));
  const auto history = history_of(recorder);
  ASSERT_FALSE(history);
  EXPECT_EQ(history.error().message, written.error().message);
  EXPECT_FALSE(judge(recorder).linearizable);

  ASSERT_TRUE(recorder.write(file.path, Loss::accepted));
  const auto read = read_histories(file.path, {});
  ASSERT_TRUE(read && (*read)[0]);
  const History& prefix = *(*read)[0];
  EXPECT_EQ(prefix.size(), 4096U / 40);
  ASSERT_EQ(prefix.annotations().size(), 2U);
  EXPECT_EQ(prefix.annotations()[1].text, "missing: " + written.error().message);
  EXPECT_GE(prefix.annotations()[1].begin, prefix.response(static_cast<OperationIndex>(prefix.size() - 1)));
  const auto accepted = history_of(recorder, Loss::accepted);
  EXPECT_EQ(accepted->annotations()[0].text, prefix.annotations()[1].text);
}

TEST(Recorder, KeepsWhatManyShortThreadsDo) {
  constexpr std::size_t kThreads = 5000;
  const auto run = [](const RecorderOptions& options, const auto& log_of, const auto& done) {
    Recorder recorder("counter", options);
    const auto add = recorder.method("add");
    for (std::size_t i = 0; i < kThreads; ++i) {
      std::thread([&] {
        ThreadLog& log = log_of(recorder);
        log.record(
            add, [] {}, 1);
        done(log);
      }).join();
    }
    EXPECT_FALSE(recorder.full());
    const auto history = history_of(recorder);
    ASSERT_TRUE(history) << history.error().to_string();
    EXPECT_EQ(history->size(), std::size_t{kThreads});
    EXPECT_EQ(history->pending_count(), 0U);
    EXPECT_EQ(history->process(OperationIndex(kThreads - 1)), kThreads - 1);
  };
  const auto here = [](Recorder& recorder) -> ThreadLog& { return recorder.here(); };
  const auto thread = [](Recorder& recorder) -> ThreadLog& { return recorder.thread(); };
  const auto nothing = [](ThreadLog&) {};
  // The operations themselves have 200 KB.
  run({.bytes = std::size_t{1} << 19}, here, nothing);
  run({.bytes = std::size_t{1} << 19}, thread, [](ThreadLog& log) { log.finish(); });
  run({}, thread, nothing);
}

TEST(Recorder, KeepsAnOperationInWhichAThreadEndedWhenItsLogIsUsedAgain) {
  Recorder recorder("queue");
  const auto enqueue = recorder.method("enqueue");
  std::thread([&] { recorder.here().call(enqueue, 1); }).join();
  std::thread([&] {
    recorder.here().returned();  // it called nothing
    recorder.here().record(
        enqueue, [] {}, 2);
  }).join();
  EXPECT_EQ(dump(recorder), "0 enqueue(1) -> pending\n1 enqueue(2) -> none\n");
}

TEST(Recorder, OutlivesNoThreadThatKnewIt) {
  std::latch recorded(1);
  std::latch gone(1);
  std::thread thread;
  {
    Recorder recorder("counter");
    const auto add = recorder.method("add");
    thread = std::thread([&recorder, &recorded, &gone, add] {
      recorder.here().record(
          add, [] {}, 1);
      recorded.count_down();
      gone.wait();
    });
    recorded.wait();
  }
  gone.count_down();
  thread.join();
  Recorder later("counter");
  EXPECT_EQ(later.size(), 0U);
}

TEST(Recorder, LeavesNothingBehindWhenTheDiskIsFull) {
  Recorder recorder("counter");
  const auto add = recorder.method("add");
  for (int i = 0; i < 100'000; ++i)
    recorder.here().record(
        add, [] {}, i);
  const auto nowhere = recorder.write("/dev/full");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::io);

  const std::string folder = ::testing::TempDir() + std::to_string(getpid()) + "linchpin-record-test";
  std::filesystem::create_directory(folder);
  const std::string path = folder + "/recording.lch";
  EXPECT_TRUE(recorder.write(path));
  const auto size = std::filesystem::file_size(path);
  {
    const linchpin::testing::FullDisk full(4096);
    const auto written = recorder.write(path);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::io);
  }
  EXPECT_EQ(std::filesystem::file_size(path), size);  // that of before
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  std::filesystem::remove_all(folder);
}

TEST(Recorder, SpoolsWhatMemoryCannotHold) {
  const TemporaryFile spool("linchpin-record-test.spool");
  constexpr int kOperations = 20'000;
  {
    Recorder recorder("counter", {.bytes = 2 * 8192, .spool = spool.path, .buffer_bytes = 8192});
    const auto add = recorder.method("add");
    const auto work = [&](int thread) {
      ThreadLog& log = recorder.thread();
      for (int i = 0; i < kOperations; ++i)
        log.record(
            add, [] {}, i, fmt::format("text {}", i % 100 + thread));
    };
    std::thread one(work, 0);
    std::thread other(work, 1000);
    one.join();
    other.join();
    EXPECT_FALSE(recorder.full());
    EXPECT_FALSE(recorder.failure());
    const auto history = history_of(recorder);
    ASSERT_TRUE(history);
    ASSERT_EQ(history->size(), 2U * kOperations);
    std::int64_t sum = 0;
    for (OperationIndex i = 0; i < history->size(); ++i) {
      const auto arguments = history->arguments(i);
      sum += arguments[0].integer();
      const std::string_view text = history->pool().text_of(arguments[1]);
      EXPECT_TRUE(text == fmt::format("text {}", arguments[0].integer() % 100) ||
                  text == fmt::format("text {}", arguments[0].integer() % 100 + 1000));
    }
    EXPECT_EQ(sum, std::int64_t{kOperations} * (kOperations - 1));
    EXPECT_EQ(dump_of_file(recorder), dump(*history));
  }
  EXPECT_FALSE(std::filesystem::exists(spool.path));
}

TEST(Recorder, WritesAnEmptyRecording) {
  const Recorder recorder("queue");
  EXPECT_EQ(dump_of_file(recorder), "");
}

TEST(Recorder, SaysWhereItCannotWrite) {
  const auto written = Recorder("queue").write("/nowhere/at/all");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::io);
}

TEST(Recorder, LogsWithoutGapsAreHistoriesToo) {
  Recorder recorder("register", {.gaps = false});
  const auto write = recorder.method("write");
  ThreadLog& log = recorder.thread();
  for (int i = 0; i < 10; ++i)
    log.record(
        write, [] {}, i);
  const auto history = history_of(recorder);
  ASSERT_TRUE(history);
  for (OperationIndex i = 1; i < history->size(); ++i)
    EXPECT_EQ(history->call(i), history->response(OperationIndex(i.number() - 1)));
}

TEST(Clock, TicksAtTheRateThatItSays) {
  for (const ClockSource source : {ClockSource::automatic, ClockSource::steady}) {
    const Clock clock(source);
    const auto begin = std::chrono::steady_clock::now();
    const auto first = clock.at_response();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const auto last = clock.at_response();
    const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - begin;
    const double seconds = static_cast<double>(last - first) / clock.frequency();
    EXPECT_GE(seconds, 0.019);
    EXPECT_LE(seconds, whole.count() * 1.05);
  }
}

}  // namespace
}  // namespace linchpin
