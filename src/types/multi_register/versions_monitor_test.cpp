#include "types/multi_register/versions_monitor.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "evidence/core.hpp"
#include "evidence/witness.hpp"
#include "linchpin/check.hpp"
#include "linchpin/parsing.hpp"
#include "reference/reference.hpp"
#include "support/cross_check.hpp"
#include "support/held.hpp"
#include "support/sketched_line.hpp"
#include "support/thoroughness.hpp"

namespace linchpin::versions_monitor_test {

namespace {

using Random = std::mt19937_64;

std::int64_t below(Random& random, std::int64_t bound) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(bound));
}
bool chance(Random& random, int percent) { return below(random, 100) < percent; }

struct Part {
  bool writes = false;
  std::int64_t key = 0;
  std::int64_t value = 0;
  std::optional<std::int64_t> version = {};
  bool lost = false;  // of a read: its value
};

struct Transaction {
  std::vector<Part> parts;
  Tick call = 0;
  Tick response = 0;
  ProcessId process = 0;
  bool answered = true;  // else the result is lost, or not there yet
};

/// Transactions executed one after the other at random points of random intervals, and then spoiled.
class Drawing {
 public:
  explicit Drawing(std::uint64_t seed) : random_(seed) {}

  std::vector<Transaction> draw(bool unique) {
    std::vector<Transaction> all(static_cast<std::size_t>(2 + below(random_, 5)));
    const std::int64_t keys = 1 + below(random_, 3);
    const int density = static_cast<int>(below(random_, 3));
    std::vector<double> points;
    const std::int64_t processes = 2 + below(random_, 3);
    std::vector<Tick> now(static_cast<std::size_t>(processes), 0);
    for (Transaction& each : all) {
      each.process = static_cast<ProcessId>(below(random_, processes));
      Tick& clock = now[each.process];
      each.call = clock + below(random_, 4);
      each.response = each.call + below(random_, 8);
      clock = each.response + 1;
      points.push_back(static_cast<double>(each.call) + static_cast<double>(below(random_, 1000)) / 1000 *
                                                            static_cast<double>(each.response - each.call));
    }
    std::vector<std::size_t> order(all.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return points[a] < points[b]; });
    std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> held;  // value, version
    std::int64_t fresh = 10;
    std::int64_t clock = 1;  // some stores count the versions of all keys together
    for (const std::size_t i : order) {
      Transaction& each = all[i];
      const bool effect = !chance(random_, 10);
      each.answered = effect && !chance(random_, 12);
      auto after = held;
      std::vector<std::int64_t> wrote;
      for (std::int64_t parts = 1 + below(random_, 3); parts > 0; --parts) {
        Part part{.writes = chance(random_, 50), .key = below(random_, keys)};
        auto& [value, version] = after[part.key];
        if (part.writes) {
          value = unique ? fresh++ : below(random_, 3);
          if (std::find(wrote.begin(), wrote.end(), part.key) == wrote.end()) {
            wrote.push_back(part.key);
            version = density == 0 ? version + 1 : density == 1 ? version + 1 + below(random_, 3) : ++clock;
          }
        }
        part.value = value;
        part.version = version;
        each.parts.push_back(part);
      }
      if (effect) held = after;
      if (!each.answered) {
        if (chance(random_, 85)) each.response = kPending;
        for (Part& part : each.parts) part.version.reset();
      }
    }
    spoil(all);
    // A time of commit in nanoseconds is no small integer, and there are a least and a largest one.
    constexpr std::array<std::int64_t, 4> kFirst{0, 1'790'000'000'000'000'000, INT64_MAX - 1000, INT64_MIN + 2};
    const std::int64_t first = chance(random_, 60) ? 0 : kFirst[static_cast<std::size_t>(below(random_, 4))];
    for (Transaction& each : all) {
      for (Part& part : each.parts) {
        if (part.version) *part.version += first;
      }
    }
    return all;
  }

 private:
  void spoil(std::vector<Transaction>& all) {
    for (Transaction& each : all) {
      for (Part& part : each.parts) {
        if (chance(random_, 5)) part.version.reset();
        if (!part.writes && chance(random_, 10)) part.lost = true;
        if (part.version && chance(random_, 5)) *part.version += below(random_, 5) - 2;
        if (chance(random_, 3)) part.value = below(random_, 2) == 0 ? below(random_, 3) : 10 + below(random_, 8);
      }
      if (each.response != kPending && chance(random_, 15)) {
        const Tick shift = below(random_, 9) - 4;
        each.call += shift;
        each.response += shift;
      }
    }
  }

  Random random_;
};

