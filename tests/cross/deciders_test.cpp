// Every decider against the reference, on random small histories of every type, with all evidence re-checked.
//
// LINCHPIN_CROSS_COUNT sets the number of histories a type (default 12,000); a failure prints the seed and the history.
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cross/random_history.hpp"
#include "cross/type_variants.hpp"
#include "decide/choose.hpp"
#include "decide/search/search_task.hpp"
#include "decide/search/wgl.hpp"
#include "evidence/core.hpp"
#include "evidence/witness.hpp"
#include "history/subhistory.hpp"
#include "linchpin/check.hpp"
#include "reference/reference.hpp"

namespace linchpin {
namespace {

std::size_t histories_per_type() {
  const char* const given = std::getenv("LINCHPIN_CROSS_COUNT");
  return given == nullptr ? 12'000 : std::strtoull(given, nullptr, 10);
}

std::string text_of(const History& history) {
  std::string text;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    text +=
        fmt::format("  {} [{}, {}] {}\n", history.process_name(history.process(i)), history.call(i),
                    history.pending(i) ? std::string("-") : std::to_string(history.response(i)), history.describe(i));
  }
  return text;
}

class EveryType : public testing::TestWithParam<std::string> {};

void expect_agreement(const History& history, const std::shared_ptr<const Specification>& specification, Ties ties,
                      const std::string& label) {
  const std::vector specifications{specification};
  const auto parts = history::split_by_object(history, specifications, ties);
  ASSERT_TRUE(parts) << parts.error().to_string() << label;
  const history::Subhistory& part = (*parts)[0];
  const bool expected = reference::linearizable(part);
  const Verdict verdict = expected ? Verdict::linearizable : Verdict::violation;
  core::Budget budget({});
  const auto expect_outcome = [&](const core::Decider& decider, const core::Outcome& outcome) {
    ASSERT_EQ(outcome.verdict, verdict) << decider.name << " disagrees with the reference\n" << label;
    if (outcome.verdict == Verdict::linearizable) {
      Witness witness;
      std::vector<bool> taken(part.size(), false);
      for (const std::uint32_t local : outcome.witness) {
        witness.order.push_back(part.operation[local]);
        taken[local] = true;
      }
      for (std::uint32_t local = 0; local < part.size(); ++local) {
        if (!taken[local]) witness.omitted.push_back(part.operation[local]);
      }
      ASSERT_EQ(evidence::refute_witness(history, 0, *specification, witness, ties), "") << decider.name << "\n"
                                                                                         << label;
    } else if (!outcome.core.empty()) {
      const history::Subhistory core = history::restrict(part, outcome.core);
      ASSERT_FALSE(reference::linearizable(core)) << decider.name << " gave a core that is linearizable\n" << label;
    }
  };
  for (const std::span<const core::Decider> list : {decide::searches(), decide::published_searches().first(2)}) {
    for (const core::Decider& decider : list) expect_outcome(decider, decider.decide(part, {.witness = true}, budget));
  }
  for (const std::span<const core::Decider> list : {core::monitors(), core::necessary_conditions(), core::lifts()}) {
    for (const core::Decider& decider : list) {
      if (!decider.applicable(part).applies) continue;
      const core::Outcome outcome = decider.decide(part, {.witness = true}, budget);
      if (outcome.verdict == Verdict::unknown && outcome.reason == Reason::not_applicable) continue;
      expect_outcome(decider, outcome);
    }
  }
  // The whole pipeline: choice, keys, shrinking, verification.
  CheckOptions options;
  options.specification = specification;
  options.ties = ties;
  options.verify = Verify::thoroughly;
  options.threads = 1;
  const auto checked = check(history, options);
  ASSERT_TRUE(checked) << label;
  ASSERT_EQ(checked->verdict, verdict) << "check disagrees, by " << checked->objects[0].decider << "\n" << label;
  if (expected) {
    ASSERT_EQ(checked->objects[0].witness_checked, true) << checked->objects[0].decider << "\n" << label;
  } else {
    ASSERT_FALSE(checked->objects[0].violation->core.empty()) << label;
    ASSERT_EQ(checked->objects[0].core_checked, true) << checked->objects[0].decider << "\n" << label;
  }
}

TEST_P(EveryType, DecidersAgreeWithTheReferenceOnRandomHistories) {
  const auto type = TypeName::parse(GetParam());
  ASSERT_TRUE(type);
  const auto specification = make_specification(*type);
  ASSERT_TRUE(specification) << specification.error().to_string();
  const std::size_t count = histories_per_type();
  std::size_t linearizable = 0;
  for (std::size_t k = 0; k < count; ++k) {
    cross::Shape shape;
    shape.operations = 2 + static_cast<std::uint32_t>(k % 8);
    shape.processes = 1 + static_cast<std::uint32_t>(k % 4);
    shape.values = 1 + static_cast<std::int64_t>(k % 3);
    shape.tick_range = k % 2 == 0 ? 8 : 40;
    cross::RandomHistories random(**specification, shape, k);
    const History history = random.next();
    const Ties ties = k % 5 == 0 ? Ties::response_first : Ties::concurrent;
    expect_agreement(history, *specification, ties,
                     fmt::format("type {}, seed {}\n{}", GetParam(), k, text_of(history)));
    if (HasFatalFailure()) return;
    const std::vector specifications{*specification};
    linearizable += reference::linearizable((*history::split_by_object(history, specifications, ties))[0]) ? 1 : 0;
  }
  // The generator must exercise both answers.
  EXPECT_GT(linearizable, count / 20);
  EXPECT_LT(linearizable, count - count / 50);
  RecordProperty("histories", static_cast<int>(count));
  RecordProperty("linearizable", static_cast<int>(linearizable));
}

/// Many operations at once with few values, where searches drop what is no better than something else.
TEST_P(EveryType, DecidersAgreeWithTheReferenceOnWideHistories) {
  const auto type = TypeName::parse(GetParam());
  ASSERT_TRUE(type);
  const auto specification = make_specification(*type);
  ASSERT_TRUE(specification) << specification.error().to_string();
  const std::size_t count = histories_per_type() / 4;
  for (std::size_t k = 0; k < count; ++k) {
    cross::Shape shape;
    shape.operations = 6 + static_cast<std::uint32_t>(k % 4);
    shape.processes = 4 + static_cast<std::uint32_t>(k % 5);
    shape.values = 1 + static_cast<std::int64_t>(k % 2);
    shape.pending = k % 3 == 0 ? 0.15 : 0;
    shape.unknown = k % 3 == 0 ? 0.08 : 0;
    shape.tick_range = k % 7 == 0 ? 10 : 100;
    cross::RandomHistories random(**specification, shape, k);
    const History history = random.next();
    expect_agreement(history, *specification, Ties::concurrent,
                     fmt::format("type {}, wide, seed {}\n{}", GetParam(), k, text_of(history)));
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Random, EveryType, testing::ValuesIn(cross::type_variants()), cross::variant_name);

}  // namespace
}  // namespace linchpin
