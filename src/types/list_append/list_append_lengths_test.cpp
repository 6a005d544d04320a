// The search for list-append transactions with repeated elements against the oracle.
#include "types/list_append/lengths.hpp"

#include <algorithm>
#include <cstdio>

#include <gtest/gtest.h>

#include "support/list_append_check.hpp"
#include "support/oracle.hpp"
#include "types/list_append/lengths_conflicts.hpp"

namespace linchpin::list_append_lengths_test {
namespace {

using test::transactions::append;
using test::transactions::List;
using test::transactions::read;
using test::transactions::repeat;
using test::transactions::Transactions;
using types::list_append::kConflicts;
using types::list_append::kLengths;

core::Outcome decide(const history::Subhistory& part) {
  core::Budget budget{Limits{}};
  return kLengths.decide(part, {.witness = true}, budget);
}

core::Outcome decide(const Transactions& transactions) { return decide(test::transactions::build(transactions).part); }

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

// What the search does not read is refuted all the same where reads say more or less than was appended.
TEST(ListAppendConflicts, RefuteOnlyWhatTheOracleRefutes) {
  test::Random random(test::environment_number("LINCHPIN_CROSS_SEED", 20240607));
  const std::size_t count = test::random_histories(40'000);
  test::Oracle oracle(*test::specification_of("list-append"));
  std::size_t refuted = 0, passed = 0;
  for (std::size_t i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    Transactions transactions = test::transactions::Drawing(random).draw();
    if (i % 4 != 0) repeat(transactions, 1 + static_cast<int>(test::below(random, 4)));
    const test::Built built = test::transactions::build(transactions);
    const core::Applicability found = kConflicts.applicable(built.part);
    ASSERT_NE(found.applies, kLengths.applicable(built.part).applies);
    if (!found.applies) continue;
    core::Budget budget{Limits{}};
    const core::Outcome outcome = kConflicts.decide(built.part, {.reading = found.reading}, budget);
    if (outcome.verdict == Verdict::unknown) {
      ++passed;
      continue;
    }
    ++refuted;
    ASSERT_EQ(outcome.verdict, Verdict::violation);
    ASSERT_FALSE(oracle.linearizable(built.part)) << test::to_text(built.part);
    ASSERT_FALSE(oracle.linearizable(history::restrict(built.part, outcome.core))) << test::to_text(built.part);
    ASSERT_FALSE(outcome.sentence.empty());
  }
  if (test::thorough()) std::printf("list-append: %zu refuted, %zu passed\n", refuted, passed);
  EXPECT_GT(refuted, count / 200);
  EXPECT_GT(passed, count / 200);
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

/// What of the sentence is behind the first "]]] ", where a transaction that only reads ends.
std::string words(const core::Outcome& outcome) { return outcome.sentence.substr(outcome.sentence.find("]]] ") + 4); }

TEST(ListAppendLengths, RefutesAnElementThatIsReadTooOften) {
  const core::Outcome outcome = decide({{.parts = {append(1, 7)}, .call = 1, .response = 2},
                                        {.parts = {append(1, 8)}, .call = 3, .response = 4},
                                        {.parts = {append(2, 7)}, .call = 3, .response = 5},
                                        {.parts = {append(1, 7)}, .call = 8, .response = 9},
                                        {.parts = {read(1, {7, 7, 8})}, .call = 6, .response = 7}});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{0, 3}));
  EXPECT_EQ(words(outcome), "saw 7 twice in 1, but it was appended only once by what was called before it returned");
}

TEST(ListAppendLengths, RefutesAReadThatIsTooShort) {
  const core::Outcome lost = decide({{.parts = {append(1, 7)}, .call = 1, .response = 2},
                                     {.parts = {append(1, 7)}, .call = 1, .response = 9},
                                     {.parts = {append(1, 8)}, .call = 3, .response = 4},
                                     {.parts = {read(1, {7, 7})}, .call = 6, .response = 7}});
  EXPECT_EQ(lost.core, (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(words(lost),
            "does not see 8 in 1, which txn([[append 1 8]]) -> [[append 1 8]] had appended before it was called");
  const core::Outcome shorter = decide({{.parts = {append(1, 7)}, .call = 1, .response = 9},
                                        {.parts = {read(1, {7})}, .call = 2, .response = 3},
                                        {.parts = {read(1, {})}, .call = 4, .response = 5}});
  EXPECT_EQ(shorter.core, (std::vector<std::uint32_t>{1, 2}));
}

/// Two keys that two readers saw grow in different orders, among transactions on others.
TEST(ListAppendLengths, TellsTheFewTransactionsThatMatter) {
  Transactions all;
  const auto others = [&](Tick from) {
    List list;
    for (int i = 0; i < 30; ++i) {
      list.push_back(i % 3);
      all.push_back(
          {.parts = {append(static_cast<int>(from), i % 3)}, .call = from + 4 * i, .response = from + 4 * i + 5});
      all.push_back(
          {.parts = {read(static_cast<int>(from), list)}, .call = from + 4 * i + 3, .response = from + 4 * i + 9});
    }
  };
  others(10);
  const auto first = static_cast<std::uint32_t>(all.size());
  for (const int key : {3, 4}) {
    all.push_back({.parts = {append(key, 5)}, .call = 200, .response = 201});
    all.push_back({.parts = {append(key, 5)}, .call = 210, .response = 250});
  }
  all.push_back({.parts = {read(3, {5, 5}), read(4, {5})}, .call = 220, .response = 240});
  all.push_back({.parts = {read(3, {5}), read(4, {5, 5})}, .call = 220, .response = 240});
  others(300);
  const core::Outcome outcome = decide(test::transactions::build(all).part);
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{first, first + 1, first + 2, first + 3, first + 4, first + 5}));
  EXPECT_EQ(outcome.sentence, "what these 6 transactions read of 3 and 4 fits no order of them");
}

TEST(ListAppendLengths, DoesNotReadWhatAPendingTransactionWouldRead) {
  const test::Built built = test::transactions::build(
      {{.parts = {append(1, 7)}, .call = 1, .response = 2},
       {.parts = {read(1, {7})}, .outcome = test::transactions::Outcome::promised, .call = 3, .response = 4}});
  EXPECT_EQ(kLengths.applicable(built.part).why, "a pending transaction says what it would read");
}

}  // namespace
}  // namespace linchpin::list_append_lengths_test
