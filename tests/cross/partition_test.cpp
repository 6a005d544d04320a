// P-compositionality: where a specification gives keys, a history is linearizable iff its part of each key is.
//
// Source: A. Horn, D. Kroening, Faster linearizability checking via P-compositionality, FORTE 2015.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/data_type.hpp"
#include "cross/random_history.hpp"
#include "history/subhistory.hpp"
#include "linchpin/check.hpp"
#include "linchpin/parsing.hpp"
#include "reference/reference.hpp"
#include "support/held.hpp"

namespace linchpin {
namespace {

std::vector<std::string> types_with_keys() {
  std::vector<std::string> names;
  for (const core::DataType& type : core::data_types()) {
    const auto specification = make_specification({.name = std::string(type.name), .options = {}});
    if (specification && (*specification)->has_keys()) names.emplace_back(type.name);
  }
  return names;
}

std::vector<OperationIndex> operations_with_a_key(const History& history,
                                                  const std::shared_ptr<const Specification>& specification) {
  const std::vector specifications{specification};
  const auto parts = history::split_by_object(history, specifications, Ties::concurrent);
  std::vector<OperationIndex> kept;
  for (std::uint32_t local = 0; local < (*parts)[0].size(); ++local) {
    if (specification->key((*parts)[0].view(local))) kept.push_back((*parts)[0].operation[local]);
  }
  std::sort(kept.begin(), kept.end());
  return kept;
}

class PCompositionality : public testing::TestWithParam<std::string> {};

TEST_P(PCompositionality, TheWholeIsLinearizableIffEveryKeyIs) {
  const auto specification = make_specification({.name = GetParam(), .options = {}});
  ASSERT_TRUE(specification);
  std::size_t split = 0;
  std::size_t refuted = 0;
  constexpr std::size_t kHistories = 2000;
  for (std::size_t seed = 0; seed < kHistories; ++seed) {
    const cross::Shape shape{.operations = 4 + static_cast<std::uint32_t>(seed % 6),
                             .processes = 2 + static_cast<std::uint32_t>(seed % 3),
                             .values = 2 + static_cast<std::int64_t>(seed % 2),
                             .spoiled = 0.8,
                             .tick_range = seed % 2 == 0 ? 10 : 40};
    cross::RandomHistories random(**specification, shape, seed);
    const History drawn = random.next();
    const History history = drawn.restricted_to(operations_with_a_key(drawn, *specification));
    const std::vector specifications{*specification};
    const auto parts = history::split_by_object(history, specifications, Ties::concurrent);
    ASSERT_TRUE(parts);
    const auto keys = history::split_by_key((*parts)[0]);
    if (!keys || keys->size() < 2) continue;
    ++split;
    bool every_key = true;
    for (const history::Subhistory& key : *keys) every_key = every_key && reference::linearizable(key);
    refuted += every_key ? 0 : 1;
    ASSERT_EQ(reference::linearizable((*parts)[0]), every_key) << GetParam() << ", seed " << seed;
    // And so for the searches, with and without partitions.
    for (const char* const decider : {"wgl", "wgl-partitioned", "search"}) {
      const auto verdict = check(history, {.specification = *specification, .decider = decider, .threads = 1});
      ASSERT_TRUE(verdict);
      ASSERT_EQ(verdict->verdict, every_key ? Verdict::linearizable : Verdict::violation)
          << decider << " on " << GetParam() << ", seed " << seed;
      ASSERT_EQ(test::what_did_not_hold(*verdict), "") << GetParam() << ", seed " << seed;
    }
  }
  EXPECT_GT(split, kHistories / 10);
  EXPECT_GT(refuted, 0U);
  EXPECT_LT(refuted, split);
}

INSTANTIATE_TEST_SUITE_P(Types, PCompositionality, testing::ValuesIn(types_with_keys()), [](const auto& parameter) {
  std::string name = parameter.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

/// A stack that returns heights, taken apart by height as the paper's example 9 has it: each height is a place that is
/// filled and emptied.
struct Place {
  using State = std::vector<std::pair<Value, Value>>;  // (height, value), for heights that are filled
  enum : std::uint16_t { kPush, kPop };
  static constexpr std::array methods{Method{"push", 1}, Method{"pop", 0}};
  static State initial() { return {}; }
  static Value height(const Operation& operation) {
    return operation.method == kPush ? operation.result
                                     : Value::integer(operation.pool->elements_of(operation.result)[1].integer() - 1);
  }
  static bool step(State& state, const Operation& operation) {
    const Value at = height(operation);
    const auto found = std::find_if(state.begin(), state.end(), [&](const auto& each) { return each.first == at; });
    if (operation.method == kPush) {
      if (found != state.end()) return false;
      state.emplace_back(at, operation.argument(0));
      std::sort(state.begin(), state.end(),
                [](const auto& a, const auto& b) { return a.first.bits() < b.first.bits(); });
      return true;
    }
    if (found == state.end() || found->second != operation.pool->elements_of(operation.result)[0]) return false;
    state.erase(found);
    return true;
  }
  static std::optional<Value> key(const Operation& operation) { return height(operation); }
};

History stack_history(const std::vector<std::pair<std::int64_t, std::int64_t>>& pushes_then_pops, std::size_t pushes) {
  // Each entry is (value, height before); all operations follow one another.
  HistoryBuilder builder;
  builder.set_type(*TypeName::parse("stack heights=before"));
  Tick now = 0;
  for (std::size_t i = 0; i < pushes_then_pops.size(); ++i) {
    const auto [value, height] = pushes_then_pops[i];
    const Tick call = now++;
    const Tick response = now++;
    if (i < pushes) {
      builder.add({.process = 0,
                   .method = "push",
                   .arguments = {Value::integer(value)},
                   .result = Value::integer(height),
                   .call = call,
                   .response = response});
    } else {
      builder.add({.process = 0,
                   .method = "pop",
                   .result = builder.pool().list({Value::integer(value), Value::integer(height)}),
                   .call = call,
                   .response = response});
    }
  }
  return std::move(*std::move(builder).build());
}

TEST(StackWithHeights, PlacesAcceptWhatTheStackAccepts) {
  const History history = stack_history({{1, 0}, {2, 1}, {2, 2}, {1, 1}}, 2);
  const auto as_stack = check(history, {.threads = 1});
  const auto as_places = check(history, {.specification = specify<Place>("places"), .threads = 1});
  ASSERT_TRUE(as_stack && as_places);
  EXPECT_EQ(as_stack->verdict, Verdict::linearizable);
  EXPECT_EQ(as_places->verdict, Verdict::linearizable);
}

TEST(StackWithHeights, HeightsAloneDoNotTakeAStackApart) {
  // The second value is pushed at height 1 before there is anything at height 0. Every height is in order by itself,
  // so that the stack does not offer its heights as keys, and decides such histories whole.
  const History history = stack_history({{2, 1}, {1, 0}, {2, 2}, {1, 1}}, 2);
  const auto as_places = check(history, {.specification = specify<Place>("places"), .threads = 1});
  const auto as_stack = check(history, {.verify = Verify::thoroughly, .threads = 1});
  ASSERT_TRUE(as_stack && as_places);
  EXPECT_EQ(as_places->verdict, Verdict::linearizable);
  EXPECT_EQ(as_stack->verdict, Verdict::violation);
  EXPECT_EQ(as_stack->objects[0].violation->core.empty(), false);
}

Verdict verdict_of(const std::string& rows, const std::string& decider = "") {
  const auto histories = parse_histories("# linchpin 1\n# type: stack heights=before\n" + rows);
  if (!histories || !(*histories)[0]) return Verdict::unknown;
  CheckOptions options;
  options.decider = decider;
  options.verify = Verify::thoroughly;
  const auto checked = check(*(*histories)[0], options);
  return checked ? checked->verdict : Verdict::unknown;
}

// Example 9 says that a stack whose operations return the height before them can be partitioned by that height. It
// cannot: one process pushes twice and pops the lower value first. What was pushed at the height 0 and popped from
// there is a stack of its own, and so is what was pushed at 1, its heights counted from there.
TEST(PCompositionality, StacksAreNoProductOverTheirHeights) {
  const std::string whole = "0 0 1 push a -> 0\n0 2 3 push b -> 1\n0 4 5 pop -> [a 1]\n0 6 7 pop -> [b 2]\n";
  for (const char* const decider : {"", "search", "wgl", "wg"}) {
    EXPECT_EQ(verdict_of(whole, decider), Verdict::violation) << decider;
  }
  EXPECT_EQ(verdict_of("0 0 1 push a -> 0\n0 4 5 pop -> [a 1]\n"), Verdict::linearizable);
  EXPECT_EQ(verdict_of("0 2 3 push b -> 0\n0 6 7 pop -> [b 1]\n"), Verdict::linearizable);
  // Nor does it help that heights are told: with the heights that it had, the order is what is wrong.
  EXPECT_EQ(verdict_of("0 0 1 push a -> 0\n0 2 3 push b -> 1\n0 4 5 pop -> [a 2]\n0 6 7 pop -> [b 1]\n"),
            Verdict::violation);
  EXPECT_FALSE((*make_specification(*TypeName::parse("stack heights=before")))->has_keys());
}

}  // namespace
}  // namespace linchpin
