#include "support/thoroughness.hpp"
#include "types/queue/monitor.hpp"

#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "types/queue/specification.hpp"

namespace queue_monitor_test {

namespace {

using linchpin::Value;
using linchpin::Verdict;
using linchpin::types::Queue;
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

const auto kQueue = specification_of("queue");

SketchedOperation enqueue(std::int64_t value, linchpin::Tick call = 0, linchpin::Tick response = linchpin::kPending) {
  return {.method = Queue::kEnqueue,
          .arguments = {Value::integer(value)},
          .result = Value::none(),
          .call = call,
          .response = response};
}
Value seen(std::int64_t value) { return value < 0 ? Value::nil() : Value::integer(value); }
/// A value of -1 stands for "empty".
SketchedOperation dequeue(std::int64_t value, linchpin::Tick call = 0, linchpin::Tick response = 0) {
  return {.method = Queue::kDequeue, .arguments = {}, .result = seen(value), .call = call, .response = response};
}
SketchedOperation pending_dequeue(linchpin::Tick call) {
  return {.method = Queue::kDequeue, .arguments = {}, .result = Value::unknown(), .call = call};
}
SketchedOperation peek(std::int64_t value, linchpin::Tick call = 0, linchpin::Tick response = 0) {
  return {.method = Queue::kPeek, .arguments = {}, .result = seen(value), .call = call, .response = response};
}

linchpin::core::Outcome decided(const Sketch& sketch) {
  const Built built = build(kQueue, sketch);
  EXPECT_TRUE(linchpin::types::queue::applicable(built.part).applies);
  linchpin::core::Budget budget{linchpin::Limits{}};
  return linchpin::types::queue::decide(built.part, {.witness = true}, budget);
}
Verdict verdict(const Sketch& sketch) { return decided(sketch).verdict; }
std::string why(const Sketch& sketch) { return linchpin::types::queue::applicable(build(kQueue, sketch).part).why; }

/// Drafts of one history; some values repeat or are never enqueued when `faults` is set.
Drafter drafts(Random& random, bool peeks, bool empties, bool faults) {
  return spread(random, [next = std::int64_t{1}, most = 2 + static_cast<std::int64_t>(below(random, 6)), peeks, empties,
                         faults](Random& generator) mutable {
    if (next <= most && below(generator, 2) == 0) {
      const std::int64_t value = faults && below(generator, 40) == 0 ? 1 : next++;
      return Draft{Queue::kEnqueue, {Value::integer(value)}, {Value::none()}};
    }
    std::vector<Value> results;
    for (std::int64_t value = 1; value <= most + (faults ? 1 : 0); ++value) results.push_back(Value::integer(value));
    if (empties) results.push_back(Value::nil());
    // A simulated removal from an empty queue has no legal result here when empties are not wanted.
    const bool look = peeks && below(generator, 3) == 0;
    return Draft{look ? Queue::kPeek : Queue::kDequeue, {}, results};
  });
}

std::vector<Value> results() {
  return {Value::nil(), Value::integer(1), Value::integer(2), Value::integer(3), Value::integer(4)};
}

/// Random histories in which many dequeues are pending.
void check_pending_dequeues(CrossCheck& cross, bool peeks, std::size_t default_count) {
  const std::size_t count = random_histories(default_count);
  const std::size_t seed = environment_number("LINCHPIN_CROSS_SEED", 20240607);
  SCOPED_TRACE("seed " + std::to_string(seed));
  const auto states = kQueue->make_states();
  Random random(seed);
  for (std::size_t i = 0; i < count && cross.good(); ++i) {
    if (states->bound() > 100'000) states->retain({});
    const bool empties = below(random, 4) != 0;
    Sketch sketch = random_sketch(random, *states, drafts(random, peeks, empties, false),
                                  {.operations = 3 + below(random, 11),
                                   .most_open = 1 + below(random, 5),
                                   .pending = std::array{0.15, 0.3, 0.5}[below(random, 3)],
                                   .by_simulation = below(random, 8) != 0});
    if (below(random, 3) != 0) mutate(random, sketch, results());
    if (valid(sketch)) cross.check(sketch);
  }
}

}  // namespace

TEST(QueueMonitor, RejectsAValueThatOvertakes) {
  const auto outcome = decided({enqueue(1, 1, 2), enqueue(2, 3, 4), dequeue(2, 5, 6), dequeue(1, 7, 8)});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.sentence,
            "dequeue() -> 2 returned before dequeue() -> 1 was called, though enqueue(1) had returned before "
            "enqueue(2) was called");
}

TEST(QueueMonitor, AcceptsConcurrentEnqueuesInEitherOrder) {
  EXPECT_EQ(verdict({enqueue(1, 1, 4), enqueue(2, 2, 3), dequeue(2, 5, 6), dequeue(1, 7, 8)}), Verdict::linearizable);
  EXPECT_EQ(verdict({enqueue(1, 1, 4), enqueue(2, 2, 3), dequeue(1, 5, 6), dequeue(2, 7, 8)}), Verdict::linearizable);
}

TEST(QueueMonitor, SaysWhyItDoesNotApply) {
  EXPECT_EQ(why({enqueue(7, 1, 2), enqueue(7, 3, 4)}), "value 7 is enqueued twice");
  EXPECT_EQ(why({enqueue(7, 1, 2), enqueue(8, 3, 4)}), "no value is enqueued twice");
  const auto bounded = specification_of("queue capacity=2");
  EXPECT_EQ(linchpin::types::queue::applicable(build(bounded, {enqueue(7, 1, 2)}).part).why,
            "the queue has a capacity");
}

// Histories on which other tools are known to answer wrongly, or not at all.
TEST(QueueMonitor, DecidesHistoriesThatMisledOtherTools) {
  EXPECT_EQ(verdict({enqueue(1, 1, 2), peek(1, 3, 4)}), Verdict::linearizable);
  EXPECT_EQ(verdict({enqueue(1, 1, 2), peek(1, 3, 4), dequeue(1, 5, 6)}), Verdict::linearizable);
  EXPECT_EQ(verdict({enqueue(1, 1, 2), dequeue(-1, 3, 4)}), Verdict::violation);
  EXPECT_EQ(verdict({enqueue(1, 1, 2), enqueue(2, 3, 4), enqueue(3, 5, 6), dequeue(1, 7, 8), peek(2, 9, 10)}),
            Verdict::linearizable);
  EXPECT_EQ(verdict({enqueue(1, 1, 6), peek(1, 2, 3), dequeue(-1, 4, 5)}), Verdict::violation);
  EXPECT_EQ(verdict({enqueue(2, 1, 5), peek(1, 2, 4), enqueue(1, 3, 8), dequeue(2, 6, 7), dequeue(1, 9, 10)}),
            Verdict::violation);
  EXPECT_EQ(verdict({enqueue(1, 1, 2), dequeue(1, 3, 4), enqueue(2, 5, 6), enqueue(4, 7, 12), enqueue(3, 8, 11),
                     dequeue(3, 9, 10), dequeue(4, 13, 14), dequeue(2, 15, 16)}),
            Verdict::violation);
  EXPECT_EQ(verdict({enqueue(2, 1, 2), dequeue(1, 3, 5), enqueue(1, 4, 6)}), Verdict::violation);
}

TEST(QueueMonitor, LetsPendingDequeuesRemoveWhatMustHaveLeft) {
  EXPECT_EQ(verdict({enqueue(1, 1, 2), enqueue(2, 3, 4), pending_dequeue(5), dequeue(2, 6, 7)}), Verdict::linearizable);
  EXPECT_EQ(verdict({enqueue(1, 1, 2), enqueue(2, 3, 4), dequeue(2, 6, 7), pending_dequeue(8)}), Verdict::violation);
  EXPECT_EQ(verdict({enqueue(1, 1, 2), enqueue(2, 3, 4), enqueue(3, 5, 6), pending_dequeue(7), dequeue(3, 8, 9)}),
            Verdict::violation);
}

TEST(QueueMonitor, AgreesWithTheOracleOnAllSmallHistories) {
  CrossCheck cross(linchpin::types::queue::kMonitor, kQueue);
  const Sketch labels{enqueue(1), enqueue(2), enqueue(3), dequeue(1), dequeue(2), dequeue(-1), peek(1), peek(2)};
  cross.exhaustive(labels, 2, true);
  cross.exhaustive(labels, 3, true);
  if (thorough()) cross.exhaustive(labels, 4, true);
  EXPECT_GT(cross.linearizable, 1000U);
  EXPECT_GT(cross.violations, 1000U);
}

TEST(QueueMonitor, AgreesWithTheOracleOnRandomHistories) {
  CrossCheck cross(linchpin::types::queue::kMonitor, kQueue);
  cross.random(
      [](Random& random) {
        const bool peeks = below(random, 2) == 0;
        const bool empties = below(random, 2) == 0;
        return drafts(random, peeks, empties, below(random, 4) == 0);
      },
      results(), 12);
  EXPECT_GT(cross.linearizable, cross.histories / 5);
  EXPECT_GT(cross.violations, cross.histories / 10);
  EXPECT_LT(cross.undecided, cross.histories / 5);
}

TEST(QueueMonitor, DecidesPendingDequeuesWhereTheQueueWasFoundEmpty) {
  CrossCheck cross(linchpin::types::queue::kMonitor, kQueue);
  const Sketch labels{enqueue(1), enqueue(2), enqueue(3), pending_dequeue(0), dequeue(2), dequeue(-1)};
  cross.exhaustive(labels, 3, true);
  if (thorough()) cross.exhaustive(labels, 4, true);
  check_pending_dequeues(cross, false, 30'000);
  EXPECT_EQ(cross.undecided, 0U);
  EXPECT_GT(cross.linearizable, cross.histories / 5);
  EXPECT_GT(cross.violations, cross.histories / 10);
}

TEST(QueueMonitor, DecidesMostPendingDequeuesWhereValuesThatStayWereSeen) {
  CrossCheck cross(linchpin::types::queue::kMonitor, kQueue);
  check_pending_dequeues(cross, true, 30'000);
  EXPECT_LT(cross.undecided, cross.histories / 100);
  EXPECT_GT(cross.linearizable, cross.histories / 5);
  EXPECT_GT(cross.violations, cross.histories / 10);
}

}  // namespace queue_monitor_test
