#include "support/thoroughness.hpp"
#include "types/log/monitor.hpp"

#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "types/log/specification.hpp"

namespace log_monitor_test {

namespace {

using linchpin::Value;
using linchpin::types::Log;
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

SketchedOperation append(std::int64_t entry, linchpin::Tick call = 0, linchpin::Tick response = 0) {
  return {.method = Log::kAppend,
          .arguments = {Value::integer(entry)},
          .result = Value::none(),
          .call = call,
          .response = response};
}
SketchedOperation length(std::int64_t count, linchpin::Tick call = 0, linchpin::Tick response = 0) {
  return {.method = Log::kLength, .arguments = {}, .result = Value::integer(count), .call = call, .response = response};
}
SketchedOperation get(std::int64_t index, Value entry, linchpin::Tick call = 0, linchpin::Tick response = 0) {
  return {
      .method = Log::kGet, .arguments = {Value::integer(index)}, .result = entry, .call = call, .response = response};
}

}  // namespace

TEST(LogMonitor, RejectsALogThatShrinks) {
  const Built built = build(specification_of("log"), {append(1, 1, 10), length(1, 2, 3), length(0, 4, 5)});
  linchpin::core::Budget budget{linchpin::Limits{}};
  const auto outcome = linchpin::types::log_::decide(built.part, {}, budget);
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(outcome.sentence, "length() -> 0 came too late: when it was called, the log had at least 1 entry");
}

TEST(LogMonitor, ShowsEntriesInTheWrongOrderAmongManyOthers) {
  Sketch sketch{append(1, 1, 2), append(2, 3, 4), get(0, Value::integer(2), 5, 6), get(1, Value::integer(1), 7, 8)};
  for (int i = 10; i < 40; ++i) sketch.push_back(append(i, 10 * i, 10 * i + 1));
  const Built built = build(specification_of("log"), sketch);
  linchpin::core::Budget budget{linchpin::Limits{}};
  const auto outcome = linchpin::types::log_::decide(built.part, {}, budget);
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(outcome.sentence,
            "append(1) needs the entry 2 at place 0, but no append that can have put it there was called "
            "before it returned");
}

TEST(LogMonitor, ShowsAnEntryThatNobodyAppended) {
  Sketch sketch;
  for (int i = 0; i < 30; ++i) sketch.push_back(append(i, 10 * i, 10 * i + 1));
  sketch.push_back(get(12, Value::integer(77), 400, 401));
  sketch.push_back(length(30, 410, 411));
  const Built built = build(specification_of("log"), sketch);
  linchpin::core::Budget budget{linchpin::Limits{}};
  const auto outcome = linchpin::types::log_::decide(built.part, {}, budget);
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{30}));
  EXPECT_EQ(outcome.blocked, 30U);
  EXPECT_EQ(outcome.sentence, "get(12) -> 77 shows 77 at place 12, but nobody had appended it there");
}

TEST(LogMonitor, RejectsReadsOfDifferentLogs) {
  linchpin::HistoryBuilder builder;
  const auto reads = [&](linchpin::ProcessId process, std::initializer_list<Value> entries, linchpin::Tick call) {
    builder.add({.process = process,
                 .method = "read",
                 .result = builder.pool().list(entries),
                 .call = call,
                 .response = call + 1});
  };
  builder.add({.process = 0, .method = "append", .arguments = {Value::integer(1)}, .call = 1, .response = 20});
  builder.add({.process = 1, .method = "append", .arguments = {Value::integer(2)}, .call = 2, .response = 21});
  reads(2, {Value::integer(1)}, 3);
  reads(2, {Value::integer(2), Value::integer(1)}, 5);
  const auto history = std::move(builder).build();
  ASSERT_TRUE(history);
  const std::array specifications{specification_of("log")};
  const auto parts = linchpin::history::split_by_object(*history, specifications, linchpin::Ties::concurrent);
  ASSERT_TRUE(parts);
  linchpin::core::Budget budget{linchpin::Limits{}};
  const auto outcome = linchpin::types::log_::decide((*parts)[0], {}, budget);
  EXPECT_EQ(outcome.sentence, "read() -> [1] and read() -> [2 1] saw different entries at one place");
}

TEST(LogMonitor, AgreesWithTheOracleOnAllSmallHistories) {
  CrossCheck cross(linchpin::types::log_::kMonitor, specification_of("log"));
  const Sketch labels{append(1),
                      append(2),
                      length(0),
                      length(1),
                      length(2),
                      get(0, Value::integer(1)),
                      get(0, Value::nil()),
                      get(1, Value::integer(1))};
  cross.exhaustive(labels, 3, true);
  if (thorough()) cross.exhaustive(labels, 4, true);
  EXPECT_GT(cross.linearizable, 500U);
  EXPECT_GT(cross.violations, 500U);
}

