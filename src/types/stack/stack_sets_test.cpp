// Sets of stacks, and the search over them for histories in which values repeat.
#include "types/stack/set_search.hpp"

#include <gtest/gtest.h>

#include "support/search_check.hpp"
#include "types/shared/stack_sets.hpp"
#include "types/stack/specification.hpp"

namespace linchpin {
namespace {

using algo::ValueNumber;
using test::Draft;
using test::Random;
using types::Stack;
using types::StackSets;

StackSets::Set stack_of(StackSets& sets, std::initializer_list<ValueNumber> values) {
  StackSets::Set set = StackSets::kEmptyStack;
  for (const ValueNumber value : values) set = sets.push(value, set);
  return set;
}

TEST(StackSets, EqualSetsHaveEqualIds) {
  StackSets sets;
  const auto a = sets.unite(stack_of(sets, {1, 2}), stack_of(sets, {2, 1}));
  const auto b = sets.unite(stack_of(sets, {2, 1}), stack_of(sets, {1, 2}));
  EXPECT_EQ(a, b);
  EXPECT_EQ(sets.pop(2, a), stack_of(sets, {1}));
  EXPECT_EQ(sets.pop(3, a), StackSets::kNothing);
  EXPECT_EQ(sets.pop_any(a), sets.unite(stack_of(sets, {1}), stack_of(sets, {2})));
}

TEST(StackSets, IntersectKeepsCommonStacksOnly) {
  StackSets sets;
  const auto left = sets.unite(stack_of(sets, {1, 2, 3}), stack_of(sets, {2, 1, 3}));
  const auto right = sets.unite(stack_of(sets, {2, 1, 3}), stack_of(sets, {3, 1, 2}));
  EXPECT_EQ(sets.intersect(left, right), stack_of(sets, {2, 1, 3}));
  EXPECT_EQ(sets.intersect(stack_of(sets, {1, 2}), stack_of(sets, {2, 2})), StackSets::kNothing);
}

TEST(StackSets, CollectingKeepsWhatIsMarked) {
  StackSets sets;
  for (ValueNumber value = 10; value < 500; ++value) (void)stack_of(sets, {value, value});
  auto kept = sets.unite(stack_of(sets, {1, 2}), stack_of(sets, {2, 1}));
  sets.mark(kept);
  sets.collect();
  kept = sets.renamed(kept);
  EXPECT_EQ(kept, sets.unite(stack_of(sets, {2, 1}), stack_of(sets, {1, 2})));
  EXPECT_EQ(sets.any_stack(kept).size(), 2U);
}

TEST(StackSets, DeepStacksDoNotRecurse) {
  StackSets sets;
  auto left = stack_of(sets, {1});
  auto right = stack_of(sets, {2});
  for (int i = 0; i < 200'000; ++i) {
    left = sets.push(3, left);
    right = sets.push(3, right);
  }
  const auto both = sets.unite(left, right);
  EXPECT_EQ(sets.height(both), 200'001U);
  EXPECT_EQ(sets.intersect(both, right), right);
}

/// Pushes, pops, looks, sizes and heights over `values` values.
test::Drafter drafter(int values, bool with_heights) {
  return [=](Random& random) {
    Draft draft;
    const auto value = [&] { return Value::integer(static_cast<std::int64_t>(test::below(random, values)) + 1); };
    std::vector<Value> all = {Value::nil()};
    for (int v = 1; v <= values; ++v) all.push_back(Value::integer(v));
    switch (test::below(random, with_heights ? 10 : 8)) {
      case 0:
      case 1:
      case 2:
        draft.method = Stack::kPush;
        draft.arguments = {value()};
        draft.results = {Value::none()};
        break;
      case 3:
      case 4:
      case 5:
        draft.method = Stack::kPop;
        draft.results = all;
        break;
      case 6:
        draft.method = Stack::kPeek;
        draft.results = all;
        if (test::below(random, 8) == 0) draft.results = {Value::unknown()};
        break;
      case 7:
        draft.method = Stack::kIsEmpty;
        draft.results = {Value::boolean(true), Value::boolean(false)};
        break;
      case 8:
        draft.method = Stack::kSize;
        for (int n = 0; n < 5; ++n) draft.results.push_back(Value::integer(n));
        break;
      default:
        draft.method = Stack::kPush;
        draft.arguments = {Value::integer(7)};
        for (int n = 0; n < 5; ++n) draft.results.push_back(Value::integer(n));
    }
    return draft;
  };
}

void cross_check(const test::Drafter& drafter, std::size_t most, std::size_t count,
                 const types::StackSetEffort& effort = {}, std::string_view type = "stack") {
  test::SearchCheck check{
      .specification = test::specification_of(type),
      .applicable = types::stack_sets_applicable,
      .decide = [=](const history::Subhistory& part,
                    core::Budget& budget) { return types::stack_sets_decide(part, {.witness = true}, budget, effort); },
      .results = {Value::nil(), Value::integer(1), Value::integer(2), Value::integer(3)}};
  check.random(drafter, most, count);
}

TEST(StackSetSearch, AgreesWithTheOracleWhereValuesRepeat) {
  cross_check(drafter(1, false), 10, 4000);
  cross_check(drafter(2, false), 10, 8000);
}

TEST(StackSetSearch, AgreesWithTheOracleOnHeightsAndSizes) {
  cross_check(drafter(2, true), 9, 8000, {}, "stack heights=yes");
  cross_check(drafter(3, true), 10, 4000);
}

TEST(StackSetSearch, GoesBackWhenItHasKeptTooFew) {
  cross_check(drafter(2, false), 10, 6000, {{.width = 1}});
  cross_check(drafter(3, true), 10, 4000, {{.width = 2}}, "stack heights=yes");
}

TEST(StackSetSearch, RefutesNothingTrueWithAnUnknownPast) {
  for (const std::uint32_t past : {1U, 2U, 4U, 6U}) {
    cross_check(drafter(1, false), 10, 2000, {{.width = 1, .past = past, .past_level = 0}});
    cross_check(drafter(2, false), 10, 4000, {{.width = 1, .past = past, .past_level = 0}});
    cross_check(drafter(3, false), 12, 2000, {{.width = 1, .past = past, .past_level = 0}});
    cross_check(drafter(2, true), 10, 2000, {{.width = 1, .past = past, .past_level = 0}}, "stack heights=yes");
    cross_check(drafter(2, true), 12, 2000, {{.width = 1, .past = past, .past_level = 0}});
  }
}

TEST(StackSetSearch, DecidesAlikeWhateverIsKeptAtFirst) {
  // Hundreds of operations, so that there are several places to go back to.
  const auto specification = test::specification_of("stack");
  test::Oracle oracle(*specification);
  const auto states = specification->make_states();
  Random random(11);
  std::size_t violations = 0;
  for (int i = 0; i < 60; ++i) {
    test::Sketch sketch =
        test::random_sketch(random, *states, drafter(3, false), {.operations = 400, .most_open = 6, .pending = 0});
    if (i % 2 == 0) test::mutate(random, sketch, std::vector<Value>{Value::integer(1), Value::integer(2)});
    if (!std::all_of(sketch.begin(), sketch.end(), [](const auto& o) { return o.call < o.response; })) continue;
    const test::Built built = test::build(specification, sketch);
    core::Budget budget{Limits{}};
    const auto all = types::stack_sets_decide(built.part, {.witness = true}, budget, {{.width = std::size_t{1} << 40}});
    const auto few = types::stack_sets_decide(built.part, {.witness = true}, budget, {{.width = 1}});
    const auto late =
        types::stack_sets_decide(built.part, {.witness = true}, budget, {{.width = 1, .past = 8, .past_level = 0}});
    ASSERT_EQ(all.verdict, few.verdict);
    ASSERT_EQ(all.verdict, late.verdict);
    violations += all.verdict == Verdict::violation ? 1 : 0;
    if (all.verdict == Verdict::linearizable) {
      EXPECT_TRUE(oracle.valid_witness(built.part, all.witness));
      EXPECT_TRUE(oracle.valid_witness(built.part, few.witness));
    }
  }
  EXPECT_GT(violations, 5U);
}

TEST(StackSetSearch, LeavesToOthersWhatItDoesNotUnderstand) {
  const auto specification = test::specification_of("stack");
  const auto built = test::build(
      specification, {{.method = Stack::kPush, .arguments = {Value::integer(1)}, .call = 1, .response = 2},
                      {.method = Stack::kPop, .arguments = {}, .result = Value::unknown(), .call = 3, .response = 4}});
  const auto applicability = types::kStackSets.applicable(built.part);
  EXPECT_FALSE(applicability.applies);
  EXPECT_FALSE(applicability.why.empty());
}

}  // namespace
}  // namespace linchpin
