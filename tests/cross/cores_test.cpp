// What is said of cores, held against the plain definition, on random small violations of every type: that none of a
// core called minimal can be spared, and that an operation which nothing makes possible is told alone.
//
// LINCHPIN_CROSS_COUNT sets the number of histories a type (default 8,000). With LINCHPIN_CORES_FIGURES=1 the figures
// of docs/design/explain.md are printed.
#include <bit>
#include <cstdlib>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cross/random_history.hpp"
#include "cross/type_variants.hpp"
#include "history/subhistory.hpp"
#include "linchpin/check.hpp"
#include "support/held.hpp"
#include "support/oracle.hpp"
#include "support/thoroughness.hpp"

namespace linchpin {
namespace {

std::size_t histories_per_type() { return test::random_histories(5'000); }

/// Every subset of some operations, decided one by one.
class EverySubset {
 public:
  using Set = std::uint32_t;

  EverySubset(const History& history, const std::vector<OperationIndex>& operations,
              const std::shared_ptr<const Specification>& specification, Ties ties)
      : linearizable_(std::size_t{1} << operations.size()), possible_(linearizable_.size(), 0) {
    const History own = history.restricted_to(operations);
    const std::vector specifications{specification};
    const auto parts = history::split_by_object(own, specifications, ties);
    const history::Subhistory& part = (*parts)[0];
    for (std::uint32_t local = 0; local < part.size(); ++local) {
      operation_.push_back(operations[part.operation[local].number()]);
      if (!part.pending(local)) returned_ |= 1U << local;
    }
    test::Oracle oracle(*specification);
    for (Set set = 0; set < linearizable_.size(); ++set) {
      std::vector<std::uint32_t> locals;
      for (std::uint32_t local = 0; local < part.size(); ++local) {
        if ((set >> local & 1U) != 0) locals.push_back(local);
      }
      linearizable_[set] = oracle.linearizable(history::restrict(part, locals));
      if (linearizable_[set]) possible_[set] = set & returned_;
      for (std::uint32_t local = 0; local < part.size(); ++local) {
        if ((set >> local & 1U) != 0) possible_[set] |= possible_[set & ~(1U << local)];
      }
    }
  }

  [[nodiscard]] Set all() const { return static_cast<Set>(linearizable_.size() - 1); }
  [[nodiscard]] bool linearizable(Set set) const { return linearizable_[set]; }
  [[nodiscard]] Set impossible(Set set) const { return set & returned_ & ~possible_[set]; }
  [[nodiscard]] std::vector<OperationIndex> names(Set set) const {
    std::vector<OperationIndex> names;
    for (std::uint32_t local = 0; local < operation_.size(); ++local) {
      if ((set >> local & 1U) != 0) names.push_back(operation_[local]);
    }
    return names;
  }
  /// A smaller set that is a violation although none of its operations is impossible in it.
  [[nodiscard]] std::optional<Set> smaller_violation() const {
    for (Set set = 0; set < all(); ++set) {
      if (!linearizable_[set] && impossible(set) == 0) return set;
    }
    return std::nullopt;
  }

 private:
  std::vector<bool> linearizable_;
  std::vector<Set> possible_;  // by set: those that returned and are in some linearizable subset of it
  std::vector<OperationIndex> operation_;
  Set returned_ = 0;
};

std::string text_of(const History& history, const Violation& violation) {
  std::string text;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    const auto has = [i](const std::vector<OperationIndex>& list) {
      return std::find(list.begin(), list.end(), i) != list.end();
    };
    text +=
        fmt::format("  {} {} [{}, {}] {}\n",
                    has(violation.core)      ? "core"
                    : has(violation.context) ? "with"
                                             : "    ",
                    history.process_name(history.process(i)), history.call(i),
                    history.pending(i) ? std::string("-") : std::to_string(history.response(i)), history.describe(i));
  }
  return text + (violation.start ? "  from " + violation.start->type + "\n" : "") + "  " + violation.sentence + "\n";
}

/// The same with the times of operations exchanged in pairs, so that what happened is possible, and not when.
History reordered(const History& history, const Specification& specification, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<OperationIndex> times(history.size());
  for (OperationIndex i = 0; i < history.size(); ++i) times[i.number()] = i;
  for (std::size_t exchanges = 1 + random() % 2; exchanges > 0; --exchanges) {
    std::swap(times[random() % times.size()], times[random() % times.size()]);
  }
  HistoryBuilder builder;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    std::vector<Value> arguments;
    for (const Value each : history.arguments(i)) arguments.push_back(builder.pool().import(each, history.pool()));
    const bool pending = history.pending(i) && history.pending(times[i.number()]);
    builder.add({.process = specification.uses_process() ? history.process(i) : kNoProcess,
                 .method = history.method_name(history.method(i)),
                 .arguments = std::move(arguments),
                 .result = builder.pool().import(history.result(i), history.pool()),
                 .call = history.call(times[i.number()]),
                 .response = pending                              ? kPending
                             : history.pending(times[i.number()]) ? history.call(times[i.number()]) + 5
                                                                  : history.response(times[i.number()])});
  }
  auto built = std::move(builder).build();
  return built ? std::move(*built) : history;
}

struct Figures {
  std::size_t violations = 0, minimal = 0, alone = 0, with_context = 0, spare = 0;
};

class CoresOf : public testing::TestWithParam<std::string> {};

void expect_honest(const History& history, const std::shared_ptr<const Specification>& specification, Ties ties,
                   Figures& figures) {
  CheckOptions options;
  options.specification = specification;
  options.ties = ties;
  options.threads = 1;
  options.verify = Verify::thoroughly;
  const auto checked = check(history, options);
  ASSERT_TRUE(checked);
  ASSERT_EQ(test::what_did_not_hold(*checked), "")
      << text_of(history, checked->objects[0].violation.value_or(Violation{}));
  if (checked->verdict != Verdict::violation) return;
  const ObjectVerdict& object = checked->objects[0];
  const Violation& violation = *object.violation;
  const std::string label = object.decider + "\n" + text_of(history, violation);
  ASSERT_FALSE(violation.core.empty()) << label;
  ASSERT_EQ(object.core_checked, true) << label;
  std::shared_ptr<const Specification> from = specification;
  if (violation.start) from = *make_specification(*TypeName::parse(violation.start->type));
  const EverySubset core(history, violation.core, from, ties);
  ++figures.violations;
  figures.minimal += violation.minimal ? 1 : 0;
  figures.alone += violation.core.size() == 1 ? 1 : 0;
  figures.with_context += violation.context.empty() ? 0 : 1;
  figures.spare += core.smaller_violation() ? 1 : 0;

  ASSERT_FALSE(core.linearizable(core.all())) << label;
  const bool one_impossible = violation.core.size() > 1 && core.impossible(core.all()) != 0;
  if (violation.minimal) {
    ASSERT_FALSE(one_impossible) << label;
    ASSERT_FALSE(core.smaller_violation()) << label;
  } else {
    // Small as these are, the test never runs out of steps: less is said only where less is true.
    ASSERT_TRUE(one_impossible || core.smaller_violation()) << label;
  }
  if (!violation.context.empty()) {
    ASSERT_EQ(violation.core.size(), 1U) << label;
    std::vector<OperationIndex> all = violation.context;
    all.insert(std::lower_bound(all.begin(), all.end(), violation.core[0]), violation.core[0]);
    const EverySubset both(history, all, from, ties);
    const std::vector<OperationIndex> impossible = both.names(both.impossible(both.all()));
    const bool found = std::find(impossible.begin(), impossible.end(), violation.core[0]) != impossible.end();
    // Operations that return after it count as pending there, with any result; so this is the stricter question.
    ASSERT_TRUE(found) << label;
  }
  if (violation.core.size() > 1) {
    std::vector<OperationIndex> everything(history.size());
    for (OperationIndex i = 0; i < history.size(); ++i) everything[i.number()] = i;
    const EverySubset whole(history, everything, specification, ties);
    for (const OperationIndex i : whole.names(whole.impossible(whole.all()))) {
      ASSERT_TRUE(std::find(violation.core.begin(), violation.core.end(), i) == violation.core.end())
          << "not told alone: " << history.describe(i) << "\n"
          << label;
    }
  }
}

TEST_P(CoresOf, RandomViolationsHaveNothingToSpareWhereTheySaySo) {
  const auto specification = make_specification(*TypeName::parse(GetParam()));
  ASSERT_TRUE(specification) << specification.error().to_string();
  Figures figures;
  const std::size_t count = histories_per_type();
  for (std::size_t k = 0; k < count; ++k) {
    cross::Shape shape;
    shape.operations = 2 + static_cast<std::uint32_t>(k % 6);
    shape.processes = 1 + static_cast<std::uint32_t>(k % 4);
    shape.values = 1 + static_cast<std::int64_t>(k % 4);
    const bool reorder = k % 8 < 6;
    shape.spoiled = reorder ? 0 : 1;
    shape.tick_range = k % 3 == 0 ? 6 : 20;
    cross::RandomHistories histories(**specification, shape, 1'000'003 * k + 17);
    History history = histories.next();
    if (reorder) history = reordered(history, **specification, k);
    expect_honest(history, *specification, k % 2 == 0 ? Ties::concurrent : Ties::response_first, figures);
    if (HasFatalFailure()) {
      ADD_FAILURE() << "history " << k << " of " << GetParam();
      return;
    }
  }
  EXPECT_GT(figures.violations, count / 20);
  if (std::getenv("LINCHPIN_CORES_FIGURES") != nullptr) {
    fmt::print("| {} | {} | {} | {} | {} | {} |\n", GetParam(), figures.violations, figures.minimal, figures.spare,
               figures.alone, figures.with_context);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, CoresOf, testing::ValuesIn(cross::type_variants()), cross::variant_name);

}  // namespace
}  // namespace linchpin
