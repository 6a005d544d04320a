// The search for list-append transactions with repeated elements against the oracle.
#include "types/list_append/lengths.hpp"

#include <algorithm>
#include <cstdio>

#include <gtest/gtest.h>

#include "support/list_append_check.hpp"
#include "support/oracle.hpp"

namespace linchpin::list_append_lengths_test {
namespace {

using test::transactions::append;
using test::transactions::read;
using test::transactions::Transactions;
using types::list_append::kLengths;

core::Outcome decide(const history::Subhistory& part) {
  core::Budget budget{Limits{}};
  return kLengths.decide(part, {.witness = true}, budget);
}

core::Outcome decide(const Transactions& transactions) { return decide(test::transactions::build(transactions).part); }

/// The same transactions over so many elements a key.
void repeat(Transactions& all, int elements) {
  for (auto& transaction : all) {
    for (auto& part : transaction.parts) {
      part.value %= elements;
      if (!part.list) continue;
      for (int& element : *part.list) element %= elements;
    }
  }
}

TEST(ListAppendLengths, AgreesWithTheOracleOnRandomHistories) {
  test::Random random(test::environment_number("LINCHPIN_CROSS_SEED", 20240607));
  const std::size_t count = test::random_histories(20'000);
  test::Oracle oracle(*test::specification_of("list-append"));
  std::size_t linearizable = 0, violations = 0, refused = 0;
  for (std::size_t i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    Transactions transactions = test::transactions::Drawing(random).draw();
    repeat(transactions, 1 + static_cast<int>(test::below(random, 4)));
    const test::Built built = test::transactions::build(transactions);
    if (!kLengths.applicable(built.part).applies) {
      ++refused;
      continue;
    }
    const core::Outcome outcome = decide(built.part);
    const bool truth = oracle.linearizable(built.part);
    ++(truth ? linearizable : violations);
    ASSERT_EQ(outcome.verdict, truth ? Verdict::linearizable : Verdict::violation) << test::to_text(built.part);
    if (truth) {
      ASSERT_TRUE(oracle.valid_witness(built.part, outcome.witness)) << test::to_text(built.part);
    } else if (!outcome.core.empty()) {
      ASSERT_TRUE(std::is_sorted(outcome.core.begin(), outcome.core.end())) << test::to_text(built.part);
      ASSERT_FALSE(oracle.linearizable(history::restrict(built.part, outcome.core))) << test::to_text(built.part);
    }
  }
  if (test::thorough()) {
    std::printf("list-append: %zu histories, %zu not applicable, %zu linearizable, %zu violations\n", count, refused,
                linearizable, violations);
  }
  EXPECT_GT(linearizable, count / 5);
  EXPECT_GT(violations, count / 10);
  EXPECT_GT(refused, 0U);
}

TEST(ListAppendLengths, DecidesAHistoryOfNothing) {
  const test::Built built = test::transactions::build({{.parts = {append(1, 7)}, .call = 1, .response = 2}});
  const core::Outcome outcome = decide(history::restrict(built.part, {}));
  EXPECT_EQ(outcome.verdict, Verdict::linearizable);
  EXPECT_TRUE(outcome.witness.empty());
}

TEST(ListAppendLengths, RefutesReadsThatDiffer) {
  const core::Outcome outcome = decide({{.parts = {append(1, 7)}, .call = 1, .response = 2},
                                        {.parts = {append(1, 7)}, .call = 3, .response = 4},
                                        {.parts = {append(1, 8)}, .call = 3, .response = 5},
                                        {.parts = {read(1, {7, 7, 8})}, .call = 6, .response = 7},
                                        {.parts = {read(1, {7, 8})}, .call = 6, .response = 8}});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{3, 4}));
}

TEST(ListAppendLengths, RefutesAnElementThatIsReadTooOften) {
  const core::Outcome outcome = decide({{.parts = {append(1, 7)}, .call = 1, .response = 2},
                                        {.parts = {append(1, 8)}, .call = 3, .response = 4},
                                        {.parts = {append(2, 7)}, .call = 3, .response = 5},
                                        {.parts = {read(1, {7, 7})}, .call = 6, .response = 7}});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{0, 1, 3}));
}

TEST(ListAppendLengths, DoesNotReadWhatAPendingTransactionWouldRead) {
  const test::Built built = test::transactions::build(
      {{.parts = {append(1, 7)}, .call = 1, .response = 2},
       {.parts = {read(1, {7})}, .outcome = test::transactions::Outcome::promised, .call = 3, .response = 4}});
  EXPECT_EQ(kLengths.applicable(built.part).why, "a pending transaction says what it would read");
}

}  // namespace
}  // namespace linchpin::list_append_lengths_test