TEST(LogMonitor, AgreesWithTheOracleOnRandomHistories) {
  CrossCheck cross(linchpin::types::log_::kMonitor, specification_of("log"));
  cross.random(
      [](Random& random) -> Drafter {
        return [next = std::int64_t{1}, entries = static_cast<std::size_t>(2 + below(random, 8)),
                unique = below(random, 2) == 0](Random& generator) mutable {
          std::vector<Value> results;
          switch (below(generator, 4)) {
            case 0:
              for (std::int64_t count = 0; count < 9; ++count) results.push_back(Value::integer(count));
              if (below(generator, 20) == 0) results = {Value::unknown()};
              return Draft{Log::kLength, {}, results};
            case 1:
              for (std::int64_t entry = 0; entry < 9; ++entry) results.push_back(Value::integer(entry));
              results.push_back(Value::nil());
              return Draft{Log::kGet, {Value::integer(static_cast<std::int64_t>(below(generator, 5)))}, results};
            default: {
              const std::int64_t entry = unique ? next++ : static_cast<std::int64_t>(below(generator, entries));
              return Draft{Log::kAppend, {Value::integer(entry)}, {Value::none()}};
            }
          }
        };
      },
      {Value::integer(0), Value::integer(1), Value::integer(2), Value::nil()}, 12);
  EXPECT_GT(cross.linearizable, cross.histories / 5);
  EXPECT_GT(cross.violations, cross.histories / 10);
  EXPECT_EQ(cross.undecided, 0U);
}

namespace {

/// Logs whose appends tell where they are most of the time. `kinds` entries; 0: none twice.
Drafter telling(Random& random, std::size_t kinds) {
  return [kinds, next = std::int64_t{1}, lost = below(random, 2) == 0](Random& generator) mutable {
    std::vector<Value> results;
    for (std::int64_t count = 0; count < 9; ++count) results.push_back(Value::integer(count));
    switch (below(generator, 5)) {
      case 0: return Draft{Log::kLength, {}, results};
      case 1:
        results.push_back(Value::nil());
        return Draft{Log::kGet, {Value::integer(static_cast<std::int64_t>(below(generator, 5)))}, results};
      default: {
        const std::int64_t entry = kinds == 0 ? next++ : static_cast<std::int64_t>(below(generator, kinds));
        if (lost && below(generator, 5) == 0) {
          results = {below(generator, 2) == 0 ? Value::none() : Value::unknown()};
        }
        return Draft{Log::kAppend, {Value::integer(entry)}, results};
      }
    }
  };
}

class LogMonitorTold : public testing::TestWithParam<const char*> {};

TEST_P(LogMonitorTold, AgreesWithTheOracleOnRandomHistories) {
  CrossCheck cross(linchpin::types::log_::kMonitor, specification_of(GetParam()));
  cross.random([](Random& random) { return telling(random, below(random, 4)); },
               {Value::integer(0), Value::integer(1), Value::integer(2), Value::nil()}, 12, 60'000);
  EXPECT_GT(cross.linearizable, cross.histories / 5);
  EXPECT_GT(cross.violations, cross.histories / 10);
  EXPECT_LT(cross.refused, cross.histories / 3);
  EXPECT_EQ(cross.undecided, 0U);
}

INSTANTIATE_TEST_SUITE_P(Options, LogMonitorTold, testing::Values("log append=index", "log append=length"),
                         [](const auto& parameter) { return parameter.index == 0 ? "Index" : "Length"; });

}  // namespace

TEST(LogMonitor, TellsWhichAppendsAreAtOnePlace) {
  const auto at = [](std::int64_t entry, std::int64_t index, linchpin::Tick call) {
    SketchedOperation made = append(entry, call, call + 1);
    made.result = Value::integer(index);
    return made;
  };
  const auto sentence = [](const Sketch& sketch) {
    const Built built = build(specification_of("log append=index"), sketch);
    linchpin::core::Budget budget{linchpin::Limits{}};
    return linchpin::types::log_::decide(built.part, {}, budget).sentence;
  };
  EXPECT_EQ(sentence({at(7, 0, 1), at(8, 0, 3)}), "append(7) -> 0 and append(8) -> 0 are at one place");
  EXPECT_EQ(sentence({at(7, 1, 1), at(8, 0, 3)}),
            "append(7) -> 1 needs the entry 8 at place 0, but no append that can have put it there was called "
            "before it returned");
  EXPECT_EQ(sentence({at(7, 9, 1), at(8, 0, 3)}), "append(7) -> 9: no log of these appends has an entry there");
  EXPECT_EQ(sentence({at(7, 0, 1), get(0, Value::integer(8), 5, 6)}),
            "append(7) -> 0 and get(0) -> 8 saw different entries at one place");
}

}  // namespace log_monitor_test
