// The thesis's own examples, what its text accepts or refuses wrongly, and that evidence takes wrong answers back.
// How often it is wrong, on all small histories and random ones: tests/cross/value_blocks_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linchpin/check.hpp"
#include "research/value_blocks/blocks.hpp"
#include "research/value_blocks/decider.hpp"
#include "support/oracle.hpp"
#include "support/sketch.hpp"
#include "types/cas_register/specification.hpp"

namespace linchpin::research::value_blocks_test {
namespace {

using namespace value_blocks;    // NOLINT: the thesis's vocabulary
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests
using history::Rank;
using testing::ElementsAre;
using testing::HasSubstr;
using types::CasRegister;

constexpr std::string_view kType = "cas-register initial=undefined";

SketchedOperation write(std::int64_t value, Tick call, Tick response) {
  return {.method = CasRegister::kWrite, .arguments = {Value::integer(value)}, .call = call, .response = response};
}
SketchedOperation read(std::int64_t value, Tick call, Tick response) {
  return {.method = CasRegister::kRead, .result = Value::integer(value), .call = call, .response = response};
}
SketchedOperation cas(std::int64_t from, std::int64_t to, bool done, Tick call, Tick response) {
  return {.method = CasRegister::kCas,
          .arguments = {Value::integer(from), Value::integer(to)},
          .result = Value::boolean(done),
          .call = call,
          .response = response};
}
SketchedOperation true_cas(std::int64_t from, std::int64_t to, Tick call, Tick response) {
  return cas(from, to, true, call, response);
}
/// !value, in the thesis's notation.
SketchedOperation false_cas(std::int64_t value, Tick call, Tick response) {
  return cas(value, 90, false, call, response);
}

struct Decided {
  bool truth = false;
  core::Outcome outcome;
  bool valid = false;  ///< the witness, or the core

