#include <gtest/gtest.h>

#include "support/container_reference.hpp"
#include "support/cross_check.hpp"
#include "support/medium_check.hpp"
#include "support/thoroughness.hpp"
#include "types/stack/monitor.hpp"
#include "types/stack/specification.hpp"

namespace stack_monitor_test {

namespace {

using linchpin::Value;
using linchpin::Verdict;
using linchpin::types::kStackMonitor;
using linchpin::types::Stack;
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

const auto kStack = specification_of("stack");

SketchedOperation push(std::int64_t value, linchpin::Tick call = 0, linchpin::Tick response = linchpin::kPending) {
  return {.method = Stack::kPush,
          .arguments = {Value::integer(value)},
          .result = Value::none(),
          .call = call,
          .response = response};
}
/// A value of -1 stands for "empty".
Value seen(std::int64_t value) { return value < 0 ? Value::nil() : Value::integer(value); }
SketchedOperation pop(std::int64_t value, linchpin::Tick call = 0, linchpin::Tick response = 0) {
  return {.method = Stack::kPop, .arguments = {}, .result = seen(value), .call = call, .response = response};
}
SketchedOperation peek(std::int64_t value, linchpin::Tick call = 0, linchpin::Tick response = 0) {
  return {.method = Stack::kPeek, .arguments = {}, .result = seen(value), .call = call, .response = response};
}
SketchedOperation pending_pop(linchpin::Tick call) {
  return {.method = Stack::kPop, .arguments = {}, .result = Value::unknown(), .call = call};
}

linchpin::core::Outcome decided(const Sketch& sketch) {
  const Built built = build(kStack, sketch);
  EXPECT_TRUE(kStackMonitor.applicable(built.part).applies);
  linchpin::core::Budget budget{linchpin::Limits{}};
  return kStackMonitor.decide(built.part, {.witness = true}, budget);
}
Verdict verdict(const Sketch& sketch) { return decided(sketch).verdict; }
std::string sentence(const Sketch& sketch) { return decided(sketch).sentence; }

/// Drafts of one history; with `faults` some values are never pushed.
Drafter drafts(Random& random, std::size_t most, bool peeks, bool empties, bool faults) {
  const auto values = static_cast<std::int64_t>(1 + below(random, most));
  return spread(random, [next = std::int64_t{1}, values, peeks, empties, faults](Random& generator) mutable {
    if (next <= values && below(generator, 2) == 0)
      return Draft{Stack::kPush, {Value::integer(next++)}, {Value::none()}};
    std::vector<Value> results;
    for (std::int64_t value = 1; value <= std::min(values + (faults ? 1 : 0), next + 1); ++value) {
      results.push_back(Value::integer(value));
    }
    if (empties || results.empty()) results.push_back(Value::nil());
    if (below(generator, 40) == 0) return Draft{Stack::kIsEmpty, {}, {Value::boolean(true)}};
    const bool look = peeks && below(generator, 3) == 0;
    return Draft{look ? Stack::kPeek : Stack::kPop, {}, results};
  });
}

std::vector<Value> results() {
  return {Value::nil(), Value::integer(1), Value::integer(2), Value::integer(3), Value::integer(4)};
}

}  // namespace

TEST(StackMonitor, SaysWhoWasOnTop) {
  const auto outcome = decided({push(1, 1, 2), push(2, 3, 4), pop(1, 5, 6), pop(2, 7, 8), push(3, 9, 10)});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.sentence, "pop returned 1 although 2, pushed after it, was on top during the whole call");
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_TRUE(outcome.core_minimal);
}

TEST(StackMonitor, SaysWhatWasInsideDuringAnEmptyPop) {
  EXPECT_EQ(sentence({push(7, 1, 2), pop(-1, 3, 4), pop(7, 5, 6)}),
            "pop returned empty although 7 was in the stack during the whole call: pushed before, popped after");
  EXPECT_EQ(sentence({push(7, 1, 2), pop(-1, 3, 4)}),
            "pop returned empty although 7 was in the stack during the whole call: pushed before, not popped by then");
  EXPECT_EQ(sentence({push(1, 1, 2), pop(-1, 3, 8), push(2, 4, 5), pop(1, 6, 12), pop(2, 10, 11)}),
            "pop returned empty although at each moment of the call 1 or 2 was in the stack");
}

