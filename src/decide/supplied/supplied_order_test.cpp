// A supplied order is accepted iff it is a linearization, by brute force over all ways to read it; and an accepted one
// has a witness that independent code replays.
#include "decide/supplied/supplied_order.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/data_type.hpp"
#include "core/versions.hpp"
#include "cross/random_history.hpp"
#include "evidence/core.hpp"
#include "evidence/witness.hpp"
#include "history/columns.hpp"
#include "linchpin/check.hpp"
#include "reference/reference.hpp"
#include "support/sketched_line.hpp"
#include "support/thoroughness.hpp"

namespace linchpin::decide::supplied_order_test {
namespace {

constexpr const char* kField = "revision";

constexpr std::int64_t kNoNumber = std::numeric_limits<std::int64_t>::min();

/// The history with numbers for its operations: kNoNumber where they have none.
History with_numbers(History history, const std::vector<std::int64_t>& numbers) {
  HistoryColumns columns;
  columns.history = std::move(history);
  Field& field = columns.fields().emplace_back(Field{kField, {}});
  for (const std::int64_t number : numbers) {
    field.values.push_back(number == kNoNumber ? Value::none() : Value::integer(number));
  }
  return std::move(columns.history);
}

struct Case {
  std::shared_ptr<const Specification> specification;
  History history;
  history::Subhistory part;