History build(const std::vector<Transaction>& all) {
  HistoryBuilder builder;
  ValuePool& pool = builder.pool();
  ProcessId more = 100;
  std::map<ProcessId, Tick> free_from;
  for (const Transaction& each : all) {
    std::vector<Value> asked, answered;
    for (const Part& part : each.parts) {
      const Value key = Value::integer(part.key), value = Value::integer(part.value);
      const Value name = pool.string(part.writes ? "write" : "read");
      const Value version = part.version ? pool.integer(*part.version) : Value::nil();
      asked.push_back(part.writes ? pool.list({name, key, value}) : pool.list({name, key}));
      answered.push_back(pool.list({name, key, part.lost ? Value::nil() : value, version}));
    }
    // Spoiled times may make operations of one process overlap.
    Tick& from = free_from.try_emplace(each.process, -100).first->second;
    ProcessId process = each.process;
    if (each.call <= from) {
      process = more++;
    } else {
      from = each.response;
    }
    builder.add({.process = process,
                 .method = "txn",
                 .arguments = {pool.list(asked)},
                 .result = each.answered ? pool.list(answered) : Value::unknown(),
                 .call = each.call,
                 .response = each.response});
  }
  return *std::move(builder).build();
}

std::string text_of(const History& history) {
  std::string text;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    text += fmt::format("{} {} {} {}\n", history.process(i), history.call(i),
                        history.pending(i) ? "-" : fmt::to_string(history.response(i)), history.describe(i));
  }
  return text;
}

std::shared_ptr<const Specification> type(const std::string& options) {
  return *make_specification(*TypeName::parse("multi-register versions=told " + options));
}

}  // namespace

TEST(RegisterVersions, AgreesWithTheReferenceOnRandomHistories) {
  std::size_t linearizable = 0, violations = 0, refused = 0, largest = 0;
  const std::vector<std::shared_ptr<const Specification>> types{type(""), type("initial=0")};
  const std::uint64_t first = test::environment_number("LINCHPIN_CROSS_SEED", 1);
  const std::uint64_t count = test::random_histories(20'000);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const History history = build(Drawing(seed).draw(seed % 3 != 0));
    const auto& specification = types[seed % 2];
    const std::vector specifications{specification};
    const auto parts = history::split_by_object(history, specifications, Ties::concurrent);
    ASSERT_TRUE(parts);
    const history::Subhistory& part = (*parts)[0];
    const std::string label = fmt::format("seed {}\n{}", seed, text_of(history));
    if (!types::multi_register::versions_applicable(part).applies) {
      ++refused;
      continue;
    }
    core::Budget budget{Limits{}};
    const core::Outcome outcome = types::multi_register::decide_versions(part, {}, budget);
    const bool expected = reference::linearizable(part);
    ASSERT_EQ(outcome.verdict, expected ? Verdict::linearizable : Verdict::violation) << label << outcome.sentence;
    if (expected) {
      ++linearizable;
      Witness witness;
      std::vector<bool> taken(history.size(), false);
      for (const std::uint32_t t : outcome.witness) {
        witness.order.push_back(part.operation[t]);
        taken[part.operation[t].number()] = true;
      }
      for (OperationIndex i = 0; i < history.size(); ++i) {
        if (!taken[i.number()]) witness.omitted.push_back(i);
      }
      ASSERT_EQ(evidence::refute_witness(history, 0, *specification, witness, Ties::concurrent), "") << label;
      continue;
    }
    ++violations;
    largest = std::max(largest, outcome.core.size());
    std::vector<OperationIndex> core;
    for (const std::uint32_t t : outcome.core) core.push_back(part.operation[t]);
    std::sort(core.begin(), core.end());
    core::Budget again{Limits{}};
    ASSERT_EQ(evidence::linearizable_alone(history, core, *specification, Ties::concurrent, again), false)
        << label << outcome.sentence << " core of " << core.size();
  }
  RecordProperty("linearizable", static_cast<int>(linearizable));
  RecordProperty("violations", static_cast<int>(violations));
  RecordProperty("refused", static_cast<int>(refused));
  RecordProperty("largest core", static_cast<int>(largest));
  EXPECT_GT(linearizable, count / 10);
  EXPECT_GT(violations, count / 10);
  EXPECT_LT(refused, count / 2);
}

