// Definition 4.4 of decrease and conquer, held against the oracle: a value that may be chosen can be dropped with all
// of its operations, and the history is linearizable without it if and only if it was with it. Where no value may be
// chosen, it is not linearizable (Proposition 4.5).
//
// Source: the paper on decrease and conquer (docs/papers/README.md), section 4. Every choice of a whole run is looked
// at, and values are named at random, so that each that may be chosen is.
#include <gtest/gtest.h>

#include "cross/drafts.hpp"
#include "decide/framework/standardise.hpp"
#include "linchpin/framework.hpp"
#include "support/oracle.hpp"
#include "support/thoroughness.hpp"

namespace linchpin::decide::preservation_test {
namespace {

using namespace test;  // NOLINT: the vocabulary of these tests

/// Queues, stacks and priority queues: rows 0 to 4 are add, remove, look, size, is_empty.
struct Acts {
  static Act act(const Operation& operation, bool /*pending*/) {
    if (operation.method == 0) return {ActKind::add, operation.argument(0)};
    if (operation.method > 2 || operation.result.is_unknown()) return {};
    if (operation.result.is_nil()) return {ActKind::empty};
    return {operation.method == 1 ? ActKind::take : ActKind::look, operation.result};
  }
  static std::optional<std::uint32_t> linearizability_preserving_value(const ContainerHistory& /*history*/) {
    return std::nullopt;
  }
};

std::optional<std::uint32_t> minimal(const ContainerHistory& history, bool fifo) {
  const auto better = [&](std::uint32_t a, std::uint32_t b) {
    const auto priority = [&](std::uint32_t value) {
      const Operation& added = history.added(value);
      return added.pool->integer_of(added.arguments.back());
    };
    return priority(a) < priority(b);
  };
  return potentially_minimal_value(history, better, fifo);
}

struct Rule {
  const char* name;  ///< of the test
  const char* type;
  const char* subject;  ///< whose histories are drawn
  std::optional<std::uint32_t> (*choose)(const ContainerHistory& history);

  friend void PrintTo(const Rule& rule, std::ostream* out) { *out << rule.type; }
};
const std::array kRules{
    Rule{"Queue", "queue", "Queue", &potentially_front_value},
    Rule{"Stack", "stack", "Stack", &potentially_bottom_value},
    Rule{"PriorityQueue", "priority-queue", "PriorityQueueWithEqualPriorities",
         [](const ContainerHistory& history) { return minimal(history, false); }},
    Rule{"PriorityQueueFirstInFirstOut", "priority-queue ties=fifo", "PriorityQueueFirstInFirstOut",
         [](const ContainerHistory& history) { return minimal(history, true); }},
};

class Preservation : public testing::TestWithParam<Rule> {};

TEST_P(Preservation, OfLinearizabilityByEachValueThatMayBeChosen) {
  const Rule& rule = GetParam();
  const auto specification = specification_of(rule.type);
  const auto subjects = cross::monitored_subjects();
  const auto subject =
      std::find_if(subjects.begin(), subjects.end(), [&](const auto& each) { return each.name == rule.subject; });
  ASSERT_NE(subject, subjects.end());
  const std::size_t count = random_histories(200'000) / 20;
  Random random(20240612);
  Oracle oracle(*specification);
  const auto states = specification->make_states();
  std::size_t chosen = 0, linearizable = 0, stuck = 0;
  for (std::size_t histories = 0; histories < count;) {
    if (states->bound() > 100'000) states->retain({});
    const RandomShape shape{.operations = 2 + below(random, 9),
                            .most_open = 1 + below(random, 5),
                            .pending = 0.0,
                            .by_simulation = below(random, 8) != 0};
    Sketch sketch = random_sketch(random, *states, subject->start(random), shape);
    if (below(random, 2) == 0) mutate(random, sketch, subject->results);
    if (!valid(sketch) || !takes(*specification, sketch)) continue;
    const Built built = build(specification, sketch);
    if (built.part.pending_count > 0) continue;
    const Binding binding = bind(built.part, ContainerRulesOf(Acts{}));
    if (!binding.obstacle.empty()) continue;
    Standardised standard = standardise(binding.history);
    if (standard.fault) continue;
    ++histories;
    ContainerHistory& history = *standard.history;
    const auto residual_is_linearizable = [&] {
      std::vector<std::uint32_t> locals;
      for (const BoundOperation& operation : binding.history.operations) {
        const bool kept = operation.value == kNoValue ||
                          std::any_of(history.values().begin(), history.values().end(),
                                      [&](std::uint32_t value) { return standard.value_of[value] == operation.value; });
        if (kept) locals.push_back(operation.local);
      }
      return oracle.linearizable(history::restrict(built.part, locals));
    };
    bool before = residual_is_linearizable();
    linearizable += before ? 1 : 0;
    while (!history.values().empty()) {
      const auto value = rule.choose(history);
      if (!value) {
        ++stuck;
        ASSERT_FALSE(before) << "no value may be chosen\n" << to_text(built.part);
        break;
      }
      ++chosen;
      history.erase(*value);
      const bool after = residual_is_linearizable();
      ASSERT_EQ(before, after) << "number " << *value << " was dropped\n" << to_text(built.part);
      before = after;
    }
    if (history.values().empty()) {
      ASSERT_TRUE(before) << to_text(built.part);
    }
  }
  EXPECT_GT(chosen, count);
  EXPECT_GT(linearizable, count / 10);
  EXPECT_GT(stuck, count / 200);
}

INSTANTIATE_TEST_SUITE_P(Definition44, Preservation, testing::ValuesIn(kRules),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace linchpin::decide::preservation_test
