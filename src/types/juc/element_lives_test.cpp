// What elements that are put in once refute, against the oracle of Java's own specification.
#include "types/juc/element_lives.hpp"

#include <cstdio>

#include <gtest/gtest.h>

#include "support/java_drafts.hpp"
#include "support/thoroughness.hpp"

namespace linchpin::types::juc::element_lives_test {
namespace {

class ElementLives : public testing::TestWithParam<const char*> {};

TEST_P(ElementLives, RefuteOnlyWhatTheOracleRefutes) {
  const auto specification = test::specification_of(GetParam());
  std::size_t refuted = 0, violations = 0;
  const auto draft = draft_collection(*specification, test::sketch_pool(), Drafted::once);
  each_random_java_history(specification, draft, 10, 3, test::random_histories(3000),
                           [&](const test::Built& built, test::Oracle& oracle) {
                             core::Budget budget{Limits{}};
                             const core::Outcome outcome = refute_lives(built.part, {}, budget);
                             const bool truth = oracle.linearizable(built.part);
                             violations += truth ? 0 : 1;
                             if (outcome.verdict == Verdict::unknown) return true;
                             ++refuted;
                             EXPECT_FALSE(truth) << test::to_text(built.part) << outcome.sentence;
                             EXPECT_FALSE(outcome.sentence.empty());
                             EXPECT_FALSE(oracle.linearizable(history::restrict(built.part, outcome.core)))
                                 << test::to_text(built.part) << outcome.sentence;
                             return !HasFailure();
                           });
  EXPECT_GT(refuted, violations / 200);
  if (test::thorough()) std::printf("%s: %zu of %zu violations refuted\n", GetParam(), refuted, violations);
}

class ElementLivesOfAllSmall : public testing::TestWithParam<const char*> {};

TEST_P(ElementLivesOfAllSmall, RefuteOnlyWhatTheOracleRefutes) {
  const auto specification = test::specification_of(GetParam());
  test::Oracle oracle(*specification);
  std::size_t refuted = 0, violations = 0;
  each_small_java_history(*specification, test::sketch_pool(), [&](const test::Sketch& each) {
    const test::Built built = test::build(specification, each);
    core::Budget budget{Limits{}};
    const core::Outcome outcome = refute_lives(built.part, {}, budget);
    const bool truth = oracle.linearizable(built.part);
    violations += truth ? 0 : 1;
    if (outcome.verdict == Verdict::unknown) return;
    ++refuted;
    ASSERT_FALSE(truth) << test::to_text(built.part) << outcome.sentence;
    ASSERT_FALSE(oracle.linearizable(history::restrict(built.part, outcome.core)))
        << test::to_text(built.part) << outcome.sentence;
  });
  EXPECT_GT(refuted, 200U);
  EXPECT_GT(violations, refuted);
}

INSTANTIATE_TEST_SUITE_P(Classes, ElementLivesOfAllSmall,
                         testing::Values("ConcurrentLinkedQueue", "LinkedBlockingDeque", "PriorityBlockingQueue"));

INSTANTIATE_TEST_SUITE_P(Classes, ElementLives,
                         testing::Values("ConcurrentLinkedQueue", "ArrayBlockingQueue capacity=2",
                                         "LinkedBlockingDeque", "PriorityBlockingQueue"),
                         [](const auto& container) {
                           const std::string name(container.param);
                           return name.substr(0, name.find(' '));
                         });

}  // namespace
}  // namespace linchpin::types::juc::element_lives_test
