// A container plugged in from outside is decided by its own rules, and the rules are held against the search.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../../examples/custom_container/job_pool.hpp"
#include "linchpin/check.hpp"
#include "support/held.hpp"
#include "support/oracle.hpp"
#include "support/sketch.hpp"

namespace linchpin {
namespace {

using namespace test;  // NOLINT: the vocabulary of these tests

const auto kJobPool = specify_container<JobPool>("job-pool");

SketchedOperation submit(std::int64_t job, Tick call, Tick response, bool urgent = false) {
  return {.method = urgent ? JobPool::kSubmitUrgent : JobPool::kSubmit,
          .arguments = {Value::integer(job)},
          .call = call,
          .response = response};
}
SketchedOperation submit_urgent(std::int64_t job, Tick call, Tick response) {
  return submit(job, call, response, true);
}
SketchedOperation take(Value job, Tick call, Tick response) {
  return {.method = JobPool::kTake, .result = job, .call = call, .response = response};
}
Value job(std::int64_t number) { return Value::integer(number); }

ObjectVerdict checked(const Sketch& sketch, const std::shared_ptr<const Specification>& specification = kJobPool,
                      std::string decider = {}) {
  const Built built = build(specification, sketch);
  CheckOptions options;
  options.specification = specification;
  options.decider = std::move(decider);
  options.verify = linchpin::Verify::thoroughly;
  options.threads = 1;
  const auto verdict = check(*built.history, options);
  EXPECT_TRUE(verdict) << verdict.error().to_string();
  return verdict ? verdict->objects[0] : ObjectVerdict{};
}

TEST(CustomContainer, IsDecidedByItsOwnRulesWithEvidence) {
  const ObjectVerdict good = checked(
      {submit(1, 1, 6), submit_urgent(2, 2, 3), take(job(1), 4, 5), take(job(2), 7, 8), take(Value::nil(), 9, 10)});
  EXPECT_EQ(good.verdict, Verdict::violation) << "2 was inside and urgent when 1 was taken";
  EXPECT_EQ(good.decider, "decrease-and-conquer");
  EXPECT_EQ(good.why, "no value is added twice");
  EXPECT_EQ(good.core_checked, true);
  EXPECT_EQ(good.violation->core, (std::vector<OperationIndex>{0, 1, 2}));

  const ObjectVerdict concurrent = checked(
      {submit(1, 1, 6), submit_urgent(2, 2, 8), take(job(1), 4, 5), take(job(2), 7, 9), take(Value::nil(), 10, 11)});
  EXPECT_EQ(concurrent.verdict, Verdict::linearizable);
  EXPECT_EQ(concurrent.decider, "decrease-and-conquer");
  EXPECT_EQ(concurrent.witness_checked, true);
}

TEST(CustomContainer, SaysWhatBlocksWhat) {
  const ObjectVerdict verdict = checked({submit(1, 1, 2), submit_urgent(2, 3, 4), take(job(1), 5, 6)});
  ASSERT_TRUE(verdict.violation);
  EXPECT_EQ(verdict.violation->sentence,
            "1 and 2 block each other: each has an operation for which another of them leaves no moment");
}

TEST(CustomContainer, GoesToTheSearchWhereAValueIsAddedTwice) {
  const ObjectVerdict verdict = checked({submit(1, 1, 2), submit_urgent(1, 3, 4), take(job(1), 5, 6)});
  EXPECT_EQ(verdict.verdict, Verdict::linearizable);
  EXPECT_EQ(verdict.decider, "search");
  EXPECT_EQ(verdict.why, "value 1 is added twice");
}

TEST(CustomContainer, TriesWhatPendingTakesMayHaveTaken) {
  const SketchedOperation lost = take(Value::unknown(), 5, kPending);
  EXPECT_EQ(checked({submit(1, 1, 2), submit_urgent(2, 3, 4), lost, take(job(1), 6, 7)}).verdict,
            Verdict::linearizable);
  const ObjectVerdict refuted =
      checked({submit(1, 1, 2), submit_urgent(2, 3, 4), submit_urgent(3, 3, 4), lost, take(job(1), 6, 7)});
  EXPECT_EQ(refuted.verdict, Verdict::violation);
  EXPECT_EQ(refuted.core_checked, true);
}

/// Draws a history of any kind for a specification with JobPool's methods.
Sketch draw(Random& random, StateTable& states) {
  const Drafter drafter = [next = std::int64_t{1}](Random& generator) mutable {
    if (below(generator, 2) == 0) {
      const std::uint16_t method = below(generator, 2) == 0 ? JobPool::kSubmit : JobPool::kSubmitUrgent;
      return Draft{method, {job(next++)}, {Value::none()}};
    }
    std::vector<Value> results{Value::nil()};
    for (std::int64_t each = 1; each < next; ++each) results.push_back(job(each));
    return Draft{JobPool::kTake, {}, results};
  };
  Sketch sketch = random_sketch(random, states, drafter,
                                {.operations = 1 + below(random, 10),
                                 .most_open = 1 + below(random, 5),
                                 .pending = below(random, 2) == 0 ? 0.0 : 0.2,
                                 .by_simulation = below(random, 8) != 0});
  if (below(random, 2) == 0) mutate(random, sketch, {Value::nil(), job(1), job(2), job(3)});
  return sketch;
}

TEST(CustomContainer, AgreesWithTheOracleOnRandomHistories) {
  const auto states = kJobPool->make_states();
  Oracle oracle(*kJobPool);
  Random random(20240607);
  std::size_t by_rules = 0, linearizable = 0;
  for (int i = 0; i < 20'000; ++i) {
    if (states->bound() > 100'000) states->retain({});
    const Sketch sketch = draw(random, *states);
    if (!valid(sketch)) continue;
    const Built built = build(kJobPool, sketch);
    const bool truth = oracle.linearizable(built.part);
    const ObjectVerdict verdict = checked(sketch);
    ASSERT_EQ(verdict.verdict, truth ? Verdict::linearizable : Verdict::violation) << verdict.decider << "\n"
                                                                                   << to_text(built.part);
    ASSERT_EQ(test::what_did_not_hold(verdict), "") << to_text(built.part);
    by_rules += verdict.decider == "decrease-and-conquer" ? 1 : 0;
    linearizable += truth ? 1 : 0;
  }
  EXPECT_GT(by_rules, 18'000U);
  EXPECT_GT(linearizable, 5'000U);
  EXPECT_LT(linearizable, 18'000U);
}

/// Forgets that urgent jobs go first.
struct WrongRules : JobPool {
  static std::optional<std::uint32_t> linearizability_preserving_value(const ContainerHistory& history) {
    return safe_value(history);
  }
};

TEST(CustomContainer, AnswersOfWrongRulesAreTakenBackAndTheSearchDecides) {
  const auto wrong = specify_container<WrongRules>("job-pool");
  const auto states = wrong->make_states();
  Random random(20240607);
  int taken_back = 0;
  for (int i = 0; i < 300; ++i) {
    const Sketch sketch = draw(random, *states);
    if (!valid(sketch)) continue;
    const ObjectVerdict verdict = checked(sketch, wrong);
    EXPECT_EQ(verdict.verdict, checked(sketch, wrong, "depth-first").verdict);
    if (verdict.refused_evidence.empty()) continue;
    EXPECT_EQ(verdict.refused_evidence[0].decider, "decrease-and-conquer");
    EXPECT_NE(verdict.decider, "decrease-and-conquer");
    // The order may be wrong where there is a right one, too.
    taken_back += verdict.refused_evidence[0].claimed != verdict.verdict ? 1 : 0;
  }
  EXPECT_GT(taken_back, 3);
}

TEST(CustomContainer, AnAnswerThatDoesNotHoldIsNoneWhereNothingElseMayDecide) {
  const auto wrong = specify_container<WrongRules>("job-pool");
  const ObjectVerdict verdict =
      checked({submit(1, 1, 2), submit_urgent(2, 3, 4), take(job(1), 5, 6)}, wrong, "decrease-and-conquer");
  EXPECT_EQ(verdict.verdict, Verdict::unknown);
  EXPECT_EQ(verdict.reason, Reason::internal);
  ASSERT_EQ(verdict.refused_evidence.size(), 1U);
  EXPECT_EQ(verdict.refused_evidence[0].claimed, Verdict::linearizable);
  EXPECT_THAT(verdict.refused_evidence[0].why, ::testing::HasSubstr("take() -> 1, is illegal where it stands"));
  EXPECT_FALSE(verdict.witness);
}

TEST(CustomContainer, LongHistoriesAreDecided) {
  // Forty jobs at once, four times over: no search would come to an end.
  Sketch sketch;
  for (std::int64_t round = 0; round < 4; ++round) {
    for (std::int64_t each = 0; each < 40; ++each) {
      sketch.push_back(submit(40 * round + each, 100 * round + each % 7, 100 * round + 40 + each % 5, each % 2 == 0));
      sketch.push_back(take(job(40 * round + (each * 7) % 40), 100 * round + 50 + each % 7, 100 * round + 95));
    }
  }
  const ObjectVerdict verdict = checked(sketch);
  EXPECT_EQ(verdict.verdict, Verdict::linearizable);
  EXPECT_EQ(verdict.witness_checked, true);
}

}  // namespace
}  // namespace linchpin
