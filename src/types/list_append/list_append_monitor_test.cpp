#include "types/list_append/monitor.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "support/list_append_check.hpp"

namespace list_append_monitor_test {

namespace {

using linchpin::Tick;
using linchpin::Verdict;
using namespace linchpin::test;                // NOLINT: the vocabulary of these tests
using namespace linchpin::test::transactions;  // NOLINT

}  // namespace

TEST(ListAppendMonitor, NamesWhatIsWrong) {
  struct Row {
    const char* name;
    Transactions transactions;
    std::vector<std::uint32_t> core;
  };
  const auto at = [](Tick call, Tick response, std::vector<Part> parts, Outcome outcome = Outcome::ok) {
    return Transaction{.parts = std::move(parts), .outcome = outcome, .call = call, .response = response};
  };
  const std::vector<Row> rows{
      {"G0",
       {at(1, 9, {append(0, 1), append(1, 2)}), at(2, 9, {append(0, 3), append(1, 4)}), at(3, 9, {read(0, {1, 3})}),
        at(4, 9, {read(1, {4, 2})})},
       {0, 1, 2, 3}},
      {"G1a", {at(1, 2, {append(0, 1)}, Outcome::aborted), at(3, 4, {read(0, {1})})}, {0, 1}},
      {"G1b", {at(1, 9, {append(0, 1), append(0, 2)}), at(2, 9, {read(0, {1})})}, {0, 1}},
      {"G1c", {at(1, 9, {append(0, 1), read(1, {2})}), at(2, 9, {append(1, 2), read(0, {1})})}, {0, 1}},
      {"G-single", {at(1, 9, {append(0, 1), append(1, 2)}), at(2, 9, {read(0, {1}), read(1, {})})}, {0, 1}},
      {"G2", {at(1, 9, {append(0, 1), read(1, {})}), at(2, 9, {append(1, 2), read(0, {})})}, {0, 1}},
      {"G0-realtime", {at(1, 2, {append(0, 1)}), at(3, 4, {append(0, 2)}), at(5, 9, {read(0, {2, 1})})}, {0, 1, 2}},
      {"G1c-realtime", {at(1, 2, {read(0, {1})}), at(3, 4, {append(0, 1)})}, {0, 1}},
      {"G-single-realtime", {at(1, 2, {append(0, 1)}), at(3, 4, {read(0, {})})}, {0, 1}},
      {"phantom", {at(1, 2, {append(0, 1)}), at(3, 4, {read(0, {1, 7})})}, {1}},
      {"duplicate", {at(1, 2, {append(0, 1)}), at(3, 4, {read(0, {1, 1})})}, {0, 1}},
      {"incompatible order",
       {at(1, 9, {append(0, 1)}), at(1, 9, {append(0, 2)}), at(1, 9, {read(0, {1, 2})}), at(1, 9, {read(0, {2})})},
       {0, 1, 2, 3}},
      {"internal", {at(1, 9, {append(0, 1)}), at(1, 9, {append(0, 2), read(0, {2, 1})})}, {0, 1}},
      {"torn",
       {at(1, 9, {append(0, 1), append(0, 2)}), at(1, 9, {append(0, 3)}), at(1, 9, {read(0, {1, 3, 2})})},
       {0, 1, 2}},
  };
  for (const Row& row : rows) {
    const auto outcome = decide(row.transactions);
    EXPECT_EQ(outcome.verdict, Verdict::violation) << row.name;
    const std::string name = outcome.sentence.substr(0, outcome.sentence.find_first_of(":,"));
    EXPECT_EQ(outcome.level.empty() ? name : outcome.level, row.name) << outcome.sentence;
    EXPECT_EQ(outcome.core, row.core) << outcome.sentence;
  }
}

// Who shows the orders of the appends is taken from the circle, although others read longer lists.
TEST(ListAppendMonitor, TheCoreIsTheCircleWhereItShowsItself) {
  const Transactions transactions{{.parts = {append(0, 1), append(1, 2), read(1, {4, 2})}, .call = 1, .response = 9},
                                  {.parts = {append(0, 3), read(0, {1, 3}), append(1, 4)}, .call = 2, .response = 9},
                                  {.parts = {append(0, 5), append(1, 6)}, .call = 3, .response = 10},
                                  {.parts = {read(0, {1, 3, 5})}, .call = 11, .response = 12},
                                  {.parts = {read(1, {4, 2, 6})}, .call = 11, .response = 12}};
  const auto outcome = decide(transactions);
  EXPECT_EQ(outcome.level, "G0") << outcome.sentence;
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{0, 1}));
}