TEST(StackMonitor, SaysWhatIsWrongWithOneValue) {
  EXPECT_EQ(sentence({pop(3, 1, 2)}), "pop returned 3, which nobody had pushed");
  EXPECT_EQ(sentence({push(3, 1, 2), pop(3, 3, 4), pop(3, 5, 6)}), "3 was pushed once and popped twice");
  EXPECT_EQ(sentence({pop(3, 1, 2), push(3, 3, 4)}), "pop returned 3 before push(3) was called");
  EXPECT_EQ(sentence({push(3, 1, 2), pop(3, 3, 4), peek(3, 5, 6)}),
            "peek returned 3, but was called when the pop that returned 3 had ended");
}

TEST(StackMonitor, SaysWhatIsWrongWithLooks) {
  EXPECT_EQ(sentence({push(1, 1, 2), push(2, 3, 4), peek(1, 5, 6), pop(2, 7, 8)}),
            "peek returned 1 although 2, pushed after it, was above it during the whole call");
}

TEST(StackMonitor, SaysWhyItDoesNotApply) {
  const auto why = [](const std::shared_ptr<const linchpin::Specification>& specification, const Sketch& sketch) {
    return kStackMonitor.applicable(build(specification, sketch).part).why;
  };
  EXPECT_EQ(why(kStack, {push(7, 1, 2), push(7, 3, 4)}), "value 7 is pushed twice");
  EXPECT_EQ(why(kStack, {push(7, 1, 2), push(8, 3, 4)}), "no value is pushed twice");
  EXPECT_EQ(why(specification_of("stack heights=yes"), {push(7, 1, 2)}),
            "results carry heights, which the monitor does not follow");
  EXPECT_EQ(why(specification_of("queue"), {push(7, 1, 2)}), "the type is not a stack");
  EXPECT_FALSE(
      kStackMonitor
          .applicable(
              build(kStack, {{.method = Stack::kSize, .result = Value::integer(2), .call = 1, .response = 2}}).part)
          .applies);
}

// Histories on which other tools are known to answer wrongly, or not at all.
TEST(StackMonitor, DecidesHistoriesThatMisledOtherTools) {
  EXPECT_EQ(verdict({push(1, 1, 2), push(2, 3, 7), peek(2, 4, 5), pop(1, 6, 8)}), Verdict::violation);
  EXPECT_EQ(verdict({push(3, 1, 2), push(1, 3, 4), push(2, 5, 8), pop(3, 6, 9), pop(2, 7, 10)}), Verdict::violation);
  EXPECT_EQ(verdict({push(1, 1, 1), pop(1, 2, 2)}), Verdict::linearizable);
  EXPECT_EQ(verdict({push(1, 1, 2), peek(1, 3, 4)}), Verdict::linearizable);
  EXPECT_EQ(verdict({push(1, 1, 2), pop(-1, 3, 4)}), Verdict::violation);
  EXPECT_EQ(verdict({push(1, 1, 6), peek(1, 2, 3), pop(-1, 4, 5)}), Verdict::violation);
}

TEST(StackMonitor, LetsPendingPopsTakeWhatIsInTheWay) {
  EXPECT_EQ(verdict({push(1, 1, 2), push(2, 3, 4), pending_pop(5), pop(1, 6, 7)}), Verdict::linearizable);
  EXPECT_EQ(verdict({push(1, 1, 2), push(2, 3, 4), pop(1, 6, 7), pending_pop(8)}), Verdict::violation);
  EXPECT_EQ(verdict({push(1, 1, 2), push(2, 3, 4), push(3, 5, 6), pending_pop(7), pop(1, 8, 9)}), Verdict::violation);
  EXPECT_EQ(verdict({push(1, 1, 2), push(2, 3, 4), push(3, 5, 6), pending_pop(7), pending_pop(8), pop(1, 9, 10)}),
            Verdict::linearizable);
}

TEST(StackMonitor, TakesAPendingPopWhoseResultIsKnown) {
  const Sketch sketch{push(1, 1, 2), push(2, 3, 4), pop(2, 5, linchpin::kPending), pop(1, 6, 7)};
  EXPECT_EQ(verdict(sketch), Verdict::linearizable);
  const Sketch other{push(1, 1, 2), push(2, 3, 4), pop(1, 5, linchpin::kPending), push(3, 6, 7)};
  const auto outcome = decided(other);
  EXPECT_EQ(outcome.verdict, Verdict::linearizable);
  EXPECT_EQ(outcome.witness, (std::vector<std::uint32_t>{0, 1, 3}));
}

