// The thesis's algorithm (src/research/value_blocks) against the oracle: how often it is wrong, and how.
//
// On every history within its assumptions of up to four writes, reads, true and false CASes of three values, each with
// every happens-before (five where LINCHPIN_CROSS_COUNT is set), and on LINCHPIN_CROSS_COUNT random ones of up to
// twelve operations. It refuses nothing that is linearizable; what it accepts wrongly has a chain of true CASes that
// runs backwards by more than one value. By the letter of Figure 16 it is wrong about false CASes in both ways. All
// that is wrong is refuted by its own evidence.
#include <numeric>
#include <tuple>

#include <gtest/gtest.h>

#include "cross/drafts.hpp"
#include "research/value_blocks/chains.hpp"
#include "research/value_blocks/decider.hpp"
#include "support/interval_orders.hpp"
#include "support/oracle.hpp"
#include "support/thoroughness.hpp"
#include "types/cas_register/specification.hpp"

namespace linchpin::value_blocks_test {
namespace {

using namespace test;                    // NOLINT: the vocabulary of these tests
using namespace research::value_blocks;  // NOLINT: the thesis's vocabulary
using types::CasRegister;

constexpr std::string_view kType = "cas-register initial=undefined";

/// Whether an operation on a value of a chain returned before one on a value of the same chain was called that has to
/// be there earlier, and no two neighbours show it.
bool runs_backwards(const Execution& execution) {
  for (const Chain& chain : make_chains(execution)) {
    for (std::size_t late = 2; late < chain.size(); ++late) {
      for (std::size_t early = 0; early + 1 < late; ++early) {
        for (const std::uint32_t a : execution.by_value[chain[late]]) {
          for (const std::uint32_t b : execution.by_value[chain[early]]) {
            if (execution.calls[a].end < execution.calls[b].start) return true;
          }
        }
      }
    }
  }
  return false;
}

struct Wrong {
  std::size_t refused = 0, accepted = 0;
};

class Count {
 public:
  void add(const Sketch& sketch) {
    const Built built = build(specification_, sketch);
    const history::Subhistory& part = built.part;
    if (!research::value_block_deciders()[0].applicable(part).applies) return;
    ++histories;
    const bool truth = oracle_.linearizable(part);
    linearizable += truth ? 1 : 0;
    for (std::size_t which = 0; which < 2; ++which) {
      core::Budget budget{Limits{}};
      const core::Outcome outcome = research::value_block_deciders()[which].decide(part, {.witness = true}, budget);
      const bool accepts = outcome.verdict == Verdict::linearizable;
      ASSERT_TRUE(accepts || outcome.verdict == Verdict::violation);
      ASSERT_TRUE(accepts || !outcome.sentence.empty());
      if (accepts != truth) ++(accepts ? wrong[which].accepted : wrong[which].refused);
      const bool holds = accepts ? oracle_.valid_witness(part, outcome.witness)
                                 : !oracle_.linearizable(history::restrict(part, outcome.core));
      ASSERT_TRUE(accepts == truth || !holds) << outcome.sentence << "\n" << to_text(part);
      if (which > 0) continue;  // right for a wrong reason, now and then
      ASSERT_EQ(holds, accepts == truth) << outcome.sentence << "\n" << to_text(part);
      if (holds) continue;
      ASSERT_TRUE(accepts) << outcome.sentence << "\n" << to_text(part);
      ASSERT_TRUE(runs_backwards(read_execution(part).execution)) << to_text(part);
    }
  }

  void print(const char* which) const {
    if (!thorough()) return;
    std::printf(
        "value blocks, %s: %zu histories, %zu linearizable; refused %zu, accepted %zu wrongly; as printed %zu, %zu\n",
        which, histories, linearizable, wrong[0].refused, wrong[0].accepted, wrong[1].refused, wrong[1].accepted);
  }

  std::size_t histories = 0, linearizable = 0;
  std::array<Wrong, 2> wrong;

 private:
  std::shared_ptr<const Specification> specification_ = specification_of(kType);
  Oracle oracle_{*specification_};
};

/// One operation with its value, or both of a true CAS.
struct Label {
  std::uint16_t method = CasRegister::kRead;
  std::int64_t value = 0, compare = 0;
  bool failed = false;

