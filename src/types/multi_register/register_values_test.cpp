// The search for transactions on registers with repeated values against the oracle.
#include "types/multi_register/values.hpp"

#include <algorithm>
#include <cstdio>

#include <gtest/gtest.h>

#include "support/found_within.hpp"
#include "support/oracle.hpp"
#include "support/register_transactions.hpp"
#include "support/thoroughness.hpp"

namespace linchpin::register_values_test {
namespace {

using test::registers::read;
using test::registers::Transactions;
using test::registers::write;
using types::multi_register::kValues;

core::Outcome decide(const history::Subhistory& part, std::size_t width = 32) {
  core::Budget budget{Limits{}};
  const auto search = types::multi_register::start_few_values(part, {.witness = true}, width);
  search->run(UINT64_MAX / 2, budget);
  return search->outcome();
}

core::Outcome decide(const Transactions& transactions, const char* type = "multi-register") {
  return decide(test::registers::build(transactions, test::specification_of(type)).part);
}

/// The same transactions over so many values.
void repeat(Transactions& all, int values) {
  for (auto& transaction : all) {
    for (auto& part : transaction.parts) {
      if (part.value != test::registers::kNil) part.value = 5 + part.value % values;
    }
  }
}

void agree(const char* type, std::uint64_t seed, bool all_overlap) {
  test::Random random(seed);
  const std::size_t count = test::random_histories(20'000);
  test::Oracle oracle(*test::specification_of(type));
  std::size_t linearizable = 0, violations = 0;
  for (std::size_t i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    Transactions transactions = test::registers::draw(random, 5);
    repeat(transactions, 1 + static_cast<int>(test::below(random, 4)));
    for (auto& each : transactions) {
      if (!all_overlap) break;
      each.call = 0;
      each.response = 9;
    }
    const test::Built built = test::registers::build(transactions, test::specification_of(type));
    ASSERT_TRUE(kValues.applicable(built.part).applies);
    // One alone is stuck often, so that windows have their turn.
    const core::Outcome outcome = decide(built.part, i % 2 == 0 ? 1 : 32);
    const bool truth = oracle.linearizable(built.part);
    ++(truth ? linearizable : violations);
    ASSERT_EQ(outcome.verdict, truth ? Verdict::linearizable : Verdict::violation) << test::to_text(built.part);
    if (truth) {
      ASSERT_TRUE(oracle.valid_witness(built.part, outcome.witness)) << test::to_text(built.part);
    } else if (!outcome.core.empty()) {
      ASSERT_FALSE(oracle.linearizable(history::restrict(built.part, outcome.core))) << test::to_text(built.part);
    }
  }
  if (test::thorough()) std::printf("%s: %zu linearizable, %zu violations\n", type, linearizable, violations);
  EXPECT_GT(linearizable, count / 10);
  EXPECT_GT(violations, count / 20);
}

TEST(RegisterValues, AgreesWithTheOracleOnRandomHistories) {
  const auto seed = test::environment_number("LINCHPIN_CROSS_SEED", 20261126);
  for (const char* type : {"multi-register initial=5", "multi-register", "multi-register initial=nil"})
    agree(type, seed, false);
}

TEST(RegisterValues, AgreesWithTheOracleWhereAllOverlap) {
  const auto seed = test::environment_number("LINCHPIN_CROSS_SEED", 20261127);
  for (const char* type : {"multi-register initial=5", "multi-register"}) agree(type, seed, true);
}

// Sixty transactions that may take effect at any time, or never. Some of these were not decided in so many steps while
// they were tried wherever they are legal.
TEST(RegisterValues, DoesPendingTransactionsWhereTheyAreNeeded) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const generate::Plan plan{.type = {.name = "multi-register"},
                              .operations = 1000,
                              .processes = 10,
                              .in_flight = 8,
                              .values = 5,
                              .pending = 60,
                              .seed = seed};
    test::expect_found_within(20'000'000, plan, kValues);
  }
}

TEST(RegisterValues, DecidesAHistoryOfNothing) {
  const test::Built built = test::registers::build({{{write(0, 7)}, 1, 2}}, test::specification_of("multi-register"));
  const core::Outcome outcome = decide(history::restrict(built.part, {}));
  EXPECT_EQ(outcome.verdict, Verdict::linearizable);
  EXPECT_TRUE(outcome.witness.empty());
}

TEST(RegisterValues, RefutesAReadThatFindsTwoValues) {
  EXPECT_EQ(decide({{{read(0, 7), read(0, 8)}, 1, 2}}).verdict, Verdict::violation);
}

}  // namespace
}  // namespace linchpin::register_values_test
