// The search over contents of Java's collections against the oracle.
#include "types/juc/contents.hpp"

#include <gtest/gtest.h>

#include "support/java_drafts.hpp"
#include "support/search_check.hpp"

namespace linchpin::types::juc::contents_test {
namespace {

struct Row {
  const char* type;
  Drafted drafted;
  std::size_t width;  // one makes it go back often
};

class JavaContentsOf : public testing::TestWithParam<Row> {};

TEST_P(JavaContentsOf, AgreesWithTheOracle) {
  const Row& row = GetParam();
  const auto specification = test::specification_of(row.type);
  ValuePool& pool = test::sketch_pool();
  test::SearchCheck check{
      .specification = specification,
      .applicable = kContents.applicable,
      .decide =
          [width = row.width](const history::Subhistory& part, core::Budget& budget) {
            const auto search = start_few_contents(part, {.witness = true}, width);
            while (!search->run(100, budget)) {
            }
            return search->outcome();
          },
      .results = {Value::nil(), Value::none(), Value::boolean(true), Value::boolean(false), Value::integer(1),
                  Value::integer(2), pool.string("[1]"), pool.string("[2, 1]"), pool.string(kNoSuchElement)}};
  check.random(draft_collection(*specification, pool, row.drafted), 11, 700);
  EXPECT_GT(check.applied, check.drawn / 4);
}

INSTANTIATE_TEST_SUITE_P(Classes, JavaContentsOf,
                         testing::Values(Row{"ConcurrentLinkedQueue", Drafted::once, 24},
                                         Row{"LinkedTransferQueue", Drafted::few, 1},
                                         Row{"LinkedBlockingQueue", Drafted::odd, 24},
                                         Row{"ArrayBlockingQueue capacity=2", Drafted::once, 1},
                                         Row{"ArrayBlockingQueue capacity=2", Drafted::few, 24},
                                         Row{"LinkedBlockingDeque", Drafted::once, 1},
                                         Row{"LinkedBlockingDeque capacity=2", Drafted::once, 24},
                                         Row{"ConcurrentLinkedDeque", Drafted::few, 1},
                                         Row{"PriorityBlockingQueue", Drafted::once, 24},
                                         Row{"PriorityBlockingQueue", Drafted::few, 1}),
                         [](const auto& row) { return "Row" + std::to_string(row.index); });

class JavaContentsOfAllSmall : public testing::TestWithParam<const char*> {};

TEST_P(JavaContentsOfAllSmall, AgreesWithTheOracle) {
  const auto specification = test::specification_of(GetParam());
  ValuePool& pool = test::sketch_pool();
  test::Oracle oracle(*specification);
  std::size_t linearizable = 0, violations = 0;
  each_small_java_history(*specification, pool, [&](const test::Sketch& each) {
    const test::Built built = test::build(specification, each);
    const bool truth = oracle.linearizable(built.part);
    ++(truth ? linearizable : violations);
    for (const std::size_t width : {1U, 24U}) {
      core::Budget budget{Limits{}};
      const auto search = start_few_contents(built.part, {.witness = true}, width);
      while (!search->run(100, budget)) {
      }
      const core::Outcome outcome = search->outcome();
      ASSERT_EQ(outcome.verdict, truth ? Verdict::linearizable : Verdict::violation) << test::to_text(built.part);
      if (truth) {
        ASSERT_TRUE(oracle.valid_witness(built.part, outcome.witness)) << test::to_text(built.part);
      }
    }
  });
  EXPECT_GT(linearizable, 1000U);
  EXPECT_GT(violations, 1000U);
}

INSTANTIATE_TEST_SUITE_P(Classes, JavaContentsOfAllSmall,
                         testing::Values("ConcurrentLinkedQueue", "LinkedBlockingDeque", "PriorityBlockingQueue"));

core::Outcome decide(const char* type, const test::Sketch& sketch) {
  const test::Built built = test::build(test::specification_of(type), sketch);
  core::Budget budget{Limits{}};
  return kContents.decide(built.part, {.witness = true}, budget);
}

using Methods = SequenceMethods;

// The one that is hidden is open while an element is inside that has to stay.
TEST(JavaContents, AClearThatAnotherOneHidesNeedNotBeDone) {
  const Value one = Value::integer(1), yes = Value::boolean(true);
  const test::Sketch sketch{
      {.method = Methods::kClear, .arguments = {}, .result = Value::none(), .call = 0, .response = 9},
      {.method = Methods::kClear, .arguments = {}, .result = Value::none(), .call = 1, .response = 2},
      {.method = Methods::kAdd, .arguments = {one}, .result = yes, .call = 3, .response = 4},
      {.method = Methods::kContains, .arguments = {one}, .result = yes, .call = 10, .response = 11}};
  EXPECT_EQ(decide("ConcurrentLinkedQueue", sketch).verdict, Verdict::linearizable);
}

TEST(JavaContents, AnElementIsNotPrintedAfterAClearThatCameBehindIt) {
  const Value one = Value::integer(1), printed = test::sketch_pool().string("[1]");
  const test::Sketch sketch{
      {.method = Methods::kPut, .arguments = {one}, .result = Value::none(), .call = 0, .response = 1},
      {.method = Methods::kClear, .arguments = {}, .result = Value::none(), .call = 2, .response = 4},
      {.method = Methods::kSize, .arguments = {}, .result = Value::integer(1), .call = 3, .response = 5},
      {.method = Methods::kToString, .arguments = {}, .result = printed, .call = 6, .response = 7}};
  const core::Outcome outcome = decide("LinkedBlockingDeque", sketch);
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace linchpin::types::juc::contents_test
