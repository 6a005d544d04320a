// The stress harness: what it binds, what it finds, and what it does with containers that throw or never return.
#include "linchpin/stress.hpp"

#include <sched.h>

#include <array>
#include <atomic>
#include <deque>
#include <fstream>
#include <limits>
#include <map>
#include <mutex>
#include <queue>
#include <semaphore>
#include <set>
#include <stack>
#include <stdexcept>
#include <thread>
#include <unordered_map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stress/notation.hpp"
#include "stress/overlaps.hpp"
#include "support/paths.hpp"

namespace linchpin::stress_test {
namespace {

using ::testing::HasSubstr;

TEST(StressNotation, TextsAreTheValuesThatTheySay) {
  HistoryBuilder recorded;
  recorded.set_type({.name = "list-append", .options = {}});
  ValuePool& pool = recorded.pool();
  const Value big = pool.integer(std::numeric_limits<std::int64_t>::max());
  recorded.add({.process = 1,
                .method = "txn",
                .arguments = {pool.string("[[r x nil]]"), big},
                .result = pool.string("[[r x [1 2]]]"),
                .call = 1,
                .response = 2});
  recorded.add({.process = 2, .method = "txn", .arguments = {}, .result = Value::unknown(), .call = 3});
  const auto read = stress_plan::read_notation(*std::move(recorded).build());
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(read->describe(0), "txn([[r x nil]], 9223372036854775807) -> [[r x [1 2]]]");
  EXPECT_TRUE(read->pending(1));
  EXPECT_EQ(read->objects()[0].type.name, "list-append");
}

TEST(StressNotation, ATextThatIsNoValueIsAnError) {
  for (const char* const text : {"[1", "1 2"}) {
    HistoryBuilder recorded;
    recorded.add({.process = 1, .method = "read", .result = recorded.pool().string(text), .call = 1, .response = 2});
    const auto read = stress_plan::read_notation(*std::move(recorded).build());
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, ErrorCode::syntax);
    EXPECT_THAT(read.error().message, HasSubstr("operation 0"));
  }
}

StressOptions few_rounds() { return {.threads = 2, .operations = 50, .rounds = 30, .delays = 0.5}; }

struct LockedQueue {
  void enqueue(int value) {
    const std::lock_guard lock(mutex);
    values.push_back(value);
  }
  std::optional<int> dequeue() {
    const std::lock_guard lock(mutex);
    if (values.empty()) return std::nullopt;
    const int value = values.front();
    values.pop_front();
    return value;
  }
  [[nodiscard]] std::size_t size() const {
    const std::lock_guard lock(mutex);
    return values.size();
  }
  [[nodiscard]] bool empty() const {
    const std::lock_guard lock(mutex);
    return values.empty();
  }
  mutable std::mutex mutex;
  std::deque<int> values;
};

struct LockedStack {
  using value_type = int;
  bool push(const int& value) {
    const std::lock_guard lock(mutex);
    values.push(value);
    return true;
  }
  bool pop(int& value) {
    const std::lock_guard lock(mutex);
    if (values.empty()) return false;
    value = values.top();
    values.pop();
    return true;
  }
  std::mutex mutex;
  std::stack<int> values;
};

struct LockedDeque {
  void push_front(std::int64_t value) {
    const std::lock_guard lock(mutex);
    values.push_front(value);
  }
  void push_back(std::int64_t value) {
    const std::lock_guard lock(mutex);
    values.push_back(value);
  }
  std::optional<std::int64_t> pop_front() {
    const std::lock_guard lock(mutex);
    if (values.empty()) return std::nullopt;
    const auto value = values.front();
    values.pop_front();
    return value;
  }
  std::optional<std::int64_t> try_pop_back() {
    const std::lock_guard lock(mutex);
    if (values.empty()) return std::nullopt;
    const auto value = values.back();
    values.pop_back();
    return value;
  }
  std::mutex mutex;
  std::deque<std::int64_t> values;
};

struct LockedHeap {
  void push(int value) {
    const std::lock_guard lock(mutex);
    values.push(value);
  }
  bool try_pop(std::int64_t& value) {
    const std::lock_guard lock(mutex);
    if (values.empty()) return false;
    value = values.top();
    values.pop();
    return true;
  }
  std::mutex mutex;
  std::priority_queue<int, std::vector<int>, std::greater<>> values;
};

struct LockedSet {
  using key_type = std::string;
  auto insert(const std::string& key) {
    const std::lock_guard lock(mutex);
    return keys.insert(key);
  }
  std::size_t erase(const std::string& key) {
    const std::lock_guard lock(mutex);
    return keys.erase(key);
  }
  std::size_t count(const std::string& key) {
    const std::lock_guard lock(mutex);
    return keys.count(key);
  }
  std::mutex mutex;
  std::set<std::string> keys;
};

struct LockedMap {
  auto insert_or_assign(std::int64_t key, std::int64_t value) {
    const std::lock_guard lock(mutex);
    return values.insert_or_assign(key, value);
  }
  auto insert(std::int64_t key, std::int64_t value) {
    const std::lock_guard lock(mutex);
    return values.insert({key, value});
  }
  bool find(std::int64_t key, std::int64_t& value) {
    const std::lock_guard lock(mutex);
    const auto found = values.find(key);
    if (found == values.end()) return false;
    value = found->second;
    return true;
  }
  bool erase(std::int64_t key) {
    const std::lock_guard lock(mutex);
    return values.erase(key) == 1;
  }
  std::mutex mutex;
  std::map<std::int64_t, std::int64_t> values;
};

struct LockedCounter {
  void increment() {
    const std::lock_guard lock(mutex);
    ++number;
  }
  int get() {
    const std::lock_guard lock(mutex);
    return number;
  }
  std::mutex mutex;
  int number = 0;
};

template <class Container>
std::unique_ptr<Container> make() {
  return std::make_unique<Container>();
}

void expect_clean(const StressResult& result) {
  EXPECT_TRUE(result.ok()) << result.to_string();
  EXPECT_EQ(result.rounds, 30U);
  EXPECT_GE(result.operations, 2000U) << result.to_string();
  EXPECT_FALSE(result.stuck);
}

TEST(Stress, FindsLockedContainersClean) {
  expect_clean(stress(as::queue, make<LockedQueue>, few_rounds()));
  expect_clean(stress(as::stack, make<LockedStack>, few_rounds()));
  expect_clean(stress(as::deque, make<LockedDeque>, few_rounds()));
  expect_clean(stress(as::priority_queue, make<LockedHeap>, few_rounds()));
  expect_clean(stress(as::set, make<LockedSet>, few_rounds()));
  expect_clean(stress(as::map, make<LockedMap>, few_rounds()));
  expect_clean(stress(as::counter, make<LockedCounter>, few_rounds()));
  expect_clean(stress(as::mutex, make<std::mutex>, few_rounds()));
}

TEST(Stress, TakesContainersByValueAndStandardAtomics) {
  expect_clean(stress(
      as::atomic_register, [] { return std::atomic<int>(0); }, few_rounds()));
  expect_clean(stress(
      as::counter.with("initial=5"), [] { return std::atomic<std::int64_t>(5); }, few_rounds()));
}

TEST(Stress, CallsWhatTheMixSays) {
  StressOptions options = few_rounds();
  options.mix = {{"size", 1}, {"is_empty", 1}, {"dequeue", 0}};
  options.prefill = 10;
  expect_clean(stress(as::queue, make<LockedQueue>, options));

  options.mix = {{"shrink", 1}};
  const StressResult unknown = stress(as::queue, make<LockedQueue>, options);
  ASSERT_TRUE(unknown.error);
  EXPECT_THAT(unknown.error->to_string(), HasSubstr("no method 'shrink'"));
  EXPECT_THAT(unknown.error->to_string(), HasSubstr("enqueue, dequeue, size, is_empty"));

  options.mix = {{"enqueue", 3}, {"enqueue", 1}};
  const StressResult twice = stress(as::queue, make<LockedQueue>, options);
  ASSERT_TRUE(twice.error);
  EXPECT_THAT(twice.error->to_string(), HasSubstr("the mix names 'enqueue' twice"));

  options.mix = {{"enqueue", 0}, {"dequeue", 0}};
  EXPECT_TRUE(stress(as::queue, make<LockedQueue>, options).error);
}

TEST(Stress, FindsAStackThatCallsItselfAQueueAndShrinksIt) {
  const StressResult result = stress(as::queue, make<LockedStack>, few_rounds());
  EXPECT_EQ(result.verdict, Verdict::violation);
  ASSERT_TRUE(result.decided);
  const ObjectVerdict& object = result.decided->objects[0];
  ASSERT_TRUE(object.violation);
  EXPECT_LE(object.violation->core.size(), 4U);
  EXPECT_EQ(object.core_checked, true);
  EXPECT_THAT(result.to_string(), HasSubstr("not linearizable as a queue"));
  EXPECT_THAT(result.to_string(), HasSubstr("enqueue("));
}

/// Every read-modify-write can be interrupted in the middle.
struct LossyCounter {
  void increment() {
    const auto before = number.load();
    stress_point();
    number.store(before + 1);
  }
  std::int64_t get() { return number.load(); }
  std::atomic<std::int64_t> number = 0;
};

TEST(Stress, FindsLostUpdates) {
  StressOptions options = few_rounds();
  options.rounds = 20'000;
  options.time = std::chrono::seconds(60);
  const StressResult result = stress(as::counter, make<LossyCounter>, options);
  EXPECT_EQ(result.verdict, Verdict::violation) << result.to_string();
}

/// The process on one processor, where threads meet only if they are interrupted.
class OneProcessor {
 public:
  OneProcessor() {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (unsigned processor = 0; processor < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++processor) {
      if (CPU_ISSET(processor, &before_)) CPU_SET(processor, &one);
    }
    sched_setaffinity(0, sizeof one, &one);
  }
  ~OneProcessor() { sched_setaffinity(0, sizeof before_, &before_); }
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

