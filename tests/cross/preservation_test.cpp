// Definition 4.4 of decrease and conquer, held against the oracle: a value that may be chosen can be dropped with all
// of its operations, and the history is linearizable without it if and only if it was with it. Where no value may be
// chosen, it is not linearizable (Proposition 4.5).
//
// And section 4.3's converse: with a monitor for an oracle, asked whether the history is linearizable and whether it is
// without a value, Algorithm 1 needs no definition.
//
// Source: the paper on decrease and conquer (docs/papers/README.md), section 4. Every choice of a whole run is looked
// at, and values are named at random, so that each that may be chosen is.
#include <gtest/gtest.h>

#include "base/none.hpp"
#include "core/decider.hpp"
#include "cross/drafts.hpp"
#include "decide/framework/standardise.hpp"
#include "linchpin/framework.hpp"
#include "support/interval_orders.hpp"
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

/// Registers: rows 0 and 1 are write and read.
struct CellActs : Acts {
  static constexpr bool overwrites = true;
  static Act act(const Operation& operation, bool /*pending*/) {
    if (operation.method == 0) return {ActKind::add, operation.argument(0)};
    if (operation.result.is_nil()) return {ActKind::empty};
    return operation.result.is_unknown() ? Act{} : Act{ActKind::look, operation.result};
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
  bool overwrites = false;

  [[nodiscard]] Binding bind(const history::Subhistory& part) const {
    return overwrites ? decide::bind(part, ContainerRulesOf(CellActs{})) : decide::bind(part, ContainerRulesOf(Acts{}));
  }
  friend void PrintTo(const Rule& rule, std::ostream* out) { *out << rule.type; }
};
const std::array kRules{
    Rule{"Queue", "queue", "Queue", &potentially_front_value},
    Rule{"Stack", "stack", "Stack", &potentially_bottom_value},
    Rule{"PriorityQueue", "priority-queue", "PriorityQueueWithEqualPriorities",
         [](const ContainerHistory& history) { return minimal(history, false); }},
    Rule{"PriorityQueueFirstInFirstOut", "priority-queue ties=fifo", "PriorityQueueFirstInFirstOut",
         [](const ContainerHistory& history) { return minimal(history, true); }},
    Rule{
        .name = "Register", .type = "register", .subject = "Register", .choose = &compatible_value, .overwrites = true},
};

/// A history in standard form, and the values that are left of it.
struct Standard {
  Built built;
  BoundHistory bound;
  Standardised standardised;

