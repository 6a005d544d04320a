#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/oracle.hpp"
#include "support/register_transactions.hpp"
#include "support/sketch.hpp"
#include "support/thoroughness.hpp"
#include "types/multi_register/monitor.hpp"
#include "types/multi_register/specification.hpp"

namespace linchpin::test {
namespace {

using registers::build;
using registers::draw;
using registers::Outcome;
using registers::read;
using registers::Transaction;
using registers::Transactions;
using registers::write;

/// Holds the monitor against the oracle; counts what it met.
struct Check {
  explicit Check(const std::string& type) : specification(specification_of(type)), oracle(*specification) {}
  ~Check() {
    if (!thorough()) return;
    std::printf("%zu histories, %zu not applicable, %zu undecided, %zu linearizable, %zu violations, core of %zu\n",
                histories, refused, undecided, linearizable, violations, largest_core);
  }

  void check(const Transactions& transactions) {
    ++histories;
    Built built = build(transactions, specification);
    const auto applicability = types::multi_register::applicable(built.part);
    if (!applicability.applies) {
      ++refused;
      return;
    }
    const auto part = std::move(built.part);
    core::Budget budget{Limits{}};
    const auto outcome =
        types::multi_register::decide(part, {.witness = true, .reading = applicability.reading}, budget);
    const bool truth = oracle.linearizable(part);
    if (outcome.verdict == Verdict::unknown) {
      ++undecided;
      EXPECT_EQ(outcome.reason, Reason::not_applicable) << to_text(part);
      return;
    }
    ++(truth ? linearizable : violations);
    ASSERT_EQ(truth, outcome.verdict == Verdict::linearizable) << to_text(part) << outcome.sentence;
    if (truth) {
      EXPECT_TRUE(oracle.valid_witness(part, outcome.witness)) << to_text(part);
      return;
    }
    largest_core = std::max(largest_core, outcome.core.size());
    EXPECT_FALSE(outcome.sentence.empty());
    EXPECT_TRUE(std::is_sorted(outcome.core.begin(), outcome.core.end()));
    ASSERT_TRUE(outcome.blocked);
    EXPECT_TRUE(std::binary_search(outcome.core.begin(), outcome.core.end(), *outcome.blocked));
    EXPECT_FALSE(oracle.linearizable(history::restrict(part, outcome.core)))
        << to_text(part) << outcome.sentence << "\ncore: " << ::testing::PrintToString(outcome.core);
  }