  Case(std::shared_ptr<const Specification> type, History numbered)
      : specification(std::move(type)), history(std::move(numbered)) {
    const std::vector specifications{specification};
    part = std::move((*history::split_by_object(history, specifications, Ties::concurrent))[0]);
    part.order = history.find_field(kField);
  }
  [[nodiscard]] std::int64_t number(std::uint32_t local) const {
    const Value value = part.order->values[part.operation[local].number()];
    return value.is_none() ? kNoNumber : value.integer();
  }
  [[nodiscard]] bool pure(std::uint32_t local) const { return specification->pure(part.view(local)); }
};

/// All linearizations, by definition, that keep the numbers' order; pending operations without a number stay out when
/// `helped` is false, and are used at will otherwise.
bool follows(const Case& at, StateTable& states, std::vector<bool>& done, StateId state, bool helped) {
  const history::Subhistory& part = at.part;
  bool complete = true;
  for (std::uint32_t x = 0; x < part.size(); ++x) {
    complete = complete && (done[x] || (part.pending(x) && at.number(x) == kNoNumber));
  }
  if (complete) return true;
  const auto numbered_before = [&](std::uint32_t y, std::uint32_t x) {
    if (at.number(x) == kNoNumber || at.number(y) == kNoNumber) return false;
    return std::tuple(at.number(y), at.pure(y), y) < std::tuple(at.number(x), at.pure(x), x);
  };
  for (std::uint32_t x = 0; x < part.size(); ++x) {
    if (done[x] || (!helped && part.pending(x) && at.number(x) == kNoNumber)) continue;
    bool enabled = true;
    for (std::uint32_t y = 0; y < part.size(); ++y) {
      if (!done[y] && (part.happens_before(y, x) || numbered_before(y, x))) enabled = false;
    }
    if (!enabled) continue;
    std::vector<StateId> next;
    states.successors(state, part.view(x), next);
    done[x] = true;
    for (const StateId after : next) {
      if (follows(at, states, done, after, helped)) return true;
    }
    done[x] = false;
  }
  return false;
}

bool follows(const Case& at, bool helped) {
  const auto states = at.specification->make_states();
  std::vector<bool> done(at.part.size(), false);
  return follows(at, *states, done, states->initial(), helped);
}

std::string text_of(const Case& at) {
  std::string text;
  for (std::uint32_t x = 0; x < at.part.size(); ++x) {
    const OperationIndex i = at.part.operation[x];
    text += fmt::format("  [{}, {}] {} {}\n", at.history.call(i),
                        at.history.pending(i) ? std::string("-") : fmt::to_string(at.history.response(i)),
                        at.history.describe(i), at.number(x) == kNoNumber ? "" : fmt::format("@{}", at.number(x)));
  }
  return text;
}

class SuppliedOrders : public testing::TestWithParam<const char*> {};

TEST_P(SuppliedOrders, AreTakenExactlyWhenTheyAreLinearizations) {
  const auto specification = make_specification(*TypeName::parse(GetParam()));
  ASSERT_TRUE(specification);
  std::size_t taken = 0;
  std::size_t refused = 0;
  std::size_t helped = 0;
  const std::uint64_t seeds = test::random_histories(12'000);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    cross::RandomHistories histories(
        **specification,
        {.operations = 2 + static_cast<std::uint32_t>(seed % 6), .unknown = 0.03, .spoiled = 0.2, .tick_range = 30},
        seed);
    const History drawn = histories.next();
    std::mt19937_64 random(seed);
    // Numbers by the middles of the intervals, now and then by chance, with gaps and repetitions.
    std::vector<std::int64_t> numbers(drawn.size());
    for (OperationIndex i = 0; i < drawn.size(); ++i) {
      const Tick response = drawn.pending(i) ? drawn.call(i) + 8 : drawn.response(i);
      const auto length = static_cast<std::uint64_t>(response - drawn.call(i)) + 1;
      numbers[i.number()] = drawn.call(i) + static_cast<Tick>(random() % length);
      if (random() % 16 == 0) numbers[i.number()] = static_cast<Tick>(random() % 30);
      if (random() % 4 == 0) numbers[i.number()] = kNoNumber;
    }
    const Case at(*specification, with_numbers(drawn, numbers));
    bool placeable = true;  // whether all that returned without a number is pure
    for (std::uint32_t x = 0; x < at.part.size(); ++x) {
      placeable = placeable && (at.number(x) != kNoNumber || at.part.pending(x) || at.pure(x));
    }
    core::Budget budget{Limits{}};
    const SuppliedOrder order = follow_supplied_order(at.part, budget);
    const std::string label = fmt::format("seed {}\n{}{}", seed, text_of(at), order.outcome.sentence);
    if (order.outcome.verdict == Verdict::linearizable) {
      ++taken;
      ASSERT_TRUE(placeable && follows(at, true)) << label;
      helped += follows(at, false) ? 0 : 1;
      Witness witness;
      std::vector<bool> used(at.history.size(), false);
      for (const std::uint32_t x : order.outcome.witness) {
        witness.order.push_back(at.part.operation[x]);
        used[witness.order.back().number()] = true;
      }
      for (OperationIndex i = 0; i < at.history.size(); ++i) {
        if (!used[i.number()]) witness.omitted.push_back(i);
      }
      ASSERT_EQ(evidence::refute_witness(at.history, 0, **specification, witness, Ties::concurrent), "") << label;
      continue;
    }
    ++refused;
    ASSERT_FALSE(order.outcome.sentence.empty()) << label;
    ASSERT_FALSE(placeable && follows(at, false)) << label;
    if (order.outcome.verdict == Verdict::violation) continue;  // see OrdersByVersions
    ASSERT_EQ(order.outcome.verdict, Verdict::unknown) << label;
    ASSERT_FALSE(order.against.empty()) << label;
    const bool pair = order.against.size() == 2;
    ASSERT_TRUE(!pair || at.part.happens_before(order.against[0], order.against[1])) << label;
  }
  EXPECT_GT(taken, seeds / 24);
  EXPECT_GT(refused, seeds / 24);
  RecordProperty("taken", static_cast<int>(taken));
  RecordProperty("helped", static_cast<int>(helped));
}

INSTANTIATE_TEST_SUITE_P(Types, SuppliedOrders,
                         testing::Values("register", "cas-register", "map", "set", "queue", "stack", "priority-queue",
                                         "counter", "semaphore", "bag"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::erase(name, '-');
                           return name;
                         });

class OrdersByVersions : public testing::TestWithParam<const char*> {};

/// Fields that repeat what results tell, some of them wrong, and fields by chance.
TEST_P(OrdersByVersions, AreViolationsOnlyWhereNoOtherOrderIsLeft) {
  const auto specification = make_specification(*TypeName::parse(GetParam()));
  ASSERT_TRUE(specification);
  std::size_t violations = 0;
  std::size_t pairs = 0;
  for (std::uint64_t seed = 0; seed < test::random_histories(8'000); ++seed) {
    cross::RandomHistories histories(**specification,
                                     {.operations = 2 + static_cast<std::uint32_t>(seed % 7),
                                      .values = 2,
                                      .few_methods = 0.5,
                                      .spoiled = 0.6,
                                      .tick_range = seed % 2 == 0 ? 30 : 8},
                                     seed);
    const History drawn = histories.next();
    std::mt19937_64 random(seed);
    std::vector<std::int64_t> numbers(drawn.size(), kNoNumber);
    const Case plain(*specification, with_numbers(drawn, numbers));
    for (std::uint32_t x = 0; x < plain.part.size(); ++x) {
      const auto versions = core::versions_of(**specification, plain.part.view(x));
      std::int64_t& number = numbers[plain.part.operation[x].number()];
      constexpr std::int64_t kTwice = std::int64_t{1} << 40;  // versions up to here have room for a number between
      if (versions && versions->ordered() && std::abs(versions->after) < kTwice) {
        number = 2 * versions->after - (versions->changes() ? 1 : 0);
      }
      if (random() % 10 == 0) number = static_cast<std::int64_t>(random() % 10);
      if (!versions && random() % 2 == 0) number = static_cast<std::int64_t>(random() % 10);
    }
    const Case at(*specification, with_numbers(drawn, numbers));
    core::Budget budget{Limits{}};
    const SuppliedOrder order = follow_supplied_order(at.part, budget);
    const std::string label = fmt::format("{} seed {}\n{}{}", GetParam(), seed, text_of(at), order.outcome.sentence);
    if (order.outcome.verdict == Verdict::linearizable) {
      ASSERT_TRUE(reference::linearizable(at.part)) << label;
    }
    if (order.outcome.verdict != Verdict::violation) continue;
    ++violations;
    pairs += order.outcome.core.size() == 2 ? 1 : 0;
    ASSERT_FALSE(reference::linearizable(at.part)) << label;
    ASSERT_TRUE(order.against.empty()) << label;
    std::vector<OperationIndex> core;
    for (const std::uint32_t x : order.outcome.core) core.push_back(at.part.operation[x]);
    std::sort(core.begin(), core.end());
    core::Budget again{Limits{}};
    ASSERT_EQ(evidence::linearizable_alone(at.history, core, **specification, Ties::concurrent, again), false) << label;
  }
  RecordProperty("violations", static_cast<int>(violations));
  RecordProperty("pairs", static_cast<int>(pairs));
  EXPECT_GE(violations, test::random_histories(8'000) / 400);
}

INSTANTIATE_TEST_SUITE_P(Types, OrdersByVersions,
                         testing::Values("versioned-map", "versioned-map writes=version maybe=either", "stream",
                                         "log append=index", "log append=length", "mvcc-kv"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
                           return name;
                         });

/// All histories of two or three of a few operations, and for each of these all numbers that are few: none, what its
/// result tells, or one that may be wrong.
TEST(SuppliedOrder, RefutesAllSmallHistoriesExactlyWhereItSaysSo) {
  const std::vector<std::pair<std::string_view, std::vector<std::string_view>>> types{
      {"versioned-map writes=version",
       {"write 1 7 -> 1", "write 1 8 -> 2", "write 1 7 -> 3", "write 1 9 -> ?", "get 1 -> [7 1]", "get 1 -> [8 2]",
        "get 1 -> ErrNoKey"}},
      {"mvcc-kv",
       {"put 1 7 -> 2", "put 1 8 -> 3", "put 2 7 -> 2", "put 1 9 -> ?", "delete 1 -> [3 1]", "delete 1 -> [2 0]",
        "range 1 -> [2 [[1 7 2 1]]]", "range 1 -> [3 [[1 8 3 2]]]", "range 1 -> [1 []]"}},
      {"log append=index",
       {"append 7 -> 0", "append 8 -> 1", "append 9 -> ?", "read -> []", "read -> [7]", "read -> [7 8]"}}};
  std::size_t histories = 0, violations = 0, taken = 0;
  for (const auto& [type, lines] : types) {
    const auto specification = test::specification_of(type);
    const std::string_view type_name = type;
    const test::Sketch labels = test::sketched_lines(type, lines);
    const std::size_t size = test::thorough() ? 3 : 2;
    const auto look = [&](const test::Sketch& sketch) {
      const test::Built plain = test::build(specification, sketch);
      const bool truth = reference::linearizable(plain.part);
      std::vector<std::vector<std::int64_t>> choices(plain.history->size());
      for (std::uint32_t x = 0; x < plain.part.size(); ++x) {
        choices[plain.part.operation[x].number()] = {kNoNumber, 1, 4};
        const auto versions = core::versions_of(*specification, plain.part.view(x));
        if (!versions || !versions->ordered()) continue;
        choices[plain.part.operation[x].number()].push_back(2 * versions->after - (versions->changes() ? 1 : 0));
      }
      std::vector<std::size_t> choice(choices.size(), 0);
      for (bool more = true; more;) {
        std::vector<std::int64_t> numbers;
        for (std::size_t i = 0; i < choices.size(); ++i) numbers.push_back(choices[i][choice[i]]);
        test::Built numbered = test::build(specification, sketch);
        const Case at(specification, with_numbers(std::move(*numbered.history), numbers));
        core::Budget budget{Limits{}};
        const SuppliedOrder order = follow_supplied_order(at.part, budget);
        const std::string label = fmt::format("{}\n{}{}", type_name, text_of(at), order.outcome.sentence);
        ++histories;
        taken += order.outcome.verdict == Verdict::linearizable ? 1 : 0;
        violations += order.outcome.verdict == Verdict::violation ? 1 : 0;
        if (order.outcome.verdict != Verdict::unknown) {
          ASSERT_EQ(order.outcome.verdict == Verdict::linearizable, truth) << label;
        }
        std::size_t digit = 0;
        while (digit < choice.size() && ++choice[digit] == choices[digit].size()) choice[digit++] = 0;
        more = digit < choice.size();
      }
    };
    std::vector<std::size_t> choice(size, 0);
    for (bool more = true; more && !HasFatalFailure();) {
      test::Sketch sketch;
      for (const std::size_t label : choice) sketch.push_back(labels[label]);
      test::for_all_interleavings(sketch, true, [&](const test::Sketch& each) {
        if (!HasFatalFailure() && test::valid(each)) look(each);
      });
      std::size_t digit = 0;
      while (digit < size && ++choice[digit] == labels.size()) choice[digit++] = 0;
      more = digit < size;
    }
  }
  EXPECT_GT(taken, histories / 20);
  EXPECT_GT(violations, histories / 50);
  RecordProperty("histories", static_cast<int>(histories));
  if (test::thorough()) fmt::print("{} histories, {} taken, {} violations\n", histories, taken, violations);
}

struct Row {
  const char* method;
  std::vector<Value> arguments;
  Value result;
  Tick call, response;
  std::int64_t number = kNoNumber;
};

SuppliedOrder order_of(const char* type, const std::vector<Row>& rows) {
  HistoryBuilder builder;
  ProcessId process = 0;
  for (const Row& row : rows) {
    HistoryBuilder::Operation operation{.process = process++,
                                        .method = row.method,
                                        .arguments = row.arguments,
                                        .result = row.result,
                                        .call = row.call,
                                        .response = row.response};
    if (row.number != kNoNumber) operation.fields = {{kField, Value::integer(row.number)}};
    builder.add(operation);
  }
  const Case at(*make_specification(*TypeName::parse(type)), std::move(*std::move(builder).build()));
  core::Budget budget{Limits{}};
  return follow_supplied_order(at.part, budget);
}

Value number(std::int64_t value) { return Value::integer(value); }

TEST(SuppliedOrder, PutsAReadBehindTheWriteOfItsRevision) {
  const auto order = order_of("register", {{"read", {}, number(7), 1, 9, 12}, {"write", {number(7)}, {}, 2, 8, 12}});
  EXPECT_EQ(order.outcome.verdict, Verdict::linearizable);
  EXPECT_EQ(order.outcome.witness, (std::vector<std::uint32_t>{1, 0}));
}

TEST(SuppliedOrder, NamesTheTwoOperationsThatRealTimeOrdersTheOtherWay) {
  const auto order = order_of(
      "register",
      {{"write", {number(1)}, {}, 1, 2, 5}, {"write", {number(2)}, {}, 3, 4, 4}, {"write", {number(3)}, {}, 1, 9, 3}});
  EXPECT_EQ(order.outcome.verdict, Verdict::unknown);
  EXPECT_EQ(order.against, (std::vector<std::uint32_t>{0, 2}));  // by call: the third is the second to be called
  EXPECT_EQ(order.outcome.sentence, "write(1) with revision 5 had returned before write(2) with revision 4 was called");
}

TEST(SuppliedOrder, SaysWhichResultTheStateRefuses) {
  const auto order = order_of(
      "register",
      {{"write", {number(1)}, {}, 1, 9, 1}, {"write", {number(2)}, {}, 1, 9, 2}, {"read", {}, number(1), 1, 9, 3}});
  EXPECT_EQ(order.against, (std::vector<std::uint32_t>{2}));
  EXPECT_EQ(order.outcome.sentence, "read() -> 1 with revision 3 is refused: the state before it is 2");
}

TEST(SuppliedOrder, PlacesReadsWithoutANumberWhereTheyAreLegal) {
  const std::vector<Row> writes = {{"write", {number(1)}, {}, 1, 2, 1}, {"write", {number(2)}, {}, 5, 6, 2}};
  const auto with_read = [&](Value seen, Tick call, Tick response) {
    std::vector<Row> rows = writes;
    rows.push_back({"read", {}, seen, call, response});
    return order_of("register", rows).outcome.verdict;
  };
  EXPECT_EQ(with_read(number(1), 4, 7), Verdict::linearizable);
  EXPECT_EQ(with_read(number(2), 4, 7), Verdict::linearizable);
  EXPECT_EQ(with_read(number(1), 7, 8), Verdict::unknown);
  EXPECT_EQ(with_read(number(2), 3, 4), Verdict::unknown);
}

TEST(SuppliedOrder, TakesAPendingWriteOnlyWhereItIsNeeded) {
  std::vector<Row> rows = {{"write", {number(1)}, {}, 1, 2, 1},
                           {"write", {number(9)}, Value::unknown(), 3, kPending},
                           {"read", {}, number(1), 4, 5, 1}};
  EXPECT_EQ(order_of("register", rows).outcome.witness, (std::vector<std::uint32_t>{0, 2}));
  rows.push_back({"read", {}, number(9), 6, 7, 3});
  EXPECT_EQ(order_of("register", rows).outcome.witness, (std::vector<std::uint32_t>{0, 2, 1, 3}));
  rows[1].number = 0;  // the store says where, and the client never heard
  EXPECT_EQ(order_of("register", rows).outcome.verdict, Verdict::unknown);
}

TEST(SuppliedOrder, IsRefusedWhereAWriteThatReturnedHasNoNumber) {
  const auto order = order_of("register", {{"write", {number(1)}, {}, 1, 2, 1}, {"write", {number(2)}, {}, 3, 4}});
  EXPECT_EQ(order.against, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(order.outcome.sentence, "write(2) has no revision, and may have changed the state");
}

TEST(SuppliedOrder, DecidesWhatASearchCannot) {
  // Sixty concurrent writes of three values and as many reads: hopeless without the order.
  std::vector<Row> rows;
  for (std::int64_t k = 0; k < 60; ++k) {
    rows.push_back({"write", {number(k % 3)}, {}, k, 1000 + k, 2 * k});
    rows.push_back({"read", {}, number(k % 3), k, 1000 + k, 2 * k});
  }
  EXPECT_EQ(order_of("register", rows).outcome.verdict, Verdict::linearizable);
}

// Which of sixty values each of fifty takes took: more states than can be gone through.
TEST(SuppliedOrder, GivesUpWhereTooManyStatesArePossible) {
  std::vector<Row> rows;
  for (std::int64_t k = 0; k < 60; ++k) rows.push_back({"add", {number(k)}, {}, 2 * k, 2 * k + 1, k});
  for (std::int64_t k = 60; k < 110; ++k) rows.push_back({"take", {}, Value::unknown(), 2 * k, 2 * k + 1, k});
  const auto order = order_of("bag", rows);
  EXPECT_EQ(order.outcome.verdict, Verdict::unknown);
  EXPECT_EQ(order.outcome.reason, Reason::not_applicable);
  EXPECT_TRUE(order.against.empty());
}

TEST(SuppliedOrder, RefutesWhereResultsTellVersionsThatLeaveNoOther) {
  const std::vector<Row> rows = {{"write", {number(7), number(1)}, number(1), 1, 2, 1},
                                 {"write", {number(7), number(2)}, number(3), 3, 4, 3},
                                 {"write", {number(7), number(3)}, number(2), 5, 6, 2}};
  const auto late = order_of("versioned-map writes=version", rows);
  EXPECT_EQ(late.outcome.verdict, Verdict::violation);
  EXPECT_EQ(late.outcome.core, (std::vector<std::uint32_t>{1, 2}));

  const auto twice = order_of(
      "log append=index", {{"append", {number(7)}, number(0), 1, 9, 1}, {"append", {number(8)}, number(0), 1, 9, 2}});
  EXPECT_EQ(twice.outcome.verdict, Verdict::violation);
  EXPECT_EQ(twice.outcome.sentence, "append(7) -> 0 and append(8) -> 0 both made one version");
}

TEST(SuppliedOrder, IsNoViolationWhereAPendingWriteMayHaveMadeTheVersion) {
  std::vector<Row> rows = {{"append", {number(1)}, number(0), 1, 2, 1},
                           {"append", {number(2)}, number(1), 1, 9, 2},
                           {"append", {number(3)}, number(2), 1, 9, 3},
                           {"get", {number(1)}, number(9), 1, 9, 3}};
  EXPECT_EQ(order_of("log append=index", rows).outcome.verdict, Verdict::unknown) << "a get tells no version";
  rows[3] = {"length", {}, number(7), 1, 9, 4};
  EXPECT_EQ(order_of("log append=index", rows).outcome.verdict, Verdict::unknown) << "nobody tells versions 4 to 7";
}

}  // namespace
}  // namespace linchpin::decide::supplied_order_test
