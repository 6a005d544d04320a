#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "types/deque/monitor.hpp"
#include "types/deque/specification.hpp"
#include "types/deque/without_capacity.hpp"

namespace deque_monitor_test {

namespace {

using linchpin::Tick;
using linchpin::Value;
using linchpin::Verdict;
using linchpin::types::Deque;
using linchpin::types::deque::kMonitor;
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

const auto kDeque = specification_of("deque");

SketchedOperation push(std::uint16_t method, std::int64_t value, Tick call = 0, Tick response = linchpin::kPending) {
  return {.method = method,
          .arguments = {Value::integer(value)},
          .result = Value::none(),
          .call = call,
          .response = response};
}
/// A value of -1 stands for "empty".
SketchedOperation saw(std::uint16_t method, std::int64_t value, Tick call = 0, Tick response = 0) {
  return {.method = method,
          .arguments = {},
          .result = value < 0 ? Value::nil() : Value::integer(value),
          .call = call,
          .response = response};
}
SketchedOperation lost(std::uint16_t method, Tick call = 0, Tick response = linchpin::kPending) {
  return {.method = method, .arguments = {}, .result = Value::unknown(), .call = call, .response = response};
}

linchpin::core::Outcome decided(const Sketch& sketch) {
  const Built built = build(kDeque, sketch);
  EXPECT_TRUE(kMonitor.applicable(built.part).applies);
  linchpin::core::Budget budget{linchpin::Limits{}};
  return kMonitor.decide(built.part, {.witness = true}, budget);
}
std::string why(const Sketch& sketch) { return kMonitor.applicable(build(kDeque, sketch).part).why; }

std::vector<Value> results() {
  return {Value::nil(), Value::integer(1), Value::integer(2), Value::integer(3), Value::integer(4), Value::integer(5)};
}

/// What else one history has, besides pushes and pops at both ends.
struct Also {
  bool looks = false, empties = false, promises = false;
};

/// Drafts of one history: what is put in and taken out is drawn in proportions that are those of this history.
Drafter drafts(Random& random, Also also) {
  return [next = std::int64_t{1}, most = 2 + static_cast<std::int64_t>(below(random, 5)), push_back = below(random, 11),
          pop_back = below(random, 11), pushes = 3 + below(random, 5), also](Random& generator) mutable {
    if (next <= most && below(generator, 10) < pushes) {
      const auto method = below(generator, 10) < push_back ? Deque::kPushBack : Deque::kPushFront;
      return Draft{static_cast<std::uint16_t>(method), {Value::integer(next++)}, {Value::none()}};
    }
    std::vector<Value> answers;
    for (std::int64_t value = 1; value <= std::min(most, next + 1); ++value) answers.push_back(Value::integer(value));
    if (also.empties) answers.push_back(Value::nil());
    const bool back = below(generator, 10) < pop_back;
    const bool looks = also.looks && below(generator, 4) == 0;
    return Draft{
        static_cast<std::uint16_t>((looks ? Deque::kPeekFront : Deque::kPopFront) + (back ? 1 : 0)), {}, answers};
  };
}

/// The same, of a deque with a capacity: a push may find no room, or lose its answer.
Drafter drafts_of_bounded(Random& random) {
  return
      [drafter = drafts(random, {.empties = below(random, 2) == 0}), lost = below(random, 4) == 0](Random& generator) {
        Draft draft = drafter(generator);
        if (draft.method > Deque::kPushBack) return draft;
        draft.results = {Value::boolean(true), Value::boolean(false)};
        if (lost && below(generator, 8) == 0) draft.results = {Value::unknown()};
        return draft;
      };
}

/// Values with ends and times by pure chance; most of these histories are violations.
Sketch by_chance(Random& random) {
  const std::size_t values = 2 + below(random, 5), span = 3 + below(random, 20), passing = below(random, 101);
  const auto interval = [&](std::size_t from) {
    const std::size_t call = from + below(random, span);
    const std::size_t length = below(random, 100) < 60 ? below(random, span / 2 + 1) : 0;
    return std::pair{static_cast<Tick>(call), static_cast<Tick>(call + length)};
  };
  Sketch sketch;
  for (std::size_t value = 1; value <= values; ++value) {
    const auto number = static_cast<std::int64_t>(value);
    const auto in = static_cast<std::uint16_t>(below(random, 2));
    const std::uint16_t out = below(random, 100) < passing ? 1 - in : in;
    const auto [push_call, push_response] = interval(0);
    const bool pending = below(random, 100) < 6;
    sketch.push_back(push(Deque::kPushFront + in, number, push_call, pending ? linchpin::kPending : push_response));
    if (below(random, 100) < 8) continue;
    const auto [pop_call, pop_response] = interval(static_cast<std::size_t>(push_call));
    sketch.push_back(saw(Deque::kPopFront + out, number, pop_call, pop_response));
  }
  if (below(random, 4) == 0) {
    const auto [call, response] = interval(span / 2);
    sketch.push_back(saw(Deque::kPopFront, -1, call, response));
  }
  return sketch;
}

TEST(DequeMonitor, RefutesTwoValuesThatExcludeEachOther) {
  const auto outcome =
      decided({push(Deque::kPushBack, 1, 1, 2), push(Deque::kPushBack, 2, 3, 4), push(Deque::kPushFront, 3, 5, 6),
               saw(Deque::kPopFront, 3, 7, 8), saw(Deque::kPopFront, 2, 9, 10), saw(Deque::kPopFront, 1, 11, 12)});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{0, 1, 4, 5}));
  EXPECT_TRUE(outcome.core_minimal);
  EXPECT_EQ(outcome.sentence, "1 was pushed at the back before 2, and popped at the front after it");
}