 private:
  cpu_set_t before_;
};

TEST(Stress, FindsLostUpdatesByTurnsOnOneProcessor) {
  const OneProcessor only;
  StressOptions options = few_rounds();
  options.delays = 0;
  options.rounds = 40;
  const StressResult result = stress(as::counter, make<LossyCounter>, options);
  EXPECT_EQ(result.verdict, Verdict::violation) << result.to_string();
}

/// What happened in the first round of a seed, in its order.
std::string round_of(std::uint64_t seed) {
  StressOptions options = few_rounds();
  options.seed = seed;
  options.rounds = 1;
  const StressResult result = stress(as::counter, make<LossyCounter>, options);
  if (!result.by_turns || !result.history) return "";
  const History& history = *result.history;
  std::vector<std::pair<Tick, std::string>> events;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    events.emplace_back(history.call(i), history.process_name(history.process(i)) + " calls; ");
    events.emplace_back(history.response(i), history.process_name(history.process(i)) + history.describe(i) + "; ");
  }
  std::sort(events.begin(), events.end());
  std::string text;
  for (const auto& [tick, event] : events) text += event;
  return text;
}

TEST(Stress, RunsARoundByTurnsAgainFromItsSeed) {
  std::size_t found = 0;
  std::size_t again = 0;
  for (std::uint64_t seed = 2; seed <= 40; seed += 2) {
    const std::string first = round_of(seed);
    if (first.empty()) continue;
    ++found;
    again += first == round_of(seed) ? 1 : 0;
  }
  EXPECT_GT(found, 5U);
  EXPECT_GT(again, found / 2);  // a thread that had no processor for long is done without
}

