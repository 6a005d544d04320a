// Java's containers read as plain ones, against the oracle of Java's own specification.
#include "types/juc/as_container.hpp"

#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "support/thoroughness.hpp"
#include "types/juc/sequences.hpp"

namespace linchpin::types::juc {
namespace {

using test::Draft;
using test::Random;
using Methods = SequenceMethods;

/// Methods that plain containers have, now and then one that they lack; with the answers of each.
test::Drafter drafter(const Specification& specification, ValuePool& pool, std::int64_t values, std::size_t lacking) {
  const Value none_there = pool.string(kNoSuchElement), full = pool.string(kIllegalState);
  const bool is_deque = specification.methods().size() > Methods::kQueueMethodCount;
  return [=, next = std::int64_t{0}](Random& random) mutable {
    std::vector<std::uint16_t> methods{Methods::kAdd,     Methods::kOffer, Methods::kPut,     Methods::kPoll,
                                       Methods::kTake,    Methods::kPeek,  Methods::kElement, Methods::kSize,
                                       Methods::kIsEmpty, Methods::kRemove};
    if (is_deque) {
      for (std::uint16_t m = Methods::kAddFirst; m <= Methods::kGetLast; ++m) methods.push_back(m);
    }
    if (test::below(random, 100) < lacking) methods = {Methods::kContains};
    Draft draft{.method = methods[test::below(random, methods.size())], .arguments = {}, .results = {}};
    const Value value = Value::integer(
        values == 0 ? ++next : 1 + static_cast<std::int64_t>(test::below(random, static_cast<std::size_t>(values))));
    if (Methods::adds_one(draft.method) || draft.method == Methods::kContains) draft.arguments = {value};
    draft.results = {Value::none(), Value::nil(), Value::boolean(true), Value::boolean(false), none_there, full};
    for (std::int64_t v = 0; v <= 12; ++v) draft.results.push_back(Value::integer(v));
    return draft;
  };
}

struct Row {
  const char* type;
  std::int64_t values;  // how many; 0: none is added twice
};

class AsContainer : public testing::TestWithParam<Row> {};

TEST_P(AsContainer, AgreesWithTheOracle) {
  const auto specification = test::specification_of(GetParam().type);
  test::Oracle oracle(*specification);
  const auto states = specification->make_states();
  Random random(test::environment_number("LINCHPIN_CROSS_SEED", 11));
  std::size_t applied = 0, decided = 0, linearizable = 0;
  const std::size_t count = test::random_histories(6000);
  for (std::size_t i = 0; i < count && !HasFailure(); ++i) {
    if (states->bound() > 100'000) states->retain({});
    ValuePool& pool = test::sketch_pool();
    const auto draft = drafter(*specification, pool, GetParam().values, i % 10 == 0 ? 20 : 0);
    test::Sketch sketch = test::random_sketch(random, *states, draft,
                                              {.operations = 1 + test::below(random, 9),
                                               .most_open = 1 + test::below(random, 5),
                                               .pending = std::array{0.0, 0.1, 0.3}[test::below(random, 3)],
                                               .by_simulation = test::below(random, 8) != 0});
    if (test::below(random, 2) == 0) {
      test::mutate(random, sketch, std::vector<Value>{Value::nil(), Value::integer(1), Value::integer(2)});
    }
    if (!std::all_of(sketch.begin(), sketch.end(), [](const auto& o) { return o.call < o.response; })) continue;
    const test::Built built = test::build(specification, sketch);
    const core::Decider* decider = nullptr;
    core::Applicability applicability;
    for (const core::Decider* const each : {&kAsContainer, &kContainerSearch, &kContainerLift}) {
      applicability = each->applicable(built.part);
      if (!applicability.applies) continue;
      decider = each;
      break;
    }
    if (decider == nullptr) continue;
    ++applied;
    core::Budget budget{Limits{}};
    const core::Outcome outcome =
        decider->decide(built.part, {.witness = true, .reading = applicability.reading}, budget);
    if (outcome.verdict == Verdict::unknown) continue;
    ++decided;
    const bool truth = oracle.linearizable(built.part);
    ASSERT_EQ(outcome.verdict == Verdict::linearizable, truth) << test::to_text(built.part) << outcome.sentence;
    linearizable += truth ? 1 : 0;
    if (truth) {
      ASSERT_TRUE(oracle.valid_witness(built.part, outcome.witness)) << test::to_text(built.part);
    } else if (!outcome.core.empty()) {
      ASSERT_FALSE(oracle.linearizable(history::restrict(built.part, outcome.core)))
          << test::to_text(built.part) << outcome.sentence;
    }
  }
  EXPECT_GT(applied, count / 10);
  EXPECT_GT(decided, applied / 2);
  EXPECT_GT(linearizable, decided / 10);
  EXPECT_LT(linearizable, decided - decided / 50);
}

INSTANTIATE_TEST_SUITE_P(Classes, AsContainer,
                         testing::Values(Row{"ConcurrentLinkedQueue", 0}, Row{"LinkedTransferQueue", 2},
                                         Row{"ArrayBlockingQueue capacity=2", 0}, Row{"LinkedBlockingDeque", 0},
                                         Row{"LinkedBlockingDeque capacity=1", 0},
                                         Row{"LinkedBlockingDeque capacity=3", 2}, Row{"ConcurrentLinkedDeque", 2},
                                         Row{"PriorityBlockingQueue", 0}, Row{"PriorityBlockingQueue", 2}),
                         [](const auto& row) { return "Row" + std::to_string(row.index); });

}  // namespace
}  // namespace linchpin::types::juc