TEST(RegisterVersions, AgreesWithTheOracleOnAllSmallHistories) {
  const test::Sketch labels = test::sketched_lines(
      "multi-register versions=told",
      {"txn [[write 1 1]] -> [[write 1 1 1]]", "txn [[write 1 2]] -> [[write 1 2 2]]",
       "txn [[write 1 1]] -> [[write 1 1 2]]", "txn [[write 1 3]] -> ?", "txn [[read 1]] -> [[read 1 0 0]]",
       "txn [[read 1]] -> [[read 1 1 1]]", "txn [[read 1]] -> [[read 1 2 2]]", "txn [[read 1]] -> [[read 1 3]]",
       "txn [[read 1] [write 1 4]] -> [[read 1 1 1] [write 1 4 2]]",
       "txn [[write 1 5] [write 2 5]] -> [[write 1 5 1] [write 2 5 1]]",
       "txn [[write 1 6] [read 2]] -> [[write 1 6 2] [read 2 5 1]]",
       "txn [[read 1] [read 2]] -> [[read 1 5 1] [read 2 0 0]]",
       "txn [[read 1] [write 2 7]] -> [[read 1 5 1] [write 2 7 2]]", "txn [[read 2]] -> [[read 2 7 2]]"});
  for (const char* const options : {"", "initial=0"}) {
    test::CrossCheck cross(types::multi_register::kVersionsMonitor, type(options));
    cross.exhaustive(labels, test::thorough() ? 3 : 2, true);
    EXPECT_GT(cross.linearizable, 400U) << options;
    EXPECT_GT(cross.violations, 250U) << options;
    EXPECT_EQ(cross.undecided, 0U) << options;
  }
}

TEST(RegisterVersions, AgreesWithTheSearchAtWeakerLevels) {
  std::size_t linearizable = 0, violations = 0;
  const std::size_t count = test::random_histories(1'500);
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    const History history = build(Drawing(seed).draw(seed % 3 != 0));
    for (const char* const level : {"serializable", "strong-session-serializable"}) {
      CheckOptions options;
      options.type = TypeName::parse(fmt::format("multi-register versions=told level={}", level)).value();
      options.shrink = false;
      options.decider = "register-versions";
      const auto by_versions = check(history, options);
      options.decider = "search";
      const auto by_search = check(history, options);
      ASSERT_TRUE(by_versions && by_search);
      ASSERT_EQ(test::what_did_not_hold(*by_versions) + test::what_did_not_hold(*by_search), "") << text_of(history);
      if (by_versions->verdict == Verdict::unknown) continue;
      ++(by_versions->verdict == Verdict::linearizable ? linearizable : violations);
      ASSERT_EQ(by_versions->verdict, by_search->verdict) << level << " seed " << seed << "\n" << text_of(history);
    }
  }
  EXPECT_GT(linearizable, count / 15);
  EXPECT_GT(violations, count / 15);
}

