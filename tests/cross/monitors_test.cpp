// Every monitor, the framework's plain deciders and the searches against the oracle, with all evidence re-checked.
//
// Random histories of every type with a monitor, of up to 12 operations, with pending ones, some of which it is known
// what they would have returned, lost results, ties, damage, and values that mean something else elsewhere. The
// environment variable LINCHPIN_CROSS_COUNT sets the number of histories of all subjects together (200,000),
// LINCHPIN_CROSS_SEED the seed; then each test prints a line of counts, which `./dev cross COUNT` adds up.
#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "cross/drafts.hpp"
#include "decide/projections.hpp"
#include "decide/search/search_task.hpp"
#include "research/plain/plain.hpp"
#include "support/cross_check.hpp"
#include "support/thoroughness.hpp"

namespace linchpin::monitors_test {
namespace {

using namespace test;  // NOLINT: the vocabulary of these tests

/// One history against every decider that applies to it.
class Agreement {
 public:
  explicit Agreement(std::shared_ptr<const Specification> specification)
      : specification_(std::move(specification)), oracle_(*specification_) {}

  void check(const Sketch& sketch) {
    const Built built = build(specification_, sketch);
    const history::Subhistory& part = built.part;
    const std::size_t which = histories++;
    linearizable_ = oracle_.linearizable(part);
    if (linearizable_) ++linearizable;
    bool monitored = false;
    for (const core::Decider& monitor : core::monitors()) monitored = decided(monitor, part, true) || monitored;
    if (monitored) ++by_monitor;
    for (const core::Decider& condition : core::necessary_conditions()) decided(condition, part, false);
    decided(decide::key_projections(), part, false);
    // Witnesses by pinning down and by searching take longer than all the rest.
    for (const core::Decider& plain : research::plain_deciders())
      by_plain += decided(plain, part, which % 8 == 0) ? 1 : 0;
    if (which % 4 != 0) return;
    for (const core::Decider& search : decide::searches()) decided(search, part, which % 16 == 0);
    ++by_search;
  }

  [[nodiscard]] bool good() const { return disagreements < 3; }

  std::size_t histories = 0, linearizable = 0, by_monitor = 0, by_plain = 0, by_search = 0, disagreements = 0;

 private:
  /// Whether the decider applies and decides; what it says is held against the oracle.
  bool decided(const core::Decider& decider, const history::Subhistory& part, bool witness) {
    if (!decider.applicable(part).applies) return false;
    core::Budget budget{Limits{}};
    const core::Outcome outcome = decider.decide(part, {.witness = witness}, budget);
    if (outcome.verdict == Verdict::unknown) {
      if (outcome.reason != Reason::not_applicable) fail(decider, part, "unknown for no reason");
      return false;
    }
    if ((outcome.verdict == Verdict::linearizable) != linearizable_) {
      fail(decider, part, "says " + std::string(name(outcome.verdict)) + "; " + outcome.sentence);
    } else if (linearizable_) {
      if (witness && !oracle_.valid_witness(part, outcome.witness)) fail(decider, part, "a witness that is none");
    } else if (!outcome.core.empty()) {
      const bool ascends = std::is_sorted(outcome.core.begin(), outcome.core.end()) &&
                           std::adjacent_find(outcome.core.begin(), outcome.core.end()) == outcome.core.end();
      if (!ascends || oracle_.linearizable(history::restrict(part, outcome.core))) {
        fail(decider, part, "a core that is none; " + outcome.sentence);
      }
    }
    return true;
  }

  void fail(const core::Decider& decider, const history::Subhistory& part, const std::string& what) {
    ++disagreements;
    ADD_FAILURE() << decider.name << " on " << specification_->name() << ": " << what << "\n" << to_text(part);
  }