// A list shows the order of transactions that are far from each other in it, too.
TEST(ListAppendMonitor, GoesAlongAListInOneStep) {
  Transactions transactions;
  List all;
  for (int i = 0; i < 20; ++i) {
    transactions.push_back({.parts = {append(0, i)}, .call = 10 * i, .response = 10 * i + 5});
    all.push_back(i);
  }
  transactions.push_back({.parts = {read(0, all)}, .call = 300, .response = 310});
  transactions.push_back({.parts = {read(0, {0, 1, 2})}, .call = 300, .response = 310});
  const auto stale = decide(transactions);
  EXPECT_EQ(stale.level, "G-single-realtime") << stale.sentence;
  EXPECT_EQ(stale.core.size(), 2U);
  // The first and the last of the list the other way round under another key.
  transactions.pop_back();
  for (Transaction& each : transactions) each.call = 0, each.response = 400;
  transactions[0].parts.push_back(append(1, 100));
  transactions[19].parts.push_back(append(1, 101));
  transactions[20].parts.push_back(read(1, {101, 100}));
  const auto circular = decide(transactions);
  EXPECT_EQ(circular.level, "G0") << circular.sentence;
  EXPECT_EQ(circular.core, (std::vector<std::uint32_t>{0, 19, 20}));
}

// Three read one list each, and one reads all three.
TEST(ListAppendMonitor, OneReaderShowsSeveralOrdersOfACycle) {
  Transactions transactions{{.parts = {append(0, 1), append(2, 1)}, .call = 0, .response = 40},
                            {.parts = {append(0, 2), append(1, 2)}, .call = 0, .response = 40},
                            {.parts = {append(1, 3), append(2, 3)}, .call = 0, .response = 40},
                            {.parts = {append(0, 4), append(1, 4), append(2, 4)}, .call = 41, .response = 42},
                            {.parts = {read(0, {1, 2}), read(1, {2, 3}), read(2, {3, 1})}, .call = 0, .response = 40},
                            {.parts = {read(0, {1, 2, 4})}, .call = 43, .response = 44},
                            {.parts = {read(1, {2, 3, 4})}, .call = 43, .response = 44},
                            {.parts = {read(2, {3, 1, 4})}, .call = 43, .response = 44}};
  const auto outcome = decide(transactions);
  EXPECT_EQ(outcome.level, "G0") << outcome.sentence;
  EXPECT_EQ(outcome.core.size(), 4U);
}

/// Transactions of four parts, many at a time, of which two elements of a key are exchanged in all lists.
Transactions exchanged(Random& random) {
  Transactions all(60);
  std::map<int, List> lists;
  int next = 0;
  for (std::size_t t = 0; t < all.size(); ++t) {
    const auto point = static_cast<Tick>(100 + 4 * t);
    all[t].call = point - static_cast<Tick>(below(random, 60));
    all[t].response = point + static_cast<Tick>(below(random, 60));
    for (int k = 0; k < 4; ++k) {
      const int key = static_cast<int>(below(random, 9));
      if (below(random, 3) != 0) lists[key].push_back(next);
      const bool appended = !lists[key].empty() && lists[key].back() == next;
      all[t].parts.push_back(appended ? append(key, next++) : read(key, lists[key]));
    }
  }
  const int key = static_cast<int>(below(random, 9));
  const List& list = lists[key];
  if (list.size() < 2) return all;
  const std::size_t first = below(random, list.size() - 1);
  const std::size_t second = first + 1 + below(random, std::min<std::size_t>(5, list.size() - 1 - first));
  for (Transaction& each : all) {
    for (Part& part : each.parts) {
      if (part.appends || part.key != key) continue;
      for (int& element : *part.list) {
        element = element == list[first] ? list[second] : element == list[second] ? list[first] : element;
      }
    }
  }
  return all;
}

TEST(ListAppendMonitor, CoresOfExchangedElementsAreSmall) {
  Check check;
  Random random(environment_number("LINCHPIN_CROSS_SEED", 31));
  std::vector<std::size_t> cores;
  for (std::size_t i = 0; i < random_histories(300); ++i) {
    const Transactions transactions = exchanged(random);
    const Built built = build(transactions);
    linchpin::core::Budget budget{linchpin::Limits{}};
    const auto outcome = linchpin::types::list_append::decide(built.part, {}, budget);
    if (outcome.verdict != Verdict::violation) continue;
    check.check_core(transactions, built.part, outcome);
    if (outcome.level.starts_with("G0")) cores.push_back(outcome.core.size());
  }
  std::sort(cores.begin(), cores.end());
  ASSERT_FALSE(cores.empty());
  EXPECT_LE(cores[cores.size() / 2], 4U);
  EXPECT_LE(cores[cores.size() * 95 / 100], 6U);
}

TEST(ListAppendMonitor, TellsProcessesFromRealTime) {
  Transactions transactions{{.parts = {append(0, 1)}, .call = 1, .response = 2, .process = 0},
                            {.parts = {read(0, {})}, .call = 3, .response = 4, .process = 0}};
  EXPECT_EQ(decide(transactions).level, "G-single-process");
  transactions[1].process = 1;
  EXPECT_EQ(decide(transactions).sentence,
            "A returned before B was called, B read 0 without what A appended; "
            "A is txn([[append 0 1]]), B is txn([[r 0 nil]])");
  // Of three of a process the first two touch: the last one follows each of them.
  const Transactions touching{{.parts = {append(0, 1)}, .call = 1, .response = 2, .process = 0},
                              {.parts = {append(1, 1)}, .call = 2, .response = 4, .process = 0},
                              {.parts = {read(0, {})}, .call = 5, .response = 6, .process = 0}};
  EXPECT_EQ(decide(touching).level, "G-single-process") << decide(touching).sentence;
}