/// Where other threads wait at a lock, and not at a point.
struct CounterWithPointsUnderItsLock {
  void increment() {
    const std::lock_guard lock(mutex);
    stress_point();
    ++number;
  }
  int get() {
    const std::lock_guard lock(mutex);
    return number;
  }
  std::mutex mutex;
  int number = 0;
};

TEST(Stress, GoesOnWithoutThreadsThatWaitForSomethingElseThanTheirTurn) {
  const StressResult result = stress(as::counter, make<CounterWithPointsUnderItsLock>, few_rounds());
  expect_clean(result);
  EXPECT_GT(result.turn_rounds, 0U);
  EXPECT_LT(result.seconds, 60);
}

TEST(Stress, SaysHowMuchACleanRunHasSeen) {
  const StressResult without = stress(as::queue, make<LockedQueue>, few_rounds());
  EXPECT_EQ(without.turn_rounds, 0U);
  EXPECT_EQ(without.stress_points, 0U);
  EXPECT_THAT(without.to_string(), HasSubstr("no stress points: which schedules were run was up to the machine"));
  struct Atomic {
    void increment() {
      stress_point();
      ++number;
    }
    std::int64_t get() { return number; }
    std::atomic<std::int64_t> number = 0;
  };
  const StressResult with = stress(as::counter, make<Atomic>, few_rounds());
  expect_clean(with);
  EXPECT_EQ(with.turn_rounds, 15U);
  EXPECT_GT(with.stress_points, 0U);
  EXPECT_GT(with.overlapping, 0U);
  EXPECT_GE(with.overlapping, with.overlaps);
  EXPECT_GE(with.overlaps, with.overlaps_once);
  EXPECT_THAT(with.to_string(), HasSubstr("15 rounds went by turns"));
  EXPECT_THAT(with.to_string(), HasSubstr("overlapped others, in "));
  StressOptions free = few_rounds();
  free.turns = false;
  EXPECT_EQ(stress(as::counter, make<Atomic>, free).turn_rounds, 0U);
  StressOptions alone = few_rounds();
  alone.threads = 1;
  EXPECT_THAT(stress(as::queue, make<LockedQueue>, alone).to_string(),
              HasSubstr("no operation overlapped another one"));
}