  std::shared_ptr<const Specification> specification;
  Oracle oracle;
  std::size_t histories = 0, refused = 0, undecided = 0, linearizable = 0, violations = 0, largest_core = 0;
};

TEST(MultiRegisterMonitor, SaysWhatIsWrong) {
  struct Row {
    const char* sentence;
    Transactions transactions;
    std::vector<std::uint32_t> core;
  };
  const std::vector<Row> rows{
      {"A read from 0 what C wrote, but B wrote it in between, C returned before B was called, "
       "B returned before A was called; A is",
       {{{write(0, 10)}, 1, 2}, {{write(0, 11)}, 3, 4}, {{read(0, 10)}, 5, 6}},
       {0, 1, 2}},
      {"A read 0 as it was at first, but after B wrote it, B returned before A was called; A is",
       {{{write(0, 10)}, 1, 2}, {{read(0, 5)}, 3, 4}},
       {0, 1}},
      {"2 transactions saw what each other wrote, in a circle",
       {{{write(0, 10), read(1, 11)}, 1, 9}, {{write(1, 11), read(0, 10)}, 1, 9}},
       {0, 1}},
      {"txn([[r 0 nil]]) -> [[r 0 10]] returned before txn([[w 0 10]]) -> [[w 0 10]] was called, but it saw what that "
       "wrote",
       {{{read(0, 10)}, 1, 2}, {{write(0, 10)}, 3, 4}},
       {0, 1}},
      {"txn([[r 0 nil]]) -> [[r 0 12]] saw 12 in 0, which nobody wrote there", {{{read(0, 12)}, 1, 2}}, {0}},
      {"txn([[r 0 nil]]) -> [[r 0 10]] saw 10 in 0, which txn([[w 0 10] [w 0 11]]) -> [[w 0 10] [w 0 11]] wrote and "
       "overwrote itself",
       {{{write(0, 10), write(0, 11)}, 1, 9}, {{read(0, 10)}, 1, 9}},
       {1}},
      {"txn([[r 0 nil] [r 0 nil]]) -> [[r 0 5] [r 0 10]] read one key and found two values",
       {{{write(0, 10)}, 1, 9}, {{read(0, 5), read(0, 10)}, 1, 9}},
       {1}},
      // Write skew: each read what the other overwrote.
      {"A read 0 as it was at first, but after B wrote it, B read 1 before A wrote it; A is",
       {{{read(0, 5), write(1, 11)}, 1, 9}, {{read(1, 5), write(0, 10)}, 1, 9}},
       {0, 1}},
  };
  const auto specification = specification_of("multi-register initial=5");
  for (const Row& row : rows) {
    const Built built = build(row.transactions, specification);
    core::Budget budget{Limits{}};
    const auto outcome = types::multi_register::decide(built.part, {}, budget);
    EXPECT_EQ(outcome.verdict, Verdict::violation) << row.sentence;
    EXPECT_EQ(outcome.sentence.substr(0, std::string(row.sentence).size()), row.sentence);
    EXPECT_EQ(outcome.core, row.core) << outcome.sentence;
  }
}

TEST(MultiRegisterMonitor, DoesNotApplyToValuesWrittenTwice) {
  const auto why = [](const Transactions& transactions, const char* type) {
    return types::multi_register::applicable(build(transactions, specification_of(type)).part).why;
  };
  EXPECT_EQ(why({{{write(0, 1)}, 1, 2}, {{write(0, 1)}, 3, 4}}, "multi-register"), "1 is written to 0 twice");
  EXPECT_EQ(why({{{write(0, 5)}, 1, 2}}, "multi-register initial=5"), "5 is written to 0, which began with it");
  EXPECT_EQ(why({{{write(0, 1)}, 1, 2}, {{write(1, 1)}, 3, 4}}, "multi-register"),
            "no value is written to a key twice");
}

// A key may begin with what is written to it later.
TEST(MultiRegisterMonitor, LeavesOpenWhatAnUnknownInitialValueExplains) {
  const auto decide = [](const Transactions& transactions, const char* type) {
    const Built built = build(transactions, specification_of(type));
    core::Budget budget{Limits{}};
    return types::multi_register::decide(built.part, {}, budget).verdict;
  };
  const Transactions early{{{read(0, 10)}, 1, 2}, {{write(0, 10)}, 3, 4}};
  EXPECT_EQ(decide(early, "multi-register"), Verdict::unknown);
  EXPECT_EQ(decide(early, "multi-register initial=5"), Verdict::violation);
  // A pending transaction that saw another value took effect only if what it wrote was seen, which is what is open.
  const Transactions circular{{{read(0, 10)}, 1, 2}, {{read(0, 7), write(0, 10)}, 3, 4, Outcome::promised}};
  EXPECT_EQ(decide(circular, "multi-register"), Verdict::unknown);
  const Transactions known{{{read(0, 7)}, 1, 2}, {{read(0, 10)}, 3, 4}, {{write(0, 10)}, 5, 6}};
  EXPECT_EQ(decide(known, "multi-register"), Verdict::violation);
}

TEST(MultiRegisterMonitor, AgreesWithTheOracleOnRandomHistories) {
  Random random(environment_number("LINCHPIN_CROSS_SEED", 20261123));
  const std::size_t count = random_histories(20'000);
  for (const char* type : {"multi-register initial=5", "multi-register"}) {
    Check check(type);
    for (std::size_t i = 0; i < count && !HasFailure(); ++i) check.check(draw(random, 5));
    EXPECT_GT(check.linearizable, check.histories / 5) << type;
    EXPECT_GT(check.violations, check.histories / 20) << type;
    EXPECT_GT(check.refused, 0U) << type;
    EXPECT_LT(check.undecided, check.histories / 5) << type;
  }
}

// What overlaps much leaves more than one way open; trials are taken back.
TEST(MultiRegisterMonitor, AgreesWithTheOracleWhereAllOverlap) {
  Random random(environment_number("LINCHPIN_CROSS_SEED", 20261124));
  const std::size_t count = random_histories(20'000);
  Check check("multi-register initial=5");
  for (std::size_t i = 0; i < count && !HasFailure(); ++i) {
    Transactions all = draw(random, 5);
    for (Transaction& each : all) {
      each.call = 0;
      each.response = 9;
    }
    check.check(all);
  }
  EXPECT_GT(check.linearizable, check.histories / 5);
  EXPECT_GT(check.violations, check.histories / 20);
  EXPECT_EQ(check.undecided, 0U);
}

}  // namespace
}  // namespace linchpin::test