TEST(DequeMonitor, SaysWhatIsWrong) {
  const auto sentence = [](const Sketch& sketch) { return decided(sketch).sentence; };
  EXPECT_EQ(sentence({push(Deque::kPushBack, 1, 1, 2), saw(Deque::kPopBack, 2, 3, 4)}),
            "pop_back returned 2, which nobody had pushed");
  EXPECT_EQ(sentence({push(Deque::kPushBack, 1, 1, 2), saw(Deque::kPopBack, 1, 3, 4), saw(Deque::kPopFront, 1, 5, 6)}),
            "1 was pushed once and popped twice");
  EXPECT_EQ(sentence({push(Deque::kPushBack, 1, 1, 2), saw(Deque::kPopFront, -1, 3, 4)}),
            "pop_front returned empty although 1 was in the deque during the whole call: pushed before, not popped by "
            "then");
  EXPECT_EQ(sentence({push(Deque::kPushBack, 1, 1, 2), push(Deque::kPushBack, 2, 3, 4), saw(Deque::kPopBack, 1, 5, 6),
                      saw(Deque::kPopBack, 2, 7, 8)}),
            "1 and 2 went in and out at the back as values of a stack do, and cannot be nested");
  EXPECT_EQ(sentence({push(Deque::kPushFront, 1, 1, 2), push(Deque::kPushBack, 2, 3, 4), saw(Deque::kPopFront, 2, 5, 6),
                      saw(Deque::kPopFront, 1, 7, 8)}),
            "pop_front returned 2 although 1 was in the way during the whole call");
  EXPECT_EQ(sentence({push(Deque::kPushBack, 1, 1, 2), push(Deque::kPushBack, 2, 3, 4), saw(Deque::kPopFront, 2, 5, 6),
                      saw(Deque::kPopBack, 1, 7, 8)}),
            "pop_front returned 2 although 1, pushed at the back before it, was in its way: it could leave there only "
            "after 2");
  EXPECT_EQ(sentence({push(Deque::kPushBack, 1, 1, 2), push(Deque::kPushFront, 2, 3, 4), saw(Deque::kPopFront, 1, 5, 6),
                      saw(Deque::kPopBack, 2, 7, 8)}),
            "2 was on its way from the front to the back while 1 was on its way from the back to the front: they "
            "cannot pass each other");
}

TEST(DequeMonitor, SaysWhyItDoesNotApply) {
  EXPECT_EQ(why({push(Deque::kPushBack, 7, 1, 2), push(Deque::kPushFront, 7, 3, 4)}), "value 7 is pushed twice");
  EXPECT_EQ(why({push(Deque::kPushBack, 7, 1, 2), push(Deque::kPushFront, 8, 3, 4)}), "no value is pushed twice");
  EXPECT_EQ(why({push(Deque::kPushBack, 7, 1, 2), saw(Deque::kPeekFront, 7, 3, 4)}),
            "peek_front() -> 7 looks at a value from an end at which it was not pushed or not popped, which the "
            "monitor does not follow");
  EXPECT_EQ(why({push(Deque::kPushBack, 7, 1, 2), saw(Deque::kPeekBack, 7, 3, 4)}), "no value is pushed twice");
  EXPECT_EQ(why({push(Deque::kPushBack, 7, 1, 2), lost(Deque::kPopBack, 3, 4)}), "pop_back() -> ? has lost its result");
}

