// The paper's own examples, what its predicates miss as printed, and the words for what is wrong.
// That everything agrees with everything: tests/cross/priority_queues_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "research/check_pq/decider.hpp"
#include "research/check_pq/gap_points.hpp"
#include "research/check_pq/left_right_constraint.hpp"
#include "research/check_pq/sequential.hpp"
#include "support/oracle.hpp"
#include "support/sketch.hpp"
#include "support/thoroughness.hpp"
#include "types/priority_queue/specification.hpp"

namespace linchpin::research::check_pq_test {
namespace {

using namespace check_pq;        // NOLINT: the paper's vocabulary
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests
using testing::ElementsAre;
using types::PriorityQueue;

const auto kTotal = specification_of("priority-queue ties=fifo");
const auto kPaper = specification_of("priority-queue order=1<2,1<3 ties=fifo");

SketchedOperation put(std::int64_t value, std::int64_t priority, Tick call, Tick response) {
  return {.method = PriorityQueue::kInsert,
          .arguments = {Value::integer(value), Value::integer(priority)},
          .result = Value::none(),
          .call = call,
          .response = response};
}
SketchedOperation rm(std::int64_t value, Tick call, Tick response) {
  return {.method = PriorityQueue::kPoll,
          .arguments = {},
          .result = value < 0 ? Value::nil() : Value::integer(value),
          .call = call,
          .response = response};
}

core::Outcome outcome_of(const Sketch& sketch, const std::shared_ptr<const Specification>& specification = kTotal,
                         std::size_t which = 0) {
  const Built built = build(specification, sketch);
  const core::Decider& decider = check_pq_deciders()[which];
  const core::Applicability applicability = decider.applicable(built.part);
  EXPECT_TRUE(applicability.applies) << applicability.why;
  core::Budget budget{Limits{}};
  core::Outcome outcome = decider.decide(built.part, {.witness = true}, budget);
  EXPECT_EQ(outcome.verdict == Verdict::linearizable, Oracle(*specification).linearizable(built.part));
  return outcome;
}

/// A sequential execution: puts of values 1 and up, removes, and -1 for a remove that found nothing.
struct Sequential {
  Execution execution;
  Sequence sequence;
};
struct Operation {
  std::int64_t value = 0, priority = 0;  // priority 0: a remove
};
Sequential sequential(const std::vector<Operation>& operations,
                      const std::shared_ptr<const Specification>& specification = kTotal) {
  // The execution knows the values only; all of them are put.
  Sketch puts;
  std::vector<std::int64_t> values;
  Tick now = 0;
  for (const auto& [value, priority] : operations) {
    if (priority == 0) continue;
    puts.push_back(put(value, priority, now, now + 1));
    values.push_back(value);
    now += 2;
  }
  Sequential made;
  const Built built = build(specification, puts);
  made.execution = read_execution(built.part).execution;
  std::uint32_t empties = 0;
  for (const auto& [value, priority] : operations) {
    const auto which = static_cast<std::uint32_t>(std::find(values.begin(), values.end(), value) - values.begin());
    if (value < 0)
      made.sequence.push_back({Step::Kind::rm_empty, empties++});
    else
      made.sequence.push_back({priority == 0 ? Step::Kind::rm : Step::Kind::put, which});
  }
  return made;
}
bool accepted(const Sequential& made, Text text) { return check_pq_seq(made.execution, made.sequence, text); }

// Execution (1) of section 3.1: c, a, d, f, b are 3, 1, 4, 6, 2.
TEST(CheckPqSeq, AcceptsThePapersExample) {
  const std::vector<Operation> example{{3, 2}, {1, 1}, {1, 0}, {3, 0}, {-1, 0}, {4, 2}, {6, 3}, {6, 0}, {2, 1}};
  for (const Text text : {Text::printed, Text::mended}) {
    EXPECT_TRUE(accepted(sequential(example, kPaper), text));
    // With a removed after c, or anything inside when it is found empty, it is none.
    EXPECT_FALSE(accepted(sequential({{3, 2}, {1, 1}, {3, 0}, {1, 0}}, kPaper), text));
    EXPECT_FALSE(accepted(sequential({{3, 2}, {-1, 0}, {3, 0}}, kPaper), text));
  }
}

// docs/papers/concurrent-priority-queues.md: the smallest executions that the printed predicates let pass.
TEST(CheckPqSeq, AcceptsTooMuchAsPrinted) {
  const std::vector<std::vector<Operation>> none_of_a_priority_queue{
      {{1, 1}, {2, 1}, {2, 0}, {1, 0}},  // the later of two equals leaves first
      {{1, 1}, {1, 0}, {1, 0}},          // removed twice
      {{1, 1}, {2, 1}, {2, 0}},          // as the first, and the earlier one stays
  };
  for (const auto& operations : none_of_a_priority_queue) {
    EXPECT_TRUE(accepted(sequential(operations), Text::printed));
    EXPECT_FALSE(accepted(sequential(operations), Text::mended));
  }
}

// All sequences of up to five operations on three values: mended it is the specification; printed it never refuses what
// the specification allows, and is wrong from three operations on.
TEST(CheckPqSeq, IsTheSpecificationOnEverySmallSequenceOnceMended) {
  for (const auto& priorities : {std::array<std::int64_t, 3>{1, 1, 1}, {1, 2, 2}, {1, 2, 3}, {2, 2, 3}, {1, 1, 3}}) {
    const auto states = kPaper->make_states();
    std::size_t wrong = 0, shortest = SIZE_MAX, legal_count = 0;
    std::vector<Operation> sequence;
    const ValuePool pool;
    const std::function<void(std::optional<StateId>, std::uint32_t)> extend = [&](std::optional<StateId> state,
                                                                                  std::uint32_t is_put) {
      const Sequential made = sequential(sequence, kPaper);
      const bool legal = state.has_value();
      legal_count += legal ? 1 : 0;
      ASSERT_EQ(accepted(made, Text::mended), legal);
      const bool printed = accepted(made, Text::printed);
      ASSERT_TRUE(printed || !legal);
      if (printed != legal) {
        ++wrong;
        shortest = std::min(shortest, sequence.size());
      }
      if (sequence.size() == (test::few() ? 4 : 5)) return;
      const auto try_step = [&](const Operation& operation, std::uint16_t method, std::vector<Value> arguments,
                                Value result, std::uint32_t now_put) {
        std::vector<StateId> next;
        if (state) {
          states->successors(*state, {.method = method, .arguments = arguments, .result = result, .pool = &pool}, next);
        }
        sequence.push_back(operation);
        extend(next.empty() ? std::nullopt : std::optional(next[0]), now_put);
        sequence.pop_back();
      };
      for (std::int64_t v = 1; v <= 3; ++v) {
        const bool put_already = (is_put >> v & 1U) != 0;
        const std::int64_t priority = priorities[static_cast<std::size_t>(v) - 1];
        if (put_already) {
          try_step({v, 0}, PriorityQueue::kPoll, {}, Value::integer(v), is_put);
        } else {
          try_step({v, priority}, PriorityQueue::kInsert, {Value::integer(v), Value::integer(priority)}, Value::none(),
                   is_put | 1U << v);
        }
      }
      try_step({-1, 0}, PriorityQueue::kPoll, {}, Value::nil(), is_put);
    };
    extend(states->initial(), 0);
    EXPECT_GT(legal_count, test::few() ? 20U : 100U);
    EXPECT_GT(wrong, 0U);
    EXPECT_EQ(shortest, 3U);
  }
}

// Figure 2: at every moment of rm(b) one of d, e and f is inside. b, d, e, f are 2, 4, 5, 6.
TEST(CheckPq, SaysWhichValuesCoverAnother) {
  const Sketch figure{put(4, 1, 0, 1), put(2, 4, 2, 3),  rm(2, 4, 15),  put(5, 2, 5, 6),
                      rm(4, 7, 8),     put(6, 3, 9, 10), rm(5, 11, 12), rm(6, 16, 17)};
  const core::Outcome outcome = outcome_of(figure);
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.sentence, "2 is covered by 6, 5, 4");
  EXPECT_TRUE(outcome.core_minimal);
  EXPECT_EQ(outcome.core.size(), 8U);
  EXPECT_EQ(outcome_of(figure, kTotal, 1).sentence, "no linearization satisfies MatchedMaxPriority-Seq");
  // Found empty instead of b: the same three values cover it.
  EXPECT_EQ(outcome_of({put(4, 1, 0, 1), rm(-1, 4, 15), put(5, 2, 5, 6), rm(4, 7, 8), put(6, 3, 9, 10), rm(5, 11, 12),
                        rm(6, 16, 17)})
                .sentence,
            "rm(empty) is covered by 6, 5, 4");
}

// Figure 5: put(a) before put(b) in one priority, and b can be removed only before rm(a) is called.
TEST(CheckPq, SaysWhoIsPutBeforeAndRemovedTooLate) {
  const core::Outcome outcome =
      outcome_of({put(1, 4, 0, 1), put(2, 4, 2, 3), rm(2, 4, 12), put(3, 1, 5, 6), rm(1, 7, 20), rm(3, 13, 14)});
  EXPECT_EQ(outcome.sentence, "1 is put before 2, but the rightmost gap-point of 2 is before the call of rm(1)");
  EXPECT_EQ(outcome.core.size(), 6U);
}

TEST(CheckPq, NamesWhatASinglePriorityViolates) {
  EXPECT_EQ(outcome_of({put(1, 4, 0, 1), put(2, 4, 2, 3), rm(2, 4, 5), rm(1, 6, 7)}).sentence,
            "put(1) happens before put(2), of the same priority, but rm(2) happens before rm(1)");
  EXPECT_EQ(outcome_of({put(1, 4, 0, 1), put(2, 4, 2, 3), rm(2, 4, 5)}).sentence,
            "put(1) happens before put(2), of the same priority, but only 2 is removed");
  EXPECT_EQ(outcome_of({rm(1, 0, 1), put(1, 4, 2, 3)}).sentence, "rm(1) happens before put(1)");
  EXPECT_EQ(outcome_of({rm(1, 0, 1)}).sentence, "1 was removed and never put");
  EXPECT_EQ(outcome_of({put(1, 4, 0, 1), rm(1, 2, 3), rm(1, 4, 5)}).sentence, "1 was put once and removed twice");
}

TEST(CheckPq, ComparesOnlyWhatIsComparable) {
  const Sketch sketch{put(1, 2, 0, 1), put(2, 3, 2, 3), rm(2, 4, 5), rm(1, 6, 7)};
  EXPECT_EQ(outcome_of(sketch, kPaper).verdict, Verdict::linearizable);
  EXPECT_EQ(outcome_of(sketch).verdict, Verdict::violation);
}

// Definition 14 with closed intervals would leave 2 no gap-point here, though it may be removed as soon as rm(1) is
// called.
TEST(CheckPq, CountsTheMomentAfterACallAsAGapPoint) {
  const Sketch sketch{put(1, 1, 0, 1), put(2, 2, 2, 3), rm(2, 4, 6), rm(1, 5, 7)};
  EXPECT_EQ(outcome_of(sketch).verdict, Verdict::linearizable);
  const Built built = build(kTotal, sketch);
  const Reading reading = read_execution(built.part);
  const Projection e = Projection::whole(reading.execution);
  EXPECT_THAT(covering_values(e, 1), ElementsAre());
  EXPECT_EQ(rightmost_gap_point(e, 1), history::Rank(5));
}

TEST(CheckPq, SaysWhyItDoesNotApply) {
  const auto why = [](const Sketch& sketch) {
    return check_pq_deciders()[0].applicable(build(kTotal, sketch).part).why;
  };
  EXPECT_EQ(why({put(1, 1, 0, 1), put(1, 2, 2, 3)}), "value 1 is put twice");
  EXPECT_EQ(why({put(1, 1, 0, 1)}), "no value is put twice");
  Sketch pending{put(1, 1, 0, 1), rm(1, 2, kPending)};
  pending[1].result = Value::unknown();
  EXPECT_EQ(why(pending), "a remove is pending: the paper has completed executions only");
}

}  // namespace
}  // namespace linchpin::research::check_pq_test
