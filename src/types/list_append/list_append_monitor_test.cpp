#include "types/list_append/monitor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/oracle.hpp"
#include "support/sketch.hpp"
#include "support/thoroughness.hpp"
#include "types/list_append/specification.hpp"

namespace {

using linchpin::HistoryBuilder;
using linchpin::ProcessId;
using linchpin::Tick;
using linchpin::Value;
using linchpin::ValuePool;
using linchpin::Verdict;
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

using List = std::vector<int>;

struct Part {
  bool appends = false;
  int key = 0;
  int value = 0;
  std::optional<List> list = {};  // nothing: lost
};

Part append(int key, int value) { return {.appends = true, .key = key, .value = value}; }
Part read(int key, List list) { return {.key = key, .list = std::move(list)}; }

enum class Outcome { ok, pending, promised, aborted, lost };

struct Transaction {
  std::vector<Part> parts;
  Outcome outcome = Outcome::ok;
  Tick call = 0;
  Tick response = 0;
  ProcessId process = linchpin::kNoProcess;
};

using Transactions = std::vector<Transaction>;

Value value_of(const Part& part, bool asked, ValuePool& pool) {
  if (part.appends) return pool.list({pool.string("append"), Value::integer(part.key), Value::integer(part.value)});
  Value seen = Value::nil();
  if (!asked) {
    std::vector<Value> values;
    for (const int element : part.list.value_or(List())) values.push_back(Value::integer(element));
    seen = !part.list ? Value::unknown() : values.empty() && part.key == 0 ? Value::nil() : pool.list(values);
  }
  return pool.list({pool.string("r"), Value::integer(part.key), seen});
}

Built build(const Transactions& transactions) {
  HistoryBuilder builder;
  ProcessId next = 1000;
  for (const Transaction& transaction : transactions) {
    std::vector<Value> asked, answered;
    for (const Part& part : transaction.parts) {
      asked.push_back(value_of(part, true, builder.pool()));
      answered.push_back(value_of(part, false, builder.pool()));
    }
    const bool pending = transaction.outcome == Outcome::pending || transaction.outcome == Outcome::promised;
    const bool lost = transaction.outcome == Outcome::lost || transaction.outcome == Outcome::pending;
    const Value result = transaction.outcome == Outcome::aborted ? Value::boolean(false)
                         : lost                                  ? Value::unknown()
                                                                 : builder.pool().list(answered);
    builder.add({.process = transaction.process == linchpin::kNoProcess ? next++ : transaction.process,
                 .method = "txn",
                 .arguments = {builder.pool().list(asked)},
                 .result = result,
                 .call = transaction.call,
                 .response = pending ? linchpin::kPending : transaction.response});
  }
  static const auto kSpecification = specification_of("list-append");
  auto history = std::move(builder).build();
  if (!history) {
    std::fprintf(stderr, "transactions do not build: %s\n", history.error().to_string().c_str());
    std::abort();
  }
  Built built{kSpecification, std::make_unique<linchpin::History>(std::move(*history)), {}};
  const std::array specifications{kSpecification};
  built.part = std::move((*linchpin::history::split_by_object(*built.history, specifications,
                                                              linchpin::Ties::concurrent))[0]);
  return built;
}

linchpin::core::Outcome decide(const Transactions& transactions) {
  const Built built = build(transactions);
  linchpin::core::Budget budget{linchpin::Limits{}};
  return linchpin::types::list_append::decide(built.part, {}, budget);
}

/// Holds the monitor against the oracle. A core is also decided with the lists cut down to what it appends itself,
/// which is what makes it evidence for the whole history: erasing an element everywhere keeps a legal order legal.
class Check {
 public:
  ~Check() {
    if (!thorough()) return;
    std::printf("%zu histories, %zu not applicable, %zu undecided, %zu linearizable, %zu violations, core of %zu\n",
                histories, refused, undecided, linearizable, violations, largest_core);
    for (const auto& [name, count] : names) std::printf("  %s: %zu\n", name.c_str(), count);
  }

  void check(const Transactions& transactions) {
    ++histories;
    Built built = build(transactions);
    const auto applicability = linchpin::types::list_append::applicable(built.part);
    if (!applicability.applies) {
      ++refused;
      return;
    }
    const auto part = std::move(built.part);
    linchpin::core::Budget budget{linchpin::Limits{}};
    const auto outcome =
        linchpin::types::list_append::decide(part, {.witness = true, .reading = applicability.reading}, budget);
    if (outcome.verdict == Verdict::unknown) {
      ++undecided;
      EXPECT_EQ(outcome.reason, linchpin::Reason::not_applicable) << to_text(part);
      return;
    }
    const bool truth = oracle_.linearizable(part);
    ++(truth ? linearizable : violations);
    ASSERT_EQ(truth, outcome.verdict == Verdict::linearizable) << to_text(part) << outcome.sentence;
    if (truth) {
      EXPECT_TRUE(oracle_.valid_witness(part, outcome.witness)) << to_text(part);
      return;
    }
    ++names[outcome.sentence.substr(0, outcome.sentence.find_first_of(":,"))];
    largest_core = std::max(largest_core, outcome.core.size());
    ASSERT_FALSE(outcome.core.empty());
    EXPECT_TRUE(std::is_sorted(outcome.core.begin(), outcome.core.end()));
    EXPECT_FALSE(oracle_.linearizable(linchpin::history::restrict(part, outcome.core)))
        << to_text(part) << outcome.sentence;
    EXPECT_FALSE(oracle_.linearizable(build(projected(transactions, part, outcome.core)).part))
        << to_text(part) << outcome.sentence << "\ncore: " << ::testing::PrintToString(outcome.core);
  }