  [[nodiscard]] ContainerHistory& history() { return *standardised.history; }
  /// The operations that are left, as a history of its own.
  [[nodiscard]] history::Subhistory residual(std::optional<std::uint32_t> without = std::nullopt) const {
    std::vector<std::uint32_t> locals;
    const auto remaining = standardised.history->values();
    for (const BoundOperation& operation : bound.operations) {
      const bool kept =
          operation.value == kNone || std::any_of(remaining.begin(), remaining.end(), [&](std::uint32_t value) {
            return value != without && standardised.value_of[value] == operation.value;
          });
      if (kept) locals.push_back(operation.local);
    }
    return history::restrict(built.part, locals);
  }
};

/// Calls `visit` with so many random histories of the rule's type.
void draw(const Rule& rule, std::size_t count, const std::function<void(Standard&)>& visit) {
  const auto specification = specification_of(rule.type);
  const auto subjects = cross::monitored_subjects();
  const auto subject =
      std::find_if(subjects.begin(), subjects.end(), [&](const auto& each) { return each.name == rule.subject; });
  ASSERT_NE(subject, subjects.end());
  Random random(20240612);
  const auto states = specification->make_states();
  for (std::size_t histories = 0; histories < count && !testing::Test::HasFatalFailure();) {
    if (states->bound() > 100'000) states->retain({});
    const RandomShape shape{.operations = 2 + below(random, 9),
                            .most_open = 1 + below(random, 5),
                            .pending = 0.0,
                            .by_simulation = below(random, 8) != 0};
    Sketch sketch = random_sketch(random, *states, subject->start(random), shape);
    if (below(random, 2) == 0) mutate(random, sketch, subject->results);
    if (!valid(sketch) || !takes(*specification, sketch)) continue;
    Built built = build(specification, sketch);
    if (built.part.pending_count > 0) continue;
    Binding binding = rule.bind(built.part);
    if (!binding.obstacle.empty()) continue;
    Standardised standardised = standardise(binding.history);
    if (standardised.fault) continue;
    ++histories;
    Standard standard{std::move(built), std::move(binding.history), std::move(standardised)};
    standard.bound.part = &standard.built.part;
    visit(standard);
  }
}

class Preservation : public testing::TestWithParam<Rule> {};

TEST_P(Preservation, OfLinearizabilityByEachValueThatMayBeChosen) {
  const Rule& rule = GetParam();
  const std::size_t count = random_histories(200'000) / 20;
  Oracle oracle(*specification_of(rule.type));
  std::size_t chosen = 0, linearizable = 0, stuck = 0;
  draw(rule, count, [&](Standard& standard) {
    ContainerHistory& history = standard.history();
    bool before = oracle.linearizable(standard.residual());
    linearizable += before ? 1 : 0;
    while (!history.values().empty()) {
      const auto value = rule.choose(history);
      if (!value) {
        ++stuck;
        ASSERT_FALSE(before) << "no value may be chosen\n" << to_text(standard.built.part);
        break;
      }
      ++chosen;
      history.erase(*value);
      const bool after = oracle.linearizable(standard.residual());
      ASSERT_EQ(before, after) << "number " << *value << " was dropped\n" << to_text(standard.built.part);
      before = after;
    }
    if (history.values().empty()) {
      ASSERT_TRUE(before) << to_text(standard.built.part);
    }
  });
  EXPECT_GT(chosen, count);
  EXPECT_GT(linearizable, count / 10);
  EXPECT_GT(stuck, count / 200);
}

/// What the monitors of the types say, or else the oracle, where they leave it to the search.
class Monitored {
 public:
  explicit Monitored(const Specification& specification) : oracle_(specification) {}

  bool linearizable(const history::Subhistory& part) {
    for (const core::Decider& monitor : core::monitors()) {
      if (!monitor.applicable(part).applies) continue;
      core::Budget budget{Limits{}};
      const core::Outcome outcome = monitor.decide(part, {.witness = false}, budget);
      if (outcome.verdict == Verdict::unknown) continue;
      ++answers;
      return outcome.verdict == Verdict::linearizable;
    }
    ++others;
    return oracle_.linearizable(part);
  }

  std::size_t answers = 0, others = 0;

 private:
  Oracle oracle_;
};

TEST_P(Preservation, IsToldByAMonitorThatIsAskedTwice) {
  const Rule& rule = GetParam();
  const std::size_t count = random_histories(200'000) / 100;
  Oracle oracle(*specification_of(rule.type));
  Monitored monitored(*specification_of(rule.type));
  std::size_t refuted = 0, not_found = 0;
  draw(rule, count, [&](Standard& standard) {
    ContainerHistory& history = standard.history();
    const bool truth = oracle.linearizable(standard.residual());
    while (!history.values().empty()) {
      const bool whole = monitored.linearizable(standard.residual());
      const auto preserves = [&](std::uint32_t value) {
        return whole || !monitored.linearizable(standard.residual(value));
      };
      const auto defined = rule.choose(history);
      if (defined) {
        ASSERT_TRUE(preserves(*defined)) << to_text(standard.built.part);
      }
      const auto values = history.values();
      const auto value = std::find_if(values.begin(), values.end(), preserves);
      if (value == values.end()) break;
      not_found += defined ? 0 : 1;
      history.erase(*value);
    }
    refuted += truth ? 0 : 1;
    ASSERT_EQ(history.values().empty(), truth) << to_text(standard.built.part);
  });
  EXPECT_GT(refuted, count / 200);
  EXPECT_LT(monitored.others, monitored.answers / 20);
  EXPECT_GT(not_found, 0U) << "more values preserve than the definition says";
}

INSTANTIATE_TEST_SUITE_P(Definition44, Preservation, testing::ValuesIn(kRules),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

/// One after the other: write(v), and read -> -v.
history::Subhistory sequential(Built& built, const std::vector<std::int64_t>& operations) {
  Sketch sketch;
  Tick now = 0;
  for (const std::int64_t value : operations) {
    SketchedOperation operation{.call = now, .response = now + 1};
    now += 2;
    if (value > 0) {
      operation.arguments = {Value::integer(value)};
    } else {
      operation.method = 1;
      operation.result = Value::integer(-value);
    }
    sketch.push_back(std::move(operation));
  }
  built = build(specification_of("register initial=undefined"), sketch);
  return built.part;
}

// The examples after Definition 4.4, in kind: their formulas are lost in the text that is at hand.
TEST(Definition44, IsAboutSomeValuesSomeTimes) {
  Oracle oracle(*specification_of("register initial=undefined"));
  Built built;
  const auto linearizable = [&](const std::vector<std::int64_t>& operations) {
    return oracle.linearizable(sequential(built, operations));
  };
  // Ambiguous, 1 is written twice. The first three operations are wrong, so that 3 preserves that.
  EXPECT_FALSE(linearizable({1, 2, -1, 3, 1}));
  EXPECT_FALSE(linearizable({1, 2, -1, 1}));
  // Unambiguous: neither value preserves it, only nothing does.
  EXPECT_FALSE(linearizable({1, 2, -1}));
  EXPECT_TRUE(linearizable({1, -1}));
  EXPECT_TRUE(linearizable({2}));
}

// Theorem 3.1 reduces registers to a formula about a total order of the operations: before each read there is a write
// of its value, and no write of another one between the two. Without unambiguity that is NP-hard.
TEST(Theorem31, ItsFormulaIsThatOfRegisters) {
  const auto specification = specification_of("register initial=undefined");
  Oracle oracle(*specification);
  std::size_t histories = 0, linearizable = 0;
  const auto satisfied = [](const history::Subhistory& part, const std::vector<std::uint32_t>& order) {
    for (std::size_t read = 0; read < order.size(); ++read) {
      if (part.method[order[read]] == 0) continue;
      bool any = false;
      for (std::size_t write = 0; write < read; ++write) {
        const bool own = part.method[order[write]] == 0 && part.arguments(order[write])[0] == part.result(order[read]);
        any = any || (own && std::none_of(order.begin() + static_cast<std::ptrdiff_t>(write) + 1,
                                          order.begin() + static_cast<std::ptrdiff_t>(read),
                                          [&](std::uint32_t between) { return part.method[between] == 0; }));
      }
      if (!any) return false;
    }
    return true;
  };
  const auto extends = [](const history::Subhistory& part, const std::vector<std::uint32_t>& order) {
    for (std::size_t late = 0; late < order.size(); ++late) {
      for (std::size_t early = 0; early < late; ++early) {
        if (part.happens_before(order[late], order[early])) return false;
      }
    }
    return true;
  };
  for (std::uint32_t labels = 0; labels < 256; ++labels) {
    Sketch sketch;
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t label = labels >> (2 * i) & 3U;
      const Value value = Value::integer(1 + (label & 1U));
      sketch.push_back(label < 2 ? SketchedOperation{.method = 0, .arguments = {value}}
                                 : SketchedOperation{.method = 1, .result = value});
    }
    const auto rank = [&](std::size_t i) { return std::pair(sketch[i].method, sketch[i].arguments.size()); };
    if (rank(0) > rank(1) || rank(1) > rank(2) || rank(2) > rank(3)) continue;  // which is which is a matter of names
    for_all_interval_orders(sketch, [&](const Sketch& each) {
      const Built built = build(specification, each);
      ++histories;
      const bool truth = oracle.linearizable(built.part);
      linearizable += truth ? 1 : 0;
      std::vector<std::uint32_t> order{0, 1, 2, 3};
      bool model = false;
      do {
        model = model || (extends(built.part, order) && satisfied(built.part, order));
      } while (!model && std::next_permutation(order.begin(), order.end()));
      EXPECT_EQ(model, truth) << to_text(built.part);
    });
  }
  EXPECT_GT(linearizable, 1000U);
  EXPECT_GT(histories, 2 * linearizable);
}

}  // namespace
}  // namespace linchpin::decide::preservation_test