  std::shared_ptr<const Specification> specification_;
  Oracle oracle_;
  bool linearizable_ = false;
};

/// Results of every kind, in the place of those that are known.
std::vector<Value> any_results(const cross::Subject& subject) {
  std::vector<Value> results = subject.results;
  for (const Value value :
       {Value::none(), Value::nil(), Value::boolean(true), Value::boolean(false), Value::integer(1)}) {
    results.push_back(value);
  }
  return results;
}

/// Pending operations of which it is known what they would have returned.
void reveal(Random& random, Sketch& sketch, const std::vector<Value>& results) {
  for (SketchedOperation& operation : sketch) {
    if (operation.response != kPending || below(random, 2) == 0) continue;
    // Its argument is a result that stores and sets give, too.
    operation.result = operation.arguments.empty() || below(random, 4) != 0 ? results[below(random, results.size())]
                                                                            : operation.arguments.back();
  }
}

/// Results that were lost.
void lose(Random& random, Sketch& sketch) {
  for (SketchedOperation& operation : sketch) {
    if (below(random, 6) == 0) operation.result = Value::unknown();
  }
}

/// One value becomes another everywhere, of a kind that may mean something to the type; where that can be.
void rename(Random& random, const Specification& specification, Sketch& sketch) {
  constexpr std::array kOthers = {Value::nil(), Value::none(), Value::boolean(true), Value::boolean(false),
                                  Value::integer(0)};
  const Value from = Value::integer(static_cast<std::int64_t>(below(random, 4)));
  const Value to = kOthers[below(random, kOthers.size())];
  Sketch renamed = sketch;
  for (SketchedOperation& operation : renamed) {
    std::replace(operation.arguments.begin(), operation.arguments.end(), from, to);
    if (operation.result == from) operation.result = to;
  }
  if (takes(specification, renamed)) sketch = std::move(renamed);
}

class Monitors : public testing::TestWithParam<cross::Subject> {};

TEST_P(Monitors, AgreeWithTheOracleThePlainDecidersAndTheSearches) {
  const cross::Subject& subject = GetParam();
  const auto specification = specification_of(subject.type);
  const std::size_t count = test::random_histories(200'000) / cross::monitored_subjects().size() + 1;
  const std::size_t seed = environment_number("LINCHPIN_CROSS_SEED", 20240607);
  SCOPED_TRACE("seed " + std::to_string(seed));
  Agreement agreement(specification);
  const auto states = specification->make_states();
  const std::vector<Value> results = any_results(subject);
  Random random(seed);
  while (agreement.histories < count && agreement.good()) {
    if (states->bound() > 100'000) states->retain({});
    const Drafter drafter = subject.start(random);
    const RandomShape shape{.operations = 1 + below(random, 12),
                            .most_open = 1 + below(random, 5),
                            .pending = std::array{0.0, 0.0, 0.1, 0.3}[below(random, 4)],
                            .by_simulation = below(random, 8) != 0,
                            .processes = subject.processes == 0 ? 0 : 1 + below(random, subject.processes)};
    Sketch sketch = random_sketch(random, *states, drafter, shape);
    if (below(random, 2) == 0) mutate(random, sketch, subject.results);
    if (below(random, 8) == 0) tie(sketch);
    if (below(random, 4) == 0) reveal(random, sketch, results);
    if (below(random, 8) == 0) lose(random, sketch);
    if (below(random, 8) == 0) rename(random, *specification, sketch);
    if (valid(sketch) && takes(*specification, sketch)) agreement.check(sketch);
  }
  EXPECT_GT(agreement.by_monitor, agreement.histories / 4) << "the drafts hardly ever keep to what a monitor takes";
  EXPECT_GT(agreement.linearizable, agreement.histories / 50);
  EXPECT_LT(agreement.linearizable, agreement.histories);
  if (!test::thorough()) return;
  std::printf(
      "cross: %s: %zu histories, %zu linearizable, %zu by a monitor, %zu plainly, %zu by search, %zu disagree\n",
      std::string(subject.name).c_str(), agreement.histories, agreement.linearizable, agreement.by_monitor,
      agreement.by_plain, agreement.by_search, agreement.disagreements);
  std::fflush(stdout);  // what is shown while the others go on
}

INSTANTIATE_TEST_SUITE_P(Random, Monitors, testing::ValuesIn(cross::monitored_subjects()),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace linchpin::monitors_test