TEST(Overlaps, AreToldApartByWhatBeganAndEndedDuringAnOperation) {
  const auto overlaps = [](const std::vector<std::array<Tick, 2>>& times) {
    HistoryBuilder builder;
    ProcessId process = 0;
    for (const auto& [call, response] : times) {
      builder.add({.process = process++, .method = "m", .call = call, .response = response});
    }
    return *std::move(builder).build();
  };
  stress_plan::Overlaps seen;
  seen.add(overlaps({{1, 2}, {3, 4}}));
  EXPECT_EQ(seen.operations(), 0U);
  seen.add(overlaps({{1, 4}, {2, 3}}));  // one around the other
  EXPECT_EQ(seen.operations(), 2U);
  EXPECT_EQ(seen.kinds(), 2U);
  EXPECT_EQ(seen.once(), 2U);
  seen.add(overlaps({{10, 40}, {20, 30}}));
  EXPECT_EQ(seen.kinds(), 2U);
  EXPECT_EQ(seen.once(), 0U);
  seen.add(overlaps({{1, 3}, {2, 4}}));  // one after the other, in part
  EXPECT_EQ(seen.operations(), 6U);
  EXPECT_EQ(seen.kinds(), 4U);
  seen.add(overlaps({{1, kPending}, {2, 4}}));  // nothing is known of how long it went on
  EXPECT_EQ(seen.operations(), 6U);
}

/// Refuses what does not fit; the type knows nothing of that unless it has a capacity.
struct SmallQueue : LockedQueue {
  bool try_push(int value) {
    const std::lock_guard lock(mutex);
    if (values.size() == 2) return false;
    values.push_back(value);
    return true;
  }
};
struct SmallQueueOnly {
  bool try_push(int value) { return queue.try_push(value); }
  std::optional<int> try_pop() { return queue.dequeue(); }
  SmallQueue queue;
};

TEST(Stress, TakesRefusalsForNothingUnlessTheTypeHasACapacity) {
  EXPECT_TRUE(stress(as::queue, make<SmallQueueOnly>, few_rounds()).ok());
  EXPECT_TRUE(stress(as::queue.with("capacity=2"), make<SmallQueueOnly>, few_rounds()).ok());
  EXPECT_EQ(stress(as::queue.with("capacity=3"), make<SmallQueueOnly>, few_rounds()).verdict, Verdict::violation);
}

