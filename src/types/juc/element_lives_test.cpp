// What elements that are put in once refute, against the oracle of Java's own specification.
#include "types/juc/element_lives.hpp"

#include <array>
#include <cstdio>

#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "support/java_drafts.hpp"
#include "support/thoroughness.hpp"

namespace linchpin::types::juc::element_lives_test {
namespace {

using test::below;

class ElementLives : public testing::TestWithParam<const char*> {};

TEST_P(ElementLives, RefuteOnlyWhatTheOracleRefutes) {
  const auto specification = test::specification_of(GetParam());
  test::Oracle oracle(*specification);
  const auto states = specification->make_states();
  test::Random random(test::environment_number("LINCHPIN_CROSS_SEED", 11));
  std::size_t refuted = 0, violations = 0;
  const std::size_t count = test::random_histories(3000);
  const auto draft = draft_collection(*specification, test::sketch_pool(), Drafted::once);
  for (std::size_t i = 0; i < count && !HasFailure(); ++i) {
    if (states->bound() > 100'000) states->retain({});
    test::Sketch sketch = test::random_sketch(random, *states, draft,
                                              {.operations = 1 + below(random, 10),
                                               .most_open = 1 + below(random, 4),
                                               .pending = std::array{0.0, 0.1, 0.3}[below(random, 3)],
                                               .by_simulation = below(random, 8) != 0,
                                               .processes = below(random, 4) == 0 ? 1 + below(random, 4) : 0,
                                               .promised = std::array{0.0, 0.5}[below(random, 2)],
                                               .lost = std::array{0.0, 0.15}[below(random, 2)]});
    if (below(random, 4) != 0) test::mutate(random, sketch, draft(random).results, below(random, 2) == 0);
    if (below(random, 4) == 0) test::tie(sketch);
    if (!test::valid(sketch) || !test::takes(*specification, sketch)) continue;
    const test::Built built = test::build(specification, sketch, below(random, 8) == 0);
    core::Budget budget{Limits{}};
    const core::Outcome outcome = refute_lives(built.part, {}, budget);
    const bool truth = oracle.linearizable(built.part);
    violations += truth ? 0 : 1;
    if (outcome.verdict == Verdict::unknown) continue;
    ++refuted;
    ASSERT_FALSE(truth) << test::to_text(built.part) << outcome.sentence;
    ASSERT_FALSE(outcome.sentence.empty());
    ASSERT_FALSE(oracle.linearizable(history::restrict(built.part, outcome.core)))
        << test::to_text(built.part) << outcome.sentence;
  }
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