// The pop of unknown result was first; the other one did not happen.
TEST(StackMonitor, APendingPopOfAKnownValueMayNotHaveHappened) {
  SketchedOperation known = pop(1, 6, linchpin::kPending);
  EXPECT_EQ(verdict({push(1, 1, 2), pending_pop(3), pop(-1, 4, 5), known}), Verdict::linearizable);
  EXPECT_EQ(verdict({push(1, 1, 2), push(2, 1, 2), pending_pop(3), pop(-1, 4, 5), known}), Verdict::violation);
}

TEST(StackMonitor, CountsValuesThatTooFewPendingPopsMustHaveTaken) {
  Sketch sketch{push(0, 1, 2)};
  for (std::int64_t value = 1; value <= 20; ++value) sketch.push_back(push(value, 2 * value + 1, 2 * value + 2));
  for (linchpin::Tick call = 50; call < 69; ++call) sketch.push_back(pending_pop(call));
  sketch.push_back(pop(0, 70, 71));
  EXPECT_EQ(verdict(sketch), Verdict::violation);
  sketch.push_back(pending_pop(69));
  EXPECT_EQ(verdict(sketch), Verdict::linearizable);
}

TEST(StackMonitor, AgreesWithTheOracleOnAllSmallHistories) {
  CrossCheck cross(kStackMonitor, kStack);
  const Sketch labels{push(1), push(2), push(3), pop(1), pop(2), pop(-1), peek(1), peek(2)};
  cross.exhaustive(labels, 2, true);
  cross.exhaustive(labels, 3, true);
  if (thorough()) cross.exhaustive(labels, 4, true);
  EXPECT_GT(cross.linearizable, 1000U);
  EXPECT_GT(cross.violations, 1000U);
  EXPECT_EQ(cross.undecided, 0U);
}

// All interleavings of six operations: here covers overlap in every way that three values can.
TEST(StackMonitor, AgreesWithTheOracleOnAllInterleavingsOfSixOperations) {
  CrossCheck cross(kStackMonitor, kStack);
  const std::vector<Sketch> sets = thorough()
                                       ? std::vector<Sketch>{{push(1), push(2), push(3), pop(1), pop(2), pop(3)},
                                                             {push(1), push(2), peek(1), peek(2), pop(1), pop(2)},
                                                             {push(1), push(2), peek(1), peek(1), pop(2), pop(1)},
                                                             {push(1), push(2), peek(1), pop(-1), pop(2), pop(1)},
                                                             {push(1), push(2), push(3), peek(1), pop(3), pop(2)}}
                                       : std::vector<Sketch>{{push(1), push(2), peek(1), peek(2), pop(1)},
                                                             {push(1), push(2), pop(-1), pop(1), pop(2)}};
  for (Sketch set : sets) {
    std::sort(set.begin(), set.end(), [](const auto& a, const auto& b) { return a.method < b.method; });
    std::vector<std::size_t> order(set.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    do {
      Sketch sketch;
      for (const std::size_t i : order) sketch.push_back(set[i]);
      for_all_interleavings(sketch, false, [&](const Sketch& each) {
        if (cross.good()) cross.check(each);
      });
    } while (cross.good() && std::next_permutation(order.begin(), order.end()));
  }
  EXPECT_GT(cross.linearizable, 10'000U);
}

TEST(StackMonitor, AgreesWithTheOracleOnRandomHistories) {
  CrossCheck cross(kStackMonitor, kStack);
  cross.random(
      [](Random& random) {
        const bool peeks = below(random, 2) == 0;
        const bool empties = below(random, 2) == 0;
        return drafts(random, 6, peeks, empties, below(random, 4) == 0);
      },
      results(), 13);
  EXPECT_GT(cross.linearizable, cross.histories / 5);
  EXPECT_GT(cross.violations, cross.histories / 10);
  EXPECT_EQ(cross.undecided, 0U);
}

// Some errors show only where trees have more than one level and regions are merged.
TEST(StackMonitor, AgreesWithPlainEliminationOnMediumHistories) {
  MediumCheck check(kStackMonitor, kStack, [](const linchpin::history::Subhistory& part) {
    return ContainerReference(part, ContainerReference::Kind::stack).linearizable();
  });
  check.random(
      [](Random& random) {
        const bool peeks = below(random, 3) != 0;
        return drafts(random, 50, peeks, below(random, 4) != 0, false);
      },
      results());
  EXPECT_GT(check.linearizable, check.histories / 5);
  EXPECT_GT(check.violations, check.histories / 20);
}

}  // namespace stack_monitor_test
