// Sets of contents, and the search over them for histories in which values repeat.
#include "types/shared/deque_sets.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <deque>
#include <functional>
#include <set>

#include "support/search_check.hpp"
#include "types/deque/ends_frontier.hpp"
#include "types/deque/set_search.hpp"
#include "types/deque/specification.hpp"
#include "types/deque/two_ends.hpp"
#include "types/shared/end_acts.hpp"

namespace deque_sets_test {
namespace {

using linchpin::Value;
using linchpin::Verdict;
using linchpin::algo::ValueNumber;
using linchpin::types::Deque;
using linchpin::types::DequeSets;
using linchpin::types::End;
using linchpin::types::deque::DequeSetEffort;
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

using Content = std::deque<ValueNumber>;
using Contents = std::set<Content>;

/// A set and the same contents one by one.
struct Both {
  DequeSets::Set set = DequeSets::kEmpty;
  Contents contents = {{}};
};

/// Whether the set has just these contents.
bool same(DequeSets& sets, DequeSets::Set set, const Contents& contents) {
  if (set == DequeSets::kNothing) return contents.empty();
  if (contents.empty() || sets.length(set) != contents.begin()->size()) return false;
  if (sets.length(set) == 0) return true;
  Contents of_set;
  const auto unfold = [&](const auto& self, DequeSets::Set rest, Content beginning) -> void {
    if (sets.length(rest) == 0) {
      of_set.insert(beginning);
      return;
    }
    for (const ValueNumber value : sets.values_at(0, rest)) {
      Content longer = beginning;
      longer.push_back(value);
      self(self, sets.pop(0, value, rest), longer);
    }
  };
  unfold(unfold, set, {});
  return of_set == contents;
}

Contents pushed(End end, ValueNumber value, const Contents& contents) {
  Contents all;
  for (Content each : contents) {
    if (end == 0) {
      each.push_front(value);
    } else {
      each.push_back(value);
    }
    all.insert(each);
  }
  return all;
}

Contents popped(End end, ValueNumber value, const Contents& contents) {
  Contents all;
  for (Content each : contents) {
    if (each.empty() || (end == 0 ? each.front() : each.back()) != value) continue;
    if (end == 0) {
      each.pop_front();
    } else {
      each.pop_back();
    }
    all.insert(each);
  }
  return all;
}

TEST(DequeSets, AreWhatTheirContentsAre) {
  Random random(3);
  for (int round = 0; round < 60; ++round) {
    DequeSets sets;
    sets.keep_whole(static_cast<std::uint32_t>(round % 3) * 4);
    std::vector<Both> all = {{}};
    for (int step = 0; step < 60; ++step) {
      const Both& of = all[below(random, all.size())];
      const End end = below(random, 2) == 0 ? 0 : 1;
      const ValueNumber value(below(random, 2));
      const Both& other = all[below(random, all.size())];
      const bool alike = !of.contents.empty() && !other.contents.empty() &&
                         of.contents.begin()->size() == other.contents.begin()->size();
      Both next;
      switch (below(random, alike ? 7 : 5)) {
        case 0:
        case 1: next = {sets.push(end, value, of.set), pushed(end, value, of.contents)}; break;
        case 2: next = {sets.pop(end, value, of.set), popped(end, value, of.contents)}; break;
        case 3: {
          next.set = sets.pop_any(end, of.set);
          next.contents = popped(end, 0, of.contents);
          next.contents.merge(popped(end, 1, of.contents));
          break;
        }
        case 4: {
          next = {sets.with(end, value, of.set), pushed(end, value, popped(end, value, of.contents))};
          const std::vector<ValueNumber> others = {ValueNumber(1 - value.number())};
          if (sets.length(of.set) > 0) {
            const bool none = sets.without(end, others, of.set) == DequeSets::kNothing;
            EXPECT_EQ(next.set == DequeSets::kNothing, none);
          }
          break;
        }
        case 5: {
          next = {sets.unite(of.set, other.set), of.contents};
          next.contents.insert(other.contents.begin(), other.contents.end());
          break;
        }
        default: {
          next.set = sets.intersect(of.set, other.set);
          next.contents.clear();
          std::ranges::set_intersection(of.contents, other.contents, std::inserter(next.contents, next.contents.end()));
          break;
        }
      }
      ASSERT_TRUE(same(sets, next.set, next.contents));
      if (next.set == DequeSets::kNothing) continue;
      if (below(random, 2) == 0) {
        next.set = sets.settled(next.set);
      } else {
        const auto cut = static_cast<std::uint32_t>(below(random, sets.length(next.set) + 1));
        next.set = sets.cut_at(cut, next.set);
        EXPECT_EQ(sets.cut(next.set), cut);
      }
      ASSERT_TRUE(same(sets, next.set, next.contents));
      const std::vector<ValueNumber> any = sets.any_content(next.set);
      EXPECT_TRUE(next.contents.contains(Content(any.begin(), any.end())));
      const DequeSets::Set one = sets.one_of(next.set);
      const std::vector<ValueNumber> only = sets.any_content(one);
      EXPECT_TRUE(next.contents.contains(Content(only.begin(), only.end())));
      ASSERT_TRUE(same(sets, one, {Content(only.begin(), only.end())}));
      if (next.contents.size() < 300) all.push_back(next);
    }
    for (const Both& each : all) sets.mark(each.set);
    sets.collect();
    for (const Both& each : all) ASSERT_TRUE(same(sets, sets.renamed(each.set), each.contents));
  }
}

/// Pushes, pops, looks and sizes over `values` values.
Drafter drafter(int values, bool with_sizes) {
  return [=](Random& random) {
    Draft draft;
    const auto back = static_cast<std::uint16_t>(below(random, 2));
    std::vector<Value> all = {Value::nil()};
    for (int value = 1; value <= values; ++value) all.push_back(Value::integer(value));
    switch (below(random, with_sizes ? 9 : 7)) {
      case 0:
      case 1:
      case 2:
        draft.method = static_cast<std::uint16_t>(Deque::kPushFront + back);
        draft.arguments = {Value::integer(static_cast<std::int64_t>(below(random, values)) + 1)};
        draft.results = {Value::none()};
        break;
      case 3:
      case 4:
      case 5:
        draft.method = static_cast<std::uint16_t>(Deque::kPopFront + back);
        draft.results = all;
        break;
      case 6:
        draft.method = static_cast<std::uint16_t>(Deque::kPeekFront + back);
        draft.results = all;
        if (below(random, 8) == 0) draft.results = {Value::unknown()};
        break;
      case 7:
        draft.method = Deque::kIsEmpty;
        draft.results = {Value::boolean(true), Value::boolean(false)};
        break;
      default:
        draft.method = Deque::kSize;
        for (int size = 0; size < 5; ++size) draft.results.push_back(Value::integer(size));
    }
    return draft;
  };
}

/// The same, of a deque with a capacity: a push may find no room, or have lost its answer. What is pushed may be
/// `false`, and a push may return nothing, or what was pushed: of `false` it says that there was no room.
Drafter crowded(int values, bool sizes, std::size_t lost = 1) {
  return [drafter = drafter(values, sizes), lost](Random& random) {
    Draft draft = drafter(random);
    if (draft.method > Deque::kPushBack) {
      if (draft.method < Deque::kSize && below(random, 8) == 0) draft.results.push_back(Value::boolean(false));
      return draft;
    }
    if (below(random, 12) == 0) draft.arguments = {Value::boolean(false)};
    draft.results = {Value::boolean(true), Value::boolean(false)};
    if (below(random, 12) == 0) draft.results = {Value::none(), draft.arguments[0], Value::boolean(false)};
    if (below(random, 16) < lost) draft.results = {Value::unknown()};
    return draft;
  };
}

void cross_check(const Drafter& drafter, std::size_t most, std::size_t count, const DequeSetEffort& effort = {},
                 const char* type = "deque") {
  SearchCheck check{.specification = specification_of(type),
                    .applicable = linchpin::types::deque::sets_applicable,
                    .decide =
                        [=](const linchpin::history::Subhistory& part, linchpin::core::Budget& budget) {
                          return linchpin::types::deque::sets_decide(part, {.witness = true}, budget, effort);
                        },
                    .results = {Value::nil(), Value::integer(1), Value::integer(2)}};
  check.random(drafter, most, count);
}

TEST(DequeSetSearch, AgreesWithTheOracleWhereValuesRepeat) {
  cross_check(drafter(1, false), 10, 4000);
  cross_check(drafter(2, false), 10, 8000);
  cross_check(drafter(2, true), 10, 8000);
}

SketchedOperation operation(std::uint16_t method, Value result, std::vector<Value> arguments = {}) {
  return {.method = method, .arguments = std::move(arguments), .result = result, .call = 0};
}

/// All interleavings of all sequences of some operations, about each of the efforts.
TEST(DequeSetSearch, AgreesWithTheOracleOnAllSmallHistories) {
  const auto specification = specification_of("deque");
  Oracle oracle(*specification);
  const Value one = Value::integer(1);
  const Sketch labels{operation(Deque::kPushFront, Value::none(), {one}),
                      operation(Deque::kPushBack, Value::none(), {Value::integer(2)}),
                      operation(Deque::kPopFront, one),
                      operation(Deque::kPopBack, one),
                      operation(Deque::kPopFront, Value::integer(2)),
                      operation(Deque::kPeekBack, one),
                      operation(Deque::kPopBack, Value::nil()),
                      operation(Deque::kSize, one)};
  const Sketch always{operation(Deque::kPushFront, Value::none(), {one}),
                      operation(Deque::kPushBack, Value::none(), {one})};
  std::size_t linearizable = 0, violations = 0;
  const auto compare = [&](const Sketch& sketch) {
    if (!valid(sketch)) return;
    const Built built = build(specification, sketch);
    const bool truth = oracle.linearizable(built.part);
    for (const DequeSetEffort& effort : {DequeSetEffort{}, DequeSetEffort{{.width = 1}, 0}}) {
      linchpin::core::Budget budget{linchpin::Limits{}};
      const auto outcome = linchpin::types::deque::sets_decide(built.part, {.witness = true}, budget, effort);
      ASSERT_EQ(outcome.verdict, truth ? Verdict::linearizable : Verdict::violation) << to_text(built.part);
      ASSERT_TRUE(!truth || oracle.valid_witness(built.part, outcome.witness)) << to_text(built.part);
    }
    ++(truth ? linearizable : violations);
  };
  const auto with = [&](const Sketch& more) {
    Sketch sketch = always;
    sketch.insert(sketch.end(), more.begin(), more.end());
    for_all_interleavings(sketch, more.size() < 2, compare);
  };
  for (const SketchedOperation& a : labels) {
    with({a});
    for (const SketchedOperation& b : labels) with({a, b});
  }
  EXPECT_GT(linearizable, 1000U);
  EXPECT_GT(violations, 1000U);
}

TEST(DequeSetSearch, GoesBackWhenItHasKeptTooFew) {
  cross_check(drafter(2, false), 10, 4000, {{.width = 1}});
  cross_check(drafter(2, true), 10, 4000, {{.width = 1}});
}

TEST(DequeSetSearch, AgreesWithTheOracleWhereEndsGoByThemselves) {
  cross_check(drafter(2, false), 12, 4000, {{.width = 1}, 0});
  cross_check(drafter(2, false), 12, 4000, {{.width = 24}, 0});
  cross_check(drafter(2, false), 12, 4000, {{.width = 2}, 1});
}

TEST(DequeSetSearch, AgreesWithTheOracleWhereTheDequeMayBeFull) {
  for (const char* const type : {"deque capacity=0", "deque capacity=1", "deque capacity=2", "deque capacity=3"}) {
    cross_check(crowded(2, false), 10, 4000, {}, type);
    cross_check(crowded(3, true), 12, 4000, {{.width = 1}}, type);
    cross_check(crowded(2, true), 12, 2000, {{.width = 1, .past = 3, .past_level = 0}, 8}, type);
    cross_check(crowded(2, false), 12, 4000, {{.width = 2}, 0}, type);
  }
}

TEST(DequeSetSearch, AgreesWithTheOracleWhereEndsThatGoByThemselvesMayFillTheDeque) {
  for (const char* const type : {"deque capacity=4", "deque capacity=6", "deque capacity=8"}) {
    cross_check(crowded(2, false), 14, 4000, {{.width = 2}, 0}, type);
    cross_check(crowded(3, false, 0), 16, 4000, {{.width = 24}, 0}, type);
    cross_check(crowded(2, false, 0), 16, 2000, {{.width = 1, .past = 3, .past_level = 0}, 1}, type);
  }
}

TEST(DequeSetSearch, RefutesNothingTrueWithAnUnknownPast) {
  for (const std::uint32_t past : {1U, 3U, 6U}) {
    const linchpin::types::ContentSetEffort effort{.width = 1, .past = past, .past_level = 0};
    cross_check(drafter(2, false), 12, 2000, {effort, 0});
    cross_check(drafter(2, true), 12, 2000, {effort, 8});
    cross_check(drafter(3, true), 12, 2000, {effort, 8});
  }
}

/// Hundreds of operations, so that there are several places to go back to.
void expect_alike(const char* type, const std::function<Drafter(bool sizes)>& drafter) {
  const auto specification = specification_of(type);
  Oracle oracle(*specification);
  const auto states = specification->make_states();
  Random random(11);
  std::size_t violations = 0;
  for (int i = 0; i < 40; ++i) {
    if (states->bound() > 100'000) states->retain({});
    Sketch sketch =
        random_sketch(random, *states, drafter(i % 4 == 0), {.operations = 300, .most_open = 6, .pending = 0});
    if (i % 2 == 0) mutate(random, sketch, std::vector<Value>{Value::integer(1), Value::integer(2)});
    if (!valid(sketch)) continue;
    const Built built = build(specification, sketch);
    if (!linchpin::types::deque::sets_applicable(built.part).applies) continue;
    linchpin::core::Budget budget{linchpin::Limits{}};
    const auto decided = [&](const DequeSetEffort& effort) {
      return linchpin::types::deque::sets_decide(built.part, {.witness = true}, budget, effort);
    };
    const auto all = decided({{.width = std::size_t{1} << 40}, UINT32_MAX / 2});
    for (const DequeSetEffort& effort :
         {DequeSetEffort{{.width = 1}, 2}, DequeSetEffort{{.width = 24}, 4}, DequeSetEffort{}}) {
      const auto few = decided(effort);
      ASSERT_EQ(all.verdict, few.verdict);
      if (few.verdict == Verdict::linearizable) {
        EXPECT_TRUE(oracle.valid_witness(built.part, few.witness));
      }
    }
    violations += all.verdict == Verdict::violation ? 1 : 0;
  }
  EXPECT_GE(violations, 5U);
}

TEST(DequeSetSearch, DecidesAlikeWhateverIsKeptAtFirst) {
  expect_alike("deque", [](bool sizes) { return drafter(3, sizes); });
}
TEST(DequeSetSearch, DecidesAlikeWhateverIsKeptWhereThereIsACapacity) {
  for (const char* const type : {"deque capacity=4", "deque capacity=12", "deque capacity=25"}) {
    expect_alike(type, [](bool sizes) { return crowded(3, sizes, 0); });
  }
}

using Mask = linchpin::algo::SlotMask<1>;
using Ends = linchpin::types::deque::EndsFrontier<Mask>;

/// What a state is, whatever the numbers of nodes are.
std::vector<std::uint64_t> told(Ends& ends) {
  DequeSets& sets = ends.joint().domain().sets();
  const auto hash = [&](DequeSets::Half half) { return sets.halves().content_hash(half); };
  std::vector<std::uint64_t> all;
  const auto state = ends.state();
  for (const auto& each : state.joint) {
    all.push_back(each.mask.hash());
    for (const DequeSets::Product& product : sets.products_of(each.set)) {
      all.insert(all.end(), {hash(product[0]), hash(product[1])});
    }
  }
  for (const auto& halves : state.ends) {
    all.push_back(halves.size());
    for (const auto& half : halves) all.insert(all.end(), {half.mask.hash(), hash(half.set)});
  }
  return all;
}

// On the way back events are gone through again, when other sets have other numbers.
TEST(DequeEnds, ComeToTheSameWhateverTheNumbersOfNodesAre) {
  const auto specification = specification_of("deque");
  const auto states = specification->make_states();
  Random random(5);
  int most_floors = 0;
  for (int round = 0; round < 30; ++round) {
    if (states->bound() > 100'000) states->retain({});
    const Sketch sketch =
        random_sketch(random, *states, drafter(4, false),
                      {.operations = 400, .most_open = 9, .pending = 0, .by_simulation = true, .processes = 0});
    const Built built = build(specification, sketch);
    const linchpin::types::EndActs acts =
        linchpin::types::read_end_acts(built.part, [](const linchpin::Operation& operation, bool pending) {
          return linchpin::types::ToldAct{
              linchpin::types::act_of(linchpin::types::deque::kContainerMethods, operation, pending)};
        });
    const linchpin::algo::FixedSlots slots = end_slots(built.part, acts);
    Ends ends(slots, built.part, acts, 2), others(slots, built.part, acts, 2);
    for (Ends* const each : {&ends, &others}) each->set_staying(std::vector<bool>(built.part.size()));
    const linchpin::types::ContentSetManner manner{
        .width = 6, .first_weight = 0, .sparing = round % 2 == 0, .all_ways = false};
    for (linchpin::history::Rank rank = 0; rank < built.part.ranks(); ++rank) {
      const linchpin::history::Event event = built.part.events()[rank];
      if (ends.joint().domain().skipped(event.operation())) continue;
      auto& tangled = others.joint().domain().sets().halves();
      auto tangle = linchpin::types::StackSets::kEmptyStack;
      for (int k = 0; k < 12; ++k) tangle = tangled.push(ValueNumber(below(random, 4)), tangle);
      for (Ends* const each : {&ends, &others}) {
        if (!event.is_response()) {
          each->call(event.operation());
          continue;
        }
        each->respond(event.operation(), manner, rank);
        while (each->busy()) each->step();
        if (!each->refuted()) (void)each->narrow(manner, rank);
      }
      ASSERT_EQ(ends.refuted(), others.refuted());
      if (ends.refuted()) break;
      ASSERT_EQ(told(ends), told(others)) << "round " << round << ", before rank " << rank.number();
      const auto state = ends.state();
      for (const auto& half : state.ends[0]) {
        most_floors = std::max(most_floors, std::popcount(ends.joint().domain().sets().halves().floors(half.set)));
      }
    }
  }
  EXPECT_GT(most_floors, 4);
}

}  // namespace
}  // namespace deque_sets_test