struct ThrowingQueue : LockedQueue {
  void enqueue(int value) {
    if (value % 7 == 0) throw std::runtime_error("no sevens");
    LockedQueue::enqueue(value);
  }
};

TEST(Stress, TakesOperationsThatThrowForPending) {
  StressOptions options = few_rounds();
  options.operations = 10;  // pending operations are for the general search
  const StressResult result = stress(as::queue, make<ThrowingQueue>, options);
  EXPECT_TRUE(result.ok()) << result.to_string();
  EXPECT_GT(result.exceptions, 0U);
  EXPECT_EQ(result.exception, "no sevens");
}

TEST(Stress, EndsWithAnErrorWhenThereIsNoContainer) {
  const auto expect_error = [](const StressResult& result, const char* why) {
    EXPECT_FALSE(result.ok());
    EXPECT_EQ(result.verdict, Verdict::unknown);
    ASSERT_TRUE(result.error);
    EXPECT_EQ(result.error->message, why);
  };
  const auto throws = []() -> LockedQueue { throw std::runtime_error("out of queues"); };
  expect_error(stress(as::queue, throws, few_rounds()), "there is no container for round 1: out of queues");
  const auto throws_later = [made = 0]() mutable {
    if (++made == 3) throw 3;
    return std::make_unique<LockedQueue>();
  };
  expect_error(stress(as::queue, throws_later, few_rounds()),
               "there is no container for round 3: something was thrown that is no std::exception");
  const auto none = [] { return std::unique_ptr<LockedQueue>(); };
  expect_error(stress(as::queue, none, few_rounds()), "there is no container for round 1: it is null");
}

TEST(Stress, RefusesOptionsThatMakeNoSense) {
  using Seconds = std::chrono::duration<double>;
  const auto message = [](const std::function<void(StressOptions&)>& change) {
    StressOptions options = few_rounds();
    change(options);
    const StressResult result = stress(as::queue, make<LockedQueue>, options);
    EXPECT_FALSE(result.ok());
    EXPECT_EQ(result.rounds, 0U);
    return result.error ? result.error->message : "none";
  };
  static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message([](auto& o) { o.delays = -1; }), "the option 'delays' is -1");
  EXPECT_EQ(message([](auto& o) { o.delays = 2; }), "the option 'delays' is 2");
  EXPECT_EQ(message([](auto& o) { o.delays = kNan; }), "the option 'delays' is nan");
  EXPECT_EQ(message([](auto& o) { o.keys = 0; }), "the option 'keys' is 0");
  EXPECT_EQ(message([](auto& o) { o.keys = -3; }), "the option 'keys' is -3");
  EXPECT_EQ(message([](auto& o) { o.values = -5; }), "the option 'values' is -5");
  EXPECT_EQ(message([](auto& o) { o.rounds = 0; }), "the option 'rounds' is 0");
  EXPECT_EQ(message([](auto& o) { o.threads = 257; }), "the option 'threads' is 257");
  EXPECT_EQ(message([](auto& o) { o.operations = SIZE_MAX; }), "the option 'operations' is 18446744073709551615");
  EXPECT_EQ(message([](auto& o) { o.prefill = SIZE_MAX; }), "the option 'prefill' is 18446744073709551615");
  EXPECT_EQ(message([](auto& o) { o.stuck = Seconds(0); }), "the option 'stuck' is 0 seconds");
  EXPECT_EQ(message([](auto& o) { o.stuck = Seconds(kNan); }), "the option 'stuck' is nan seconds");
  EXPECT_EQ(message([](auto& o) { o.time = Seconds(-1); }), "the option 'time' is -1 seconds");
  EXPECT_EQ(message([](auto& o) {
              o.mix = {{"enqueue", std::numeric_limits<double>::infinity()}};
            }),
            "the weight of 'enqueue' is inf");
}