  std::size_t histories = 0, refused = 0, undecided = 0, linearizable = 0, violations = 0, largest_core = 0;
  std::map<std::string, std::size_t> names;

 private:
  static Transactions projected(const Transactions& transactions, const linchpin::history::Subhistory& part,
                                const std::vector<std::uint32_t>& core) {
    std::set<std::pair<int, int>> erased;
    for (std::uint32_t i = 0; i < part.size(); ++i) {
      const Transaction& transaction = transactions[part.operation[i]];
      if (transaction.outcome == Outcome::aborted || std::binary_search(core.begin(), core.end(), i)) continue;
      for (const Part& each : transaction.parts) {
        if (each.appends) erased.emplace(each.key, each.value);
      }
    }
    Transactions kept;
    for (const std::uint32_t i : core) {
      kept.push_back(transactions[part.operation[i]]);
      for (Part& each : kept.back().parts) {
        if (each.list) std::erase_if(*each.list, [&](int element) { return erased.contains({each.key, element}); });
      }
    }
    return kept;
  }

  Oracle oracle_{*specification_of("list-append")};
};

/// Transactions that take effect at points of their own, and then, often, something wrong.
class Drawing {
 public:
  explicit Drawing(Random& random) : random_(random) {}

  Transactions draw() {
    const std::size_t size = 1 + below(random_, 7);
    const Tick ticks = 2 + static_cast<Tick>(below(random_, 3 * size + 1));
    const int keys = 1 + static_cast<int>(below(random_, 3));
    const double odd = std::array{0.0, 0.1, 0.4}[below(random_, 3)];
    Transactions all(size);
    std::vector<std::pair<Tick, std::size_t>> points;
    int next = 0;
    for (std::size_t t = 0; t < size; ++t) {
      Transaction& made = all[t];
      made.call = static_cast<Tick>(below(random_, static_cast<std::size_t>(ticks)));
      made.response = made.call + static_cast<Tick>(below(random_, 1 + below(random_, 8)));
      if (chance(random_, odd)) made.outcome = static_cast<Outcome>(1 + below(random_, 4));
      const bool pending = made.outcome == Outcome::pending || made.outcome == Outcome::promised;
      const Tick last = pending ? ticks + 4 : made.response;
      points.emplace_back(made.call + static_cast<Tick>(below(random_, static_cast<std::size_t>(last - made.call + 1))),
                          t);
      for (std::size_t k = 1 + below(random_, 3); k > 0; --k) {
        const int key = static_cast<int>(below(random_, static_cast<std::size_t>(keys)));
        made.parts.push_back(chance(random_, 0.5) ? append(key, next++) : read(key, {}));
      }
    }
    if (next > 1 && chance(random_, 0.01)) repeat(all, next);
    std::sort(points.begin(), points.end());
    std::map<int, List> lists;
    for (const auto& [point, t] : points) {
      const bool pending = all[t].outcome == Outcome::pending || all[t].outcome == Outcome::promised;
      const bool happens = all[t].outcome != Outcome::aborted && !(pending && chance(random_, 0.4));
      std::map<int, List> after = lists;
      for (Part& part : all[t].parts) {
        if (part.appends) {
          after[part.key].push_back(part.value);
        } else {
          part.list = after[part.key];
        }
      }
      if (happens) lists = after;
    }
    for (std::size_t k = below(random_, 3); k > 0; --k) damage(all, next);
    if (chance(random_, 0.2)) lose(all);
    number_processes(all);
    return all;
  }

 private:
  void repeat(Transactions& all, int next) {
    for (Transaction& transaction : all) {
      for (Part& part : transaction.parts) {
        if (part.appends && part.value == next - 1) part.value = 0;
      }
    }
  }

  void lose(Transactions& all) {
    for (Transaction& transaction : all) {
      for (Part& part : transaction.parts) {
        if (!part.appends && chance(random_, 0.2)) part.list.reset();
      }
    }
  }