// A pending pop took what stood in the way, or did not; what it is promised to return is all it can have taken.
TEST(DequeMonitor, PendingPopsMayHaveTakenAValue) {
  const Sketch taken{push(Deque::kPushFront, 1, 1, 2), push(Deque::kPushFront, 2, 3, 4), lost(Deque::kPopFront, 5),
                     saw(Deque::kPopFront, 1, 6, 7)};
  EXPECT_EQ(decided(taken).verdict, Verdict::linearizable);
  Sketch promised = taken;
  promised[2].result = Value::integer(2);
  EXPECT_EQ(decided(promised).verdict, Verdict::linearizable);
  promised[2].result = Value::integer(3);
  EXPECT_EQ(decided(promised).verdict, Verdict::violation);
  // A promised pop at the other end than its value's: it did not happen, for 1 left at the front while 2 was inside.
  EXPECT_EQ(decided({push(Deque::kPushBack, 1, 1, 2), push(Deque::kPushBack, 2, 3, 4),
                     saw(Deque::kPopFront, 2, 5, 9) /* late */, saw(Deque::kPopFront, 1, 6, 7)})
                .verdict,
            Verdict::linearizable);
}

TEST(DequeMonitor, AgreesWithTheOracleOnAllSmallHistories) {
  CrossCheck check(kMonitor, kDeque);
  const Sketch labels{push(Deque::kPushFront, 1), push(Deque::kPushBack, 2), push(Deque::kPushFront, 3),
                      saw(Deque::kPopFront, 1),   saw(Deque::kPopBack, 1),   saw(Deque::kPopFront, 2),
                      saw(Deque::kPopBack, 3),    saw(Deque::kPeekFront, 1), saw(Deque::kPopFront, -1),
                      lost(Deque::kPopBack)};
  for (std::size_t size = 1; size <= (thorough() ? 4 : 3); ++size) check.exhaustive(labels, size, true);
  EXPECT_GT(check.linearizable, 1000U);
  EXPECT_GT(check.violations, 1000U);
}

TEST(DequeMonitor, AgreesWithTheOracleOnRandomHistories) {
  CrossCheck check(kMonitor, kDeque);
  check.random(
      [](Random& random) { return drafts(random, {.looks = below(random, 3) == 0, .empties = below(random, 2) == 0}); },
      results(), 13, 20'000);
  EXPECT_LE(check.undecided, check.histories / 100);  // a look at what a pending pop took at the other end
}

TEST(DequeMonitor, HeedsNoCapacityThatCannotHaveBeenReached) {
  CrossCheck check(kMonitor, specification_of("deque capacity=2"));
  check.random([](Random& random) { return drafts_of_bounded(random); }, results(), 8, 20'000);
  EXPECT_GT(check.linearizable, check.histories / 20);
  EXPECT_GT(check.violations, check.histories / 50);
  EXPECT_GT(check.refused, check.histories / 20);
}

TEST(DequeWithoutCapacity, RefutesOnlyWhatTheOracleRefutes) {
  for (const char* const type : {"deque capacity=1", "deque capacity=2", "deque capacity=3"}) {
    CrossCheck check(linchpin::types::deque::kWithoutCapacity, specification_of(type));
    check.random([](Random& random) { return drafts_of_bounded(random); }, results(), 13, 20'000);
    EXPECT_EQ(check.linearizable, 0U) << "it never says so";
    EXPECT_GT(check.violations, check.histories / 50);
    EXPECT_GT(check.undecided, check.histories / 20);
  }
}

TEST(DequeMonitor, AgreesWithTheOracleWhereEndsAndTimesAreDrawnByChance) {
  CrossCheck check(kMonitor, kDeque);
  Random random(environment_number("LINCHPIN_CROSS_SEED", 3));
  const std::size_t count = random_histories(20'000);
  for (std::size_t i = 0; i < count && check.good(); ++i) {
    const Sketch sketch = by_chance(random);
    if (valid(sketch)) check.check(sketch);
  }
  EXPECT_EQ(check.refused + check.undecided, 0U);
  EXPECT_LE(check.largest_core, 12U);
}

// Pending pops of unknown results, and of results that they would have returned.
TEST(DequeMonitor, AgreesWithTheOracleOnPendingPops) {
  CrossCheck check(kMonitor, kDeque);
  Random random(environment_number("LINCHPIN_CROSS_SEED", 5));
  const auto states = kDeque->make_states();
  const std::size_t count = random_histories(20'000);
  for (std::size_t i = 0; i < count && check.good(); ++i) {
    if (states->bound() > 100'000) states->retain({});
    const Drafter drafter = drafts(random, {.empties = below(random, 2) == 0});
    Sketch sketch = random_sketch(random, *states, drafter,
                                  {.operations = 3 + below(random, 9),
                                   .most_open = 2 + below(random, 4),
                                   .pending = 0.3,
                                   .by_simulation = below(random, 4) != 0});
    for (SketchedOperation& operation : sketch) {
      if (operation.response != linchpin::kPending || operation.method <= Deque::kPushBack) continue;
      operation.result = below(random, 2) == 0 ? Value::unknown() : results()[below(random, 6)];
    }
    if (valid(sketch)) check.check(sketch);
  }
  EXPECT_EQ(check.undecided, 0U);
}

}  // namespace

}  // namespace deque_monitor_test
