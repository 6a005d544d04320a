#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "types/deque/pair_search.hpp"
#include "types/deque/specification.hpp"

namespace deque_pairs_test {

namespace {

using linchpin::Value;
using linchpin::Verdict;
using linchpin::types::Deque;
using linchpin::types::deque::kPairs;
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

const auto kDeque = specification_of("deque");

SketchedOperation push(std::uint16_t method, std::int64_t value, linchpin::Tick call = 0,
                       linchpin::Tick response = linchpin::kPending) {
  return {.method = method,
          .arguments = {Value::integer(value)},
          .result = Value::none(),
          .call = call,
          .response = response};
}
/// A value of -1 stands for "empty".
SketchedOperation saw(std::uint16_t method, std::int64_t value, linchpin::Tick call = 0, linchpin::Tick response = 0) {
  return {.method = method,
          .arguments = {},
          .result = value < 0 ? Value::nil() : Value::integer(value),
          .call = call,
          .response = response};
}

linchpin::core::Outcome decided(const Sketch& sketch) {
  const Built built = build(kDeque, sketch);
  EXPECT_TRUE(kPairs.applicable(built.part).applies);
  linchpin::core::Budget budget{linchpin::Limits{}};
  return kPairs.decide(built.part, {.witness = true}, budget);
}
std::string why(const Sketch& sketch) { return kPairs.applicable(build(kDeque, sketch).part).why; }

/// Drafts of one history; some values repeat or are never pushed when `faults` is set, and sizes are told where
/// `counts` is.
Drafter drafts(Random& random, bool peeks, bool empties, bool counts, bool faults) {
  return spread(random, [next = std::int64_t{1}, most = 2 + static_cast<std::int64_t>(below(random, 5)), peeks, empties,
                         counts, faults](Random& generator) mutable {
    const auto back = static_cast<std::uint16_t>(below(generator, 2));
    if (next <= most && below(generator, 2) == 0) {
      const std::int64_t value = faults && below(generator, 40) == 0 ? 1 : next++;
      return Draft{static_cast<std::uint16_t>(Deque::kPushFront + back), {Value::integer(value)}, {Value::none()}};
    }
    if (counts && below(generator, 5) == 0) {
      if (back == 0) return Draft{Deque::kIsEmpty, {}, {Value::boolean(true), Value::boolean(false)}};
      return Draft{Deque::kSize, {}, {Value::integer(0), Value::integer(1), Value::integer(2), Value::unknown()}};
    }
    std::vector<Value> results;
    for (std::int64_t value = 1; value <= most + (faults ? 1 : 0); ++value) results.push_back(Value::integer(value));
    if (empties) results.push_back(Value::nil());
    const bool look = peeks && below(generator, 3) == 0;
    return Draft{static_cast<std::uint16_t>((look ? Deque::kPeekFront : Deque::kPopFront) + back), {}, results};
  });
}

std::vector<Value> results() {
  return {Value::nil(), Value::integer(1), Value::integer(2), Value::integer(3), Value::integer(4)};
}

TEST(DequePairs, RefutesTwoValuesThatExcludeEachOther) {
  const auto outcome =
      decided({push(Deque::kPushBack, 1, 1, 2), push(Deque::kPushBack, 2, 3, 4), push(Deque::kPushFront, 3, 5, 6),
               saw(Deque::kPopFront, 3, 7, 8), saw(Deque::kPopFront, 2, 9, 10), saw(Deque::kPopFront, 1, 11, 12)});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{0, 1, 4, 5}));
}

TEST(DequePairs, SaysWhatIsWrongWithOneValue) {
  EXPECT_EQ(decided({push(Deque::kPushBack, 1, 1, 2), saw(Deque::kPopBack, 2, 3, 4)}).sentence, "nobody had pushed 2");
  EXPECT_EQ(decided({push(Deque::kPushBack, 1, 1, 2), saw(Deque::kPopBack, 1, 3, 4), saw(Deque::kPopFront, 1, 5, 6)})
                .sentence,
            "1 is pushed once and popped twice");
  EXPECT_EQ(decided({push(Deque::kPushBack, 1, 1, 2), saw(Deque::kPopFront, -1, 3, 4)}).sentence,
            "the deque was found empty although 1 was inside during the whole call");
  EXPECT_EQ(decided({saw(Deque::kPopBack, 1, 1, 2), push(Deque::kPushBack, 1, 3, 4)}).sentence,
            "1 was seen before it was pushed, or after it was popped");
}