  void damage(Transactions& all, int next) {
    Transaction& one = all[below(random_, all.size())];
    Transaction& other = all[below(random_, all.size())];
    switch (below(random_, 5)) {
      case 0:
        if (&one != &other) {
          std::swap(one.call, other.call);
          std::swap(one.response, other.response);
        }
        return;
      case 1: {
        const Tick shift = static_cast<Tick>(below(random_, 9)) - 4;
        one.call += shift;
        one.response += shift;
        return;
      }
      case 2: one.outcome = static_cast<Outcome>(below(random_, 5)); return;
      default: break;
    }
    Part& part = one.parts[below(random_, one.parts.size())];
    if (part.appends || !part.list) return;
    List& list = *part.list;
    switch (below(random_, 5)) {
      case 0:
        if (!list.empty()) list.pop_back();
        return;
      case 1: list.push_back(static_cast<int>(below(random_, static_cast<std::size_t>(next) + 1))); return;
      case 2:
        if (list.size() > 1) std::swap(list[below(random_, list.size())], list[below(random_, list.size())]);
        return;
      case 3:
        if (!list.empty()) list.erase(list.begin() + static_cast<std::ptrdiff_t>(below(random_, list.size())));
        return;
      default:
        for (const Part& seen : other.parts) {
          if (!seen.appends && seen.list && seen.key == part.key) list = List(*seen.list);
        }
    }
  }

  /// Some histories have clients that call again.
  void number_processes(Transactions& all) {
    if (chance(random_, 0.5)) return;
    std::vector<std::size_t> order(all.size());
    for (std::size_t t = 0; t < all.size(); ++t) order[t] = t;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return all[a].call < all[b].call; });
    std::vector<Tick> free_from;
    for (const std::size_t t : order) {
      const bool pending = all[t].outcome == Outcome::pending || all[t].outcome == Outcome::promised;
      std::size_t process = 0;
      while (process < free_from.size() && free_from[process] >= all[t].call) ++process;
      if (process == free_from.size()) free_from.push_back(0);
      free_from[process] = pending ? linchpin::kPending : all[t].response;
      all[t].process = static_cast<ProcessId>(process);
    }
  }

  Random& random_;
};

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
      {"G0", {at(1, 9, {append(0, 1), append(1, 2)}), at(2, 9, {append(0, 3), append(1, 4)}),
              at(3, 9, {read(0, {1, 3})}), at(4, 9, {read(1, {4, 2})})}, {0, 1, 2, 3}},
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
      {"incompatible order", {at(1, 9, {append(0, 1)}), at(1, 9, {append(0, 2)}), at(1, 9, {read(0, {1, 2})}),
                              at(1, 9, {read(0, {2})})}, {0, 1, 2, 3}},
      {"internal", {at(1, 9, {append(0, 1)}), at(1, 9, {append(0, 2), read(0, {2, 1})})}, {0, 1}},
      {"torn", {at(1, 9, {append(0, 1), append(0, 2)}), at(1, 9, {append(0, 3)}), at(1, 9, {read(0, {1, 3, 2})})},
       {0, 1, 2}},
  };
  for (const Row& row : rows) {
    const auto outcome = decide(row.transactions);
    EXPECT_EQ(outcome.verdict, Verdict::violation) << row.name;
    EXPECT_EQ(outcome.sentence.substr(0, outcome.sentence.find_first_of(":,")), row.name) << outcome.sentence;
    EXPECT_EQ(outcome.core, row.core) << outcome.sentence;
  }
}

TEST(ListAppendMonitor, TellsProcessesFromRealTime) {
  Transactions transactions{{.parts = {append(0, 1)}, .call = 1, .response = 2, .process = 0},
                            {.parts = {read(0, {})}, .call = 3, .response = 4, .process = 0}};
  EXPECT_TRUE(decide(transactions).sentence.starts_with("G-single-process:"));
  transactions[1].process = 1;
  EXPECT_EQ(decide(transactions).sentence,
            "G-single-realtime: A returned before B was called, B read 0 without what A appended; "
            "A is txn([[append 0 1]]), B is txn([[r 0 nil]])");
}

TEST(ListAppendMonitor, ShowsTheWeakestLevelThatIsBroken) {
  // A lost update in the front, and an order of appends that is circular behind it.
  Transactions transactions{{.parts = {read(2, {}), append(2, 1)}, .call = 1, .response = 9},
                            {.parts = {read(2, {}), append(2, 2)}, .call = 1, .response = 9},
                            {.parts = {append(0, 1), append(1, 2)}, .call = 11, .response = 19},
                            {.parts = {append(0, 3), append(1, 4)}, .call = 11, .response = 19},
                            {.parts = {read(0, {1, 3}), read(1, {4, 2})}, .call = 21, .response = 29}};
  EXPECT_TRUE(decide(transactions).sentence.starts_with("G0:"));
  transactions.resize(4);
  EXPECT_TRUE(decide(transactions).sentence.starts_with("G2:"));
}

TEST(ListAppendMonitor, DoesNotApplyToElementsAppendedTwice) {
  const Built built = build({{.parts = {append(0, 1)}, .call = 1, .response = 2},
                             {.parts = {append(0, 1)}, .call = 1, .response = 2}});
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
  EXPECT_LE(check.largest_core, 8U);
}