  [[nodiscard]] bool accepts() const { return outcome.verdict == Verdict::linearizable; }
};

Decided decided(const Sketch& sketch, std::size_t which = 0) {
  const auto specification = specification_of(kType);
  const Built built = build(specification, sketch);
  const core::Decider& decider = value_block_deciders()[which];
  const core::Applicability applicability = decider.applicable(built.part);
  EXPECT_TRUE(applicability.applies) << applicability.why;
  core::Budget budget{Limits{}};
  Oracle oracle(*specification);
  Decided decided{.truth = oracle.linearizable(built.part),
                  .outcome = decider.decide(built.part, {.witness = true}, budget)};
  decided.valid = decided.accepts() ? oracle.valid_witness(built.part, decided.outcome.witness)
                                    : !oracle.linearizable(history::restrict(built.part, decided.outcome.core));
  return decided;
}

void expect_accepted(const Sketch& sketch) {
  const Decided each = decided(sketch);
  EXPECT_TRUE(each.truth);
  EXPECT_TRUE(each.accepts()) << each.outcome.sentence;
  EXPECT_TRUE(each.valid);
}
void expect_refused(const Sketch& sketch, const std::string& sentence) {
  const Decided each = decided(sketch);
  EXPECT_FALSE(each.truth);
  EXPECT_FALSE(each.accepts());
  EXPECT_TRUE(each.valid);
  EXPECT_THAT(each.outcome.sentence, HasSubstr(sentence));
}

std::string obstacle_of(const Sketch& sketch, std::string_view type = kType) {
  const Built built = build(specification_of(type), sketch);
  return value_block_deciders()[0].applicable(built.part).why;
}

TEST(ValueBlocks, TakeWhatTheThesisAssumesOnly) {
  EXPECT_EQ(obstacle_of({write(1, 0, 1)}), "no value is written twice and no false CAS overlaps a write");
  EXPECT_EQ(obstacle_of({write(1, 0, 1)}, "cas-register"), "the register does not start undefined");
  EXPECT_EQ(obstacle_of({write(1, 0, 1), true_cas(1, 1, 2, 3)}), "value 1 is written twice");
  EXPECT_EQ(obstacle_of({write(1, 0, kPending)}), "an operation is pending, and the thesis has none");
  // Figure 15: a false CAS that overlaps a write.
  EXPECT_THAT(obstacle_of({write(1, 0, 3), write(2, 1, 6), false_cas(2, 4, 5)}), HasSubstr("overlaps write(2)"));
  EXPECT_THAT(obstacle_of({write(1, 0, 1), true_cas(1, 2, 2, 5), false_cas(2, 3, 4)}), HasSubstr("overlaps cas(1, 2)"));
}

TEST(ValueBlocks, OrderTheHistoryOfFigure1) {
  const Decided figure = decided({write(2, 0, 3), write(3, 1, 5), read(3, 2, 6), write(1, 7, 8)});
  EXPECT_TRUE(figure.accepts());
  EXPECT_THAT(figure.outcome.witness, ElementsAre(0, 1, 2, 3));
}

TEST(ValueBlocks, JoinTheChainsOfFigure8) {
  expect_accepted({write(1, 0, 4), write(2, 1, 5), true_cas(1, 3, 2, 6), true_cas(2, 4, 3, 7)});
  expect_refused({write(1, 0, 1), true_cas(1, 2, 2, 3), true_cas(1, 3, 4, 5)}, "replace one value");
  expect_refused({true_cas(1, 2, 0, 3), true_cas(2, 3, 1, 4), true_cas(3, 1, 2, 5)}, "leads back to it");
  expect_refused({write(1, 0, 1), true_cas(1, 2, 4, 5), read(1, 6, 7)}, "directly before 2");
}

TEST(ValueBlocks, RefuseIntervalsThatExcludeEachOther) {
  expect_refused({write(1, 0, 1), write(2, 2, 3), read(1, 4, 5)}, "leaves no moment for 2");
  expect_refused({write(1, 0, 2), write(2, 1, 4), read(1, 3, 6), read(2, 5, 7), read(1, 8, 9)}, "in memory throughout");
  expect_refused({read(1, 0, 1), write(1, 2, 3)}, "returned before write(1) was called");
  expect_refused({write(1, 0, 1), read(2, 2, 3)}, "nobody writes 2");
}

// Values 1 and 3 have forward intervals, 2 and 4 reverse ones; 1 is inside 2, 3 not inside 4.
TEST(ValueBlocks, AreThoseOfFigure10) {
  const std::vector<Interval> intervals{{.start = 1, .end = 2},
                                        {.start = 0, .end = 3, .reversed = true},
                                        {.start = 6, .end = 8},
                                        {.start = 5, .end = 7, .reversed = true}};
  EXPECT_THAT(make_blocks(intervals), ElementsAre(ElementsAre(0, 1), ElementsAre(3), ElementsAre(2)));
}

TEST(ValueBlocks, AreThoseOfFigure11) {
  std::vector<Interval> intervals;
  for (const auto& [start, end] : {std::pair{0U, 2U}, {1U, 5U}, {4U, 6U}, {7U, 10U}, {8U, 11U}, {9U, 12U}}) {
    intervals.push_back({.start = Rank(start), .end = Rank(end), .reversed = true});
  }
  EXPECT_THAT(make_blocks(intervals), ElementsAre(ElementsAre(0, 1), ElementsAre(1, 2), ElementsAre(3, 4, 5)));
}

// !2 is resolved by 1 and !1 by 2, but only one of the two values is there.
TEST(ValueBlocks, RefuseTheMutuallyExclusiveFalseCasesOfFigure18) {
  const Sketch writes{write(1, 0, 2), write(2, 1, 3)};
  const auto with = [&](std::initializer_list<SketchedOperation> more) {
    Sketch sketch = writes;
    sketch.insert(sketch.end(), more);
    return sketch;
  };
  expect_accepted(with({false_cas(1, 4, 6)}));
  expect_accepted(with({false_cas(2, 5, 7)}));
  expect_refused(with({false_cas(1, 4, 6), false_cas(2, 5, 7)}), "no value resolves");
}

TEST(ValueBlocks, WantAValueForEachFalseCas) {
  expect_refused({false_cas(1, 0, 1), write(1, 2, 3)}, "no value resolves");
  expect_accepted({write(1, 0, 1), true_cas(1, 2, 2, 3), false_cas(1, 4, 5), read(2, 6, 7)});
  expect_refused({write(1, 0, 1), true_cas(1, 2, 2, 3), false_cas(2, 4, 5)}, "no value resolves");
}

// Only neighbours of a chain are compared. 3 was read and done with before 1 was written.
const Sketch kLongChain{write(1, 7, 10), true_cas(1, 2, 5, 8), true_cas(2, 3, 4, 9), read(3, 3, 6)};

TEST(ValueBlocks, AcceptAChainThatRunsBackwards) {
  const Decided chain = decided(kLongChain);
  EXPECT_FALSE(chain.truth);
  EXPECT_TRUE(chain.accepts());
  EXPECT_FALSE(chain.valid);
}

TEST(ValueBlocks, AreTakenBackWhereTheirEvidenceDoesNotHold) {
  const Built built = build(specification_of(kType), kLongChain);
  CheckOptions options;
  options.specification = specification_of(kType);
  options.decider = "value-blocks";
  const auto asked = check(*built.history, options);
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->verdict, Verdict::unknown);
  EXPECT_EQ(asked->objects[0].reason, Reason::internal);
  options.decider.clear();
  EXPECT_EQ(check(*built.history, options)->verdict, Verdict::violation);
}

// The letter of Figure 16: a read of 3 that has begun keeps 2 from being a resolver, although 3 is written later; and
// the first value of a chain stays one, although it has been replaced.
TEST(ValueBlocks, AsPrintedAreWrongAboutFalseCasesInBothWays) {
  const Sketch good{write(1, 0, 1), true_cas(1, 2, 2, 3), read(3, 4, 9), false_cas(1, 5, 6), true_cas(2, 3, 7, 8)};
  expect_accepted(good);
  EXPECT_FALSE(decided(good, 1).accepts());
  const Sketch bad{write(1, 0, 1), true_cas(1, 2, 2, 3), false_cas(2, 4, 5)};
  EXPECT_TRUE(decided(bad, 1).accepts());
  EXPECT_FALSE(decided(bad, 1).valid);
}

}  // namespace
}  // namespace linchpin::research::value_blocks_test