TEST(RegisterVersions, NamesWhatIsWrong) {
  const auto found = [](std::vector<Transaction> all) {
    const History history = build(all);
    const std::vector specifications{type("")};
    const auto parts = history::split_by_object(history, specifications, Ties::concurrent);
    core::Budget budget{Limits{}};
    const core::Outcome outcome = types::multi_register::decide_versions((*parts)[0], {}, budget);
    return outcome.level + ": " + outcome.sentence;
  };
  const auto write = [](std::int64_t key, std::int64_t value, std::int64_t version) {
    return Part{.writes = true, .key = key, .value = value, .version = version};
  };
  const auto read = [](std::int64_t key, std::int64_t value, std::int64_t version) {
    return Part{.key = key, .value = value, .version = version};
  };
  EXPECT_TRUE(found({{.parts = {write(0, 1, 1), write(1, 1, 2)}, .call = 1, .response = 9, .process = 0},
                     {.parts = {write(0, 2, 2), write(1, 2, 1)}, .call = 1, .response = 9, .process = 1}})
                  .starts_with("G0: A wrote 0 before B, B wrote 1 before A"));
  EXPECT_TRUE(found({{.parts = {read(0, 5, 0), write(1, 1, 1)}, .call = 1, .response = 9, .process = 0},
                     {.parts = {read(1, 5, 0), write(0, 1, 1)}, .call = 1, .response = 9, .process = 1}})
                  .starts_with("G2: "));
  EXPECT_TRUE(found({{.parts = {write(0, 1, 3)}, .call = 1, .response = 2, .process = 0},
                     {.parts = {write(0, 1, 2)}, .call = 3, .response = 4, .process = 1}})
                  .starts_with("G0-realtime: "));
  EXPECT_TRUE(found({{.parts = {write(0, 1, 3)}, .call = 1, .response = 2, .process = 0},
                     {.parts = {read(0, 1, 4)}, .call = 3, .response = 4, .process = 1}})
                  .ends_with("saw version 4 of 0, which nobody made"));
}

TEST(RegisterVersions, TakesWhatWasSeenOfAPendingTransaction) {
  const auto verdict = [](std::int64_t seen) {
    const std::vector<Transaction> all{
        {.parts = {{.writes = true, .key = 0, .value = 1, .version = 3}}, .call = 1, .response = 2, .process = 0},
        {.parts = {{.writes = true, .key = 0, .value = 2}},
         .call = 1,
         .response = kPending,
         .process = 1,
         .answered = false},
        {.parts = {{.key = 0, .value = 2, .version = seen}}, .call = 3, .response = 4, .process = 2},
        {.parts = {{.key = 0, .value = 1, .version = 3}}, .call = 5, .response = 6, .process = 2}};
    const History history = build(all);
    const std::vector specifications{type("")};
    const auto parts = history::split_by_object(history, specifications, Ties::concurrent);
    core::Budget budget{Limits{}};
    return types::multi_register::decide_versions((*parts)[0], {}, budget).verdict;
  };
  EXPECT_EQ(verdict(5), Verdict::violation) << "version 3 was seen after version 5";
  EXPECT_EQ(verdict(2), Verdict::unknown) << "the key may have begun with it, or the pending one wrote it";
}

// The general search decides where it is not told which version was seen. The writer of the 3 is no part of the core,
// of which the name of a level would be another one than of the history: that is serializable.
TEST(RegisterVersions, WhatTheSearchRefutesHasNoNameOfALevel) {
  const auto histories = parse_histories(R"(# linchpin 1
# type: multi-register versions=told
a 1 1 txn [[r x] [write x 1]] -> [[r x 3] [write x 1 5]]
a 4 5 txn [[write x 3]] -> [[write x 3 4]]
b 1 1 txn [[write x 1]] -> [[write x 1 3]]
)");
  ASSERT_TRUE(histories && (*histories)[0]);
  const auto verdict = check(*(*histories)[0]);
  ASSERT_TRUE(verdict);
  ASSERT_EQ(verdict->verdict, Verdict::violation);
  EXPECT_EQ(verdict->objects[0].decider, "search");
  EXPECT_TRUE(verdict->objects[0].violation->sentence.starts_with("A read x before B wrote it"));
}

TEST(RegisterVersions, AreIntegers) {
  ValuePool pool;
  const auto invalid = [&](Value version) {
    const Value asked = pool.list({pool.list({pool.string("write"), pool.string("x"), Value::integer(5)})});
    const Value told = pool.list({pool.list({pool.string("write"), pool.string("x"), Value::integer(5), version})});
    const std::array arguments{asked};
    return type("")->invalid({.method = 0, .arguments = arguments, .result = told, .process = 0, .pool = &pool});
  };
  for (const Value version : {pool.integer(INT64_MAX), pool.integer(INT64_MIN), Value::nil(), Value::unknown()}) {
    EXPECT_EQ(invalid(version), "");
  }
  for (const Value version : {pool.string("v7"), Value::boolean(true), pool.list({Value::integer(1)})}) {
    EXPECT_EQ(invalid(version), "a version is an integer of 64 bits");
  }
}

}  // namespace linchpin::versions_monitor_test