TEST(Stress, EndsWhenAnOperationDoesNot) {
  struct Trap {
    void lock() { inside.acquire(); }
    void unlock() {}
    std::binary_semaphore inside{1};  // nobody gives it back
  };
  StressOptions options = few_rounds();
  options.stuck = std::chrono::milliseconds(200);
  const StressResult result = stress(as::mutex, make<Trap>, options);
  EXPECT_TRUE(result.stuck);
  EXPECT_EQ(result.rounds, 1U);
  EXPECT_EQ(result.verdict, Verdict::linearizable);  // as far as it went
  EXPECT_THAT(result.to_string(), HasSubstr("did not return"));
}

struct Box {
  std::mutex mutex;
  std::int64_t content = 0;
};

Operations<Box> box_operations() {
  Operations<Box> operations;
  operations
      .add("write",
           [](Box& box, Fresh value) {
             const std::lock_guard lock(box.mutex);
             box.content = value;
           })
      .add("read", [](Box& box) {
        const std::lock_guard lock(box.mutex);
        return box.content;
      });
  return operations;
}

TEST(Stress, TakesOperationsByHand) {
  expect_clean(stress("register initial=0", make<Box>, box_operations(), few_rounds()));
  const StressResult wrong = stress("register initial=1", make<Box>, box_operations(), few_rounds());
  EXPECT_EQ(wrong.verdict, Verdict::violation);
  EXPECT_TRUE(stress("box", make<Box>, box_operations(), few_rounds()).error);
  EXPECT_TRUE(stress("queue", make<Box>, box_operations(), few_rounds()).error);
}

/// The calls of each thread, one line a thread.
std::string calls_of(std::uint64_t seed) {
  struct Log {
    std::mutex mutex;
    std::unordered_map<std::thread::id, std::string> calls;
  };
  auto log = std::make_shared<Log>();
  Operations<Box> operations;
  operations.add("write", [log](Box& box, Fresh value) {
    const std::lock_guard lock(log->mutex);
    log->calls[std::this_thread::get_id()] += "w" + std::to_string(value.number) + " ";
    const std::lock_guard inner(box.mutex);
    box.content = value;
  });
  operations.add("read", [log](Box& box) {
    const std::lock_guard lock(log->mutex);
    log->calls[std::this_thread::get_id()] += "r ";
    const std::lock_guard inner(box.mutex);
    return box.content;
  });
  StressOptions options = few_rounds();
  options.rounds = 1;
  options.seed = seed;
  EXPECT_TRUE(stress("register initial=0", make<Box>, operations, options).ok());
  std::set<std::string> lines;
  for (const auto& [thread, calls] : log->calls) lines.insert(calls);
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST(Stress, DrawsTheSameOperationsFromTheSameSeed) {
  EXPECT_EQ(calls_of(7), calls_of(7));
  EXPECT_NE(calls_of(7), calls_of(8));
}

TEST(Stress, StopsWhenTimeIsUpOrWhenAsked) {
  StressOptions options = few_rounds();
  options.rounds = 1'000'000'000;
  options.time = std::chrono::milliseconds(50);
  const StressResult timed = stress(as::queue, make<LockedQueue>, options);
  EXPECT_TRUE(timed.ok());
  EXPECT_LT(timed.seconds, 30);
  options.time.reset();
  std::stop_source stop;
  options.stop = stop.get_token();
  options.progress = [&](const StressProgress&) { stop.request_stop(); };
  EXPECT_NE(stress(as::queue, make<LockedQueue>, options).verdict, Verdict::violation);
}

struct SlowQueue : LockedQueue {
  void enqueue(int value) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    LockedQueue::enqueue(value);
  }
};

StressOptions endless_round() {
  return {.threads = 2, .operations = std::size_t{1} << 40U, .rounds = 1, .mix = {{"dequeue", 0.1}}};
}

TEST(Stress, ARoundEndsWithTheTimeAndIsDecidedAsFarAsItWent) {
  StressOptions options = endless_round();
  options.time = std::chrono::milliseconds(100);
  const StressResult result = stress(as::queue, make<SlowQueue>, options);
  EXPECT_TRUE(result.ok()) << result.to_string();
  EXPECT_TRUE(result.cut_short);
  EXPECT_FALSE(result.stuck);
  EXPECT_EQ(result.rounds, 1U);
  EXPECT_GT(result.operations, 0U);
  EXPECT_LT(result.seconds, 30);
  EXPECT_THAT(result.to_string(), HasSubstr("the last round was cut short"));
}