  [[nodiscard]] bool writes() const {
    return method == CasRegister::kWrite || (method == CasRegister::kCas && !failed);
  }
  [[nodiscard]] SketchedOperation sketched() const {
    if (method == CasRegister::kWrite) return {.method = method, .arguments = {Value::integer(value)}};
    if (method == CasRegister::kRead) return {.method = method, .result = Value::integer(value)};
    return {.method = method,
            .arguments = {Value::integer(failed ? value : compare), Value::integer(failed ? 90 : value)},
            .result = Value::boolean(!failed)};
  }
};

std::vector<Label> labels() {
  std::vector<Label> all;
  for (std::int64_t value = 1; value <= 3; ++value) {
    all.push_back({.method = CasRegister::kWrite, .value = value});
    all.push_back({.method = CasRegister::kRead, .value = value});
    all.push_back({.method = CasRegister::kCas, .value = value, .failed = true});
    // Which value follows which is a matter of names.
    for (std::int64_t compare = 1; compare < value; ++compare) {
      all.push_back({.method = CasRegister::kCas, .value = value, .compare = compare});
    }
  }
  return all;
}

/// Whether each value is written once at most, and each that somebody needs is.
bool worth_a_look(const std::vector<Label>& chosen) {
  const auto writers = [&](std::int64_t value) {
    return std::count_if(chosen.begin(), chosen.end(),
                         [&](const Label& label) { return label.writes() && label.value == value; });
  };
  return std::all_of(chosen.begin(), chosen.end(), [&](const Label& label) {
    const bool needs = label.method == CasRegister::kRead || label.writes();
    return writers(label.value) <= 1 && (!needs || writers(label.value) == 1) &&
           (label.compare == 0 || writers(label.compare) == 1);
  });
}

TEST(ValueBlocks, AreWrongOnNoOtherSmallHistories) {
  const std::vector<Label> all = labels();
  Count count;
  std::vector<Label> chosen;
  const std::function<void(std::size_t, std::size_t)> choose = [&](std::size_t from, std::size_t missing) {
    if (testing::Test::HasFatalFailure()) return;
    if (missing == 0) {
      if (!worth_a_look(chosen)) return;
      Sketch sketch;
      for (const Label& label : chosen) sketch.push_back(label.sketched());
      for_all_interval_orders(sketch, [&](const Sketch& each) {
        if (!testing::Test::HasFatalFailure()) count.add(each);
      });
      return;
    }
    for (std::size_t next = from; next < all.size(); ++next) {
      chosen.push_back(all[next]);
      choose(next, missing - 1);
      chosen.pop_back();
    }
  };
  for (std::size_t size = 1; size <= (thorough() ? 5U : 4U); ++size) choose(0, size);
  count.print("all small ones");
  EXPECT_GT(count.linearizable, count.histories / 20);
  EXPECT_GT(count.wrong[0].accepted, 0U);
  EXPECT_GT(count.wrong[1].accepted, count.wrong[0].accepted);
}

/// A chain of true CASes, with reads of its values; events in any order.
Sketch random_chain(Random& random) {
  std::vector<Label> chosen{{.method = CasRegister::kWrite, .value = 1}};
  const auto values = static_cast<std::int64_t>(2 + below(random, 3));
  for (std::int64_t value = 2; value <= values; ++value) {
    chosen.push_back({.method = CasRegister::kCas, .value = value, .compare = value - 1});
  }
  for (std::size_t reads = below(random, 4); reads > 0; --reads) {
    chosen.push_back({.value = 1 + static_cast<std::int64_t>(below(random, static_cast<std::size_t>(values)))});
  }
  std::vector<Tick> ticks(2 * chosen.size());
  std::iota(ticks.begin(), ticks.end(), Tick{0});
  std::shuffle(ticks.begin(), ticks.end(), random);
  Sketch sketch;
  for (const Label& label : chosen) {
    sketch.push_back(label.sketched());
    const std::size_t at = 2 * (sketch.size() - 1);
    std::tie(sketch.back().call, sketch.back().response) = std::minmax({ticks[at], ticks[at + 1]});
  }
  return sketch;
}

TEST(ValueBlocks, AreWrongOnNoOtherRandomHistories) {
  const std::size_t most = random_histories(40'000);
  const auto specification = specification_of(kType);
  const auto states = specification->make_states();
  const auto subjects = cross::monitored_subjects();
  const auto subject =
      std::find_if(subjects.begin(), subjects.end(), [](const auto& each) { return each.type == kType; });
  ASSERT_NE(subject, subjects.end());
  Random random(environment_number("LINCHPIN_CROSS_SEED", 20240613));
  Count count;
  for (std::size_t drawn = 0; drawn < most && !HasFatalFailure(); ++drawn) {
    if (states->bound() > 100'000) states->retain({});
    const RandomShape shape{.operations = 2 + below(random, 11),
                            .most_open = 1 + below(random, 5),
                            .pending = 0.0,
                            .by_simulation = below(random, 8) != 0};
    const bool chain = below(random, 8) == 0;
    Sketch sketch = chain ? random_chain(random) : random_sketch(random, *states, subject->start(random), shape);
    if (!chain && below(random, 2) == 0) mutate(random, sketch, subject->results);
    if (valid(sketch) && takes(*specification, sketch)) count.add(sketch);
  }
  count.print("random ones");
  EXPECT_GT(count.histories, most / 20);
  EXPECT_GT(count.linearizable, count.histories / 10);
  EXPECT_LT(count.linearizable, count.histories);
  EXPECT_GT(count.wrong[0].accepted, 0U);
}

}  // namespace
}  // namespace linchpin::value_blocks_test