TEST(ListAppendMonitor, ShowsTheWeakestLevelThatIsBroken) {
  // A lost update in the front, and an order of appends that is circular behind it.
  Transactions transactions{{.parts = {read(2, {}), append(2, 1)}, .call = 1, .response = 9},
                            {.parts = {read(2, {}), append(2, 2)}, .call = 1, .response = 9},
                            {.parts = {append(0, 1), append(1, 2)}, .call = 11, .response = 19},
                            {.parts = {append(0, 3), append(1, 4)}, .call = 11, .response = 19},
                            {.parts = {read(0, {1, 3}), read(1, {4, 2})}, .call = 21, .response = 29}};
  EXPECT_EQ(decide(transactions).level, "G0");
  transactions.resize(4);
  EXPECT_EQ(decide(transactions).level, "G2");
}

TEST(ListAppendMonitor, DoesNotApplyToElementsAppendedTwice) {
  const Built built =
      build({{.parts = {append(0, 1)}, .call = 1, .response = 2}, {.parts = {append(0, 1)}, .call = 1, .response = 2}});
  const auto applicability = linchpin::types::list_append::applicable(built.part);
  EXPECT_FALSE(applicability.applies);
  EXPECT_EQ(applicability.why, "1 is appended to 0 twice");
  // Under two keys they are two elements; what was aborted does not count.
  const Built other = build({{.parts = {append(0, 1)}, .call = 1, .response = 2},
                             {.parts = {append(1, 1)}, .call = 1, .response = 2},
                             {.parts = {append(0, 1)}, .outcome = Outcome::aborted, .call = 1, .response = 2}});
  EXPECT_TRUE(linchpin::types::list_append::applicable(other.part).applies);
}

TEST(ListAppendMonitor, LeavesOpenWhatAPendingTransactionThatWasSeenIsSaidToRead) {
  const Transactions transactions{
      {.parts = {append(0, 1), read(1, {})}, .outcome = Outcome::promised, .call = 1, .response = 2},
      {.parts = {read(0, {1})}, .call = 3, .response = 4}};
  EXPECT_EQ(decide(transactions).verdict, Verdict::unknown);
  EXPECT_EQ(decide({transactions[0]}).verdict, Verdict::linearizable);
}

TEST(ListAppendMonitor, AgreesWithTheOracleOnAllSmallHistories) {
  Check check;
  const std::vector<List> lists{{}, {0}, {1}, {0, 1}, {1, 0}};
  const auto labels = [&](int t) {
    std::vector<std::vector<Part>> all{{append(0, t)}, {append(0, t), append(1, t)}, {append(1, t), append(0, t + 10)}};
    for (const List& list : lists) {
      all.push_back({read(0, list)});
      all.push_back({read(0, list), append(0, t)});
      List own = list;
      own.push_back(t);
      all.push_back({append(0, t), read(0, own)});
      all.push_back({read(0, list), read(1, {})});
      all.push_back({append(1, t), read(0, list)});
    }
    return all;
  };
  const std::size_t size = 3;
  const std::size_t count = labels(0).size();
  Random random(7);
  std::vector<std::size_t> choice(size, 0);
  for (std::size_t digit = 0; digit < size;) {
    // A few of all choices, unless there is time for all.
    if (thorough() || below(random, 40) == 0) {
      Sketch times_of_all(size);
      for_all_interleavings(times_of_all, true, [&](const Sketch& times) {
        Transactions transactions(size);
        for (std::size_t t = 0; t < size; ++t) {
          transactions[t].parts = labels(static_cast<int>(t))[choice[t]];
          transactions[t].call = times[t].call;
          transactions[t].response = times[t].response;
          if (times[t].response == linchpin::kPending) transactions[t].outcome = Outcome::pending;
        }
        if (!HasFailure()) check.check(transactions);
      });
    }
    for (digit = 0; digit < size && ++choice[digit] == count; ++digit) choice[digit] = 0;
  }
  EXPECT_GT(check.linearizable, 500U);
  EXPECT_GT(check.violations, 500U);
  EXPECT_EQ(check.refused + check.undecided, 0U);
}

TEST(ListAppendMonitor, AgreesWithTheOracleOnRandomHistories) {
  Check check;
  Random random(environment_number("LINCHPIN_CROSS_SEED", 20240607));
  const std::size_t count = random_histories(50'000);
  for (std::size_t i = 0; i < count && !HasFailure(); ++i) check.check(Drawing(random).draw());
  EXPECT_GT(check.linearizable, check.histories / 5);
  EXPECT_GT(check.violations, check.histories / 10);
  EXPECT_GT(check.refused, 0U);
  EXPECT_LE(check.largest_core, 6U);
}

}  // namespace list_append_monitor_test