TEST(Stress, ARoundThatTakesTooLongIsNoThreadThatDoesNotReturn) {
  StressOptions options = endless_round();
  options.rounds = 10;
  options.stuck = std::chrono::milliseconds(100);
  const StressResult result = stress(as::queue, make<SlowQueue>, options);
  EXPECT_TRUE(result.ok()) << result.to_string();
  EXPECT_TRUE(result.cut_short);
  EXPECT_FALSE(result.stuck);
  EXPECT_EQ(result.rounds, 1U);
}

TEST(Stress, ARoundEndsWhenItIsAsked) {
  std::stop_source stop;
  StressOptions options = endless_round();
  options.stop = stop.get_token();
  std::jthread asks([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop.request_stop();
  });
  const StressResult result = stress(as::queue, make<SlowQueue>, options);
  EXPECT_LT(result.seconds, 30);
  EXPECT_FALSE(result.ok());
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->code, ErrorCode::interrupted);
}

TEST(Stress, ARoundEndsWhenTheRecorderIsFull) {
  StressOptions options = endless_round();
  options.recorder.bytes = 1U << 16U;
  const StressResult result = stress(as::queue, make<LockedQueue>, options);
  EXPECT_LT(result.seconds, 30);
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->code, ErrorCode::too_large);
}

TEST(Stress, FillingTakesNoMoreTimeThanThereIs) {
  const auto expect_unfilled = [](const StressOptions& options) {
    const StressResult result = stress(as::queue, make<SlowQueue>, options);
    EXPECT_LT(result.seconds, 30);
    EXPECT_FALSE(result.ok());
    EXPECT_EQ(result.rounds, 0U);
    ASSERT_TRUE(result.error);
    EXPECT_THAT(result.error->message, HasSubstr("of 1000000000 values were in the container"));
  };
  StressOptions options = few_rounds();
  options.prefill = 1'000'000'000;
  options.stuck = std::chrono::milliseconds(100);
  expect_unfilled(options);
  options.stuck = std::chrono::seconds(60);
  options.time = std::chrono::milliseconds(100);
  expect_unfilled(options);
}

TEST(Stress, EndsWhenFillingDoesNot) {
  struct Waits : LockedQueue {
    void enqueue(int value) {
      places.acquire();
      LockedQueue::enqueue(value);
    }
    std::counting_semaphore<> places{3};
  };
  StressOptions options = few_rounds();
  options.prefill = 5;
  options.stuck = std::chrono::milliseconds(100);
  const StressResult result = stress(as::queue, make<Waits>, options);
  EXPECT_TRUE(result.stuck);
  EXPECT_EQ(result.verdict, Verdict::linearizable);
  EXPECT_EQ(result.operations, 4U);
}

TEST(Stress, RefusesNumbersThatNoValueIs) {
  struct Large {
    std::mutex mutex;
    std::uint64_t content = 0;
  };
  Operations<Large> operations;
  operations.add("read", [](Large&) { return ~std::uint64_t{0}; });
  const StressResult result = stress("register initial=0", make<Large>, operations, few_rounds());
  EXPECT_FALSE(result.ok());
  ASSERT_TRUE(result.error);
  EXPECT_THAT(result.error->message, HasSubstr("18446744073709551615 is above 2^63 - 1"));
}

TEST(Tour, ShowsTheStressExampleThatIsRun) {
  const auto content = [](const std::string& path) {
    std::ifstream file(test::source_folder().string() + path);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string example = content("/examples/project/stress_my_queue.cpp");
  EXPECT_FALSE(example.empty());
  EXPECT_THAT(content("/docs/tutorials/container-author.md"), HasSubstr("```cpp\n" + example + "```"));
}

}  // namespace
}  // namespace linchpin::stress_test