TEST(DequePairs, SaysWhyItDoesNotApply) {
  EXPECT_EQ(why({push(Deque::kPushBack, 7, 1, 2), push(Deque::kPushFront, 7, 3, 4)}), "value 7 is pushed twice");
  EXPECT_EQ(why({push(Deque::kPushBack, 7, 1, 2), push(Deque::kPushFront, 8, 3, 4)}), "no value is pushed twice");
}

TEST(DequePairs, AgreesWithTheOracleOnAllSmallHistories) {
  CrossCheck check(kPairs, kDeque);
  check.sentences = false;  // of two values the explanation tells by what their operations found
  const Sketch labels{push(Deque::kPushFront, 1),
                      push(Deque::kPushBack, 2),
                      push(Deque::kPushFront, 3),
                      saw(Deque::kPopFront, 1),
                      saw(Deque::kPopBack, 1),
                      saw(Deque::kPopFront, 2),
                      saw(Deque::kPopBack, 3),
                      saw(Deque::kPeekFront, 2),
                      saw(Deque::kPeekBack, 1),
                      saw(Deque::kPopFront, -1),
                      {.method = Deque::kPopBack, .arguments = {}, .result = Value::unknown(), .call = 0}};
  for (std::size_t size = 1; size <= 3; ++size) check.exhaustive(labels, size, true);
  EXPECT_GT(check.linearizable, 1000U);
  EXPECT_GT(check.violations, 1000U);
}

TEST(DequePairs, AgreesWithTheOracleOnRandomHistories) {
  CrossCheck check(kPairs, kDeque);
  check.sentences = false;  // of two values the explanation tells by what their operations found
  check.random([](Random& random) { return drafts(random, true, true, false, false); }, results(), 12, 12'000);
  EXPECT_EQ(check.undecided, 0U);  // so few operations are searched exactly
}

// Too many operations to search exactly, but for the last few.
TEST(DequePairs, AgreesWithTheOracleWhereAFewOfManyOperationsDecide) {
  Random random(7);
  Oracle oracle(*kDeque);
  const auto states = kDeque->make_states();
  std::size_t violations = 0, undecided = 0;
  for (int i = 0; i < 3'000; ++i) {
    if (states->bound() > 100'000) states->retain({});
    Sketch few = random_sketch(random, *states, drafts(random, true, true, false, false),
                               {.operations = 1 + below(random, 12),
                                .most_open = 1 + below(random, 5),
                                .pending = std::array{0.0, 0.0, 0.1, 0.3}[below(random, 4)],
                                .by_simulation = below(random, 4) != 0});
    if (below(random, 2) == 0) mutate(random, few, results());
    if (!valid(few)) continue;
    Sketch many;
    for (int k = 0; k < 100; ++k) {
      many.push_back(push(Deque::kPushBack, 100 + k, 4 * k, 4 * k + 1));
      many.push_back(saw(Deque::kPopBack, 100 + k, 4 * k + 2, 4 * k + 3));
    }
    for (SketchedOperation operation : few) {
      operation.call += 400;
      if (operation.response != linchpin::kPending) operation.response += 400;
      many.push_back(operation);
    }
    const Built built = build(kDeque, many);
    if (!kPairs.applicable(built.part).applies) continue;
    linchpin::core::Budget budget{linchpin::Limits{}};
    const linchpin::core::Outcome outcome = kPairs.decide(built.part, {.witness = true}, budget);
    if (outcome.verdict == Verdict::unknown) {
      ++undecided;
      continue;
    }
    const bool truth = oracle.linearizable(build(kDeque, few).part);
    ASSERT_EQ(outcome.verdict == Verdict::linearizable, truth) << to_text(built.part);
    violations += truth ? 0 : 1;
    if (!truth) {
      EXPECT_FALSE(oracle.linearizable(linchpin::history::restrict(built.part, outcome.core)));
    }
  }
  EXPECT_GT(violations, 500U);
  EXPECT_LE(undecided, violations / 20);
}

TEST(DequePairs, AgreesWithTheOracleWithCountsAndFaults) {
  CrossCheck check(kPairs, kDeque);
  check.sentences = false;  // of two values the explanation tells by what their operations found
  check.random([](Random& random) { return drafts(random, true, true, true, true); }, results(), 10, 8'000);
}

}  // namespace

}  // namespace deque_pairs_test
