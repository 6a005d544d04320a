// The search for logs that are overwritten against the oracle.
#include "types/log/contents.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "support/search_check.hpp"
#include "types/log/specification.hpp"

namespace linchpin::log_contents_test {
namespace {

using test::below;
using test::Draft;
using test::Drafter;
using test::Random;
using types::Log;
using types::log_::kContents;

Value number(std::int64_t value) { return Value::integer(value); }
Value list(const std::vector<Value>& entries) { return test::sketch_pool().list(entries); }

/// Every list of so many of these entries, and shorter ones.
std::vector<Value> lists_of(const std::vector<Value>& entries, std::size_t longest) {
  std::vector<std::vector<Value>> all{{}};
  std::size_t from = 0;
  for (std::size_t length = 1; length <= longest; ++length) {
    const std::size_t to = all.size();
    for (; from < to; ++from) {
      for (const Value entry : entries) {
        std::vector<Value> longer = all[from];
        longer.push_back(entry);
        all.push_back(std::move(longer));
      }
    }
  }
  std::vector<Value> lists;
  for (const auto& each : all) lists.push_back(list(each));
  return lists;
}

core::Outcome decide(const history::Subhistory& part, core::Budget& budget) {
  return kContents.decide(part, {.witness = true}, budget);
}

/// All methods over a few entries; `puts` in ten overwrite.
Drafter drafter(std::int64_t entries, std::size_t puts, bool tells, std::vector<Value> values = {}) {
  for (std::int64_t each = static_cast<std::int64_t>(values.size()) + 1; each <= entries; ++each)
    values.push_back(number(each));
  return [=, lists = lists_of(values, entries == 1   ? 5
                                      : entries == 5 ? 3
                                                     : 4)](Random& random) {
    const auto entry = [&] { return values[below(random, values.size())]; };
    if (below(random, 10) < puts) {
      std::vector<Value> put(below(random, 3));
      for (Value& each : put) each = entry();
      return Draft{Log::kPut, {list(put)}, {Value::none()}};
    }
    std::vector<Value> numbers;
    for (std::int64_t n = 0; n <= 6; ++n) numbers.push_back(number(n));
    const bool lost = below(random, 25) == 0;
    switch (below(random, 6)) {
      case 0:
      case 1:
        if (tells && below(random, 3) == 0) return Draft{Log::kAppend, {entry()}, numbers};
        return Draft{Log::kAppend, {entry()}, {lost ? Value::unknown() : Value::none()}};
      case 2:
      case 3: return Draft{Log::kRead, {}, lost ? std::vector{Value::unknown()} : lists};
      case 4: {
        std::vector<Value> results{Value::nil()};
        results.insert(results.end(), values.begin(), values.end());
        const std::int64_t least = std::numeric_limits<std::int64_t>::min();
        const Value far = test::sketch_pool().integer(below(random, 2) == 0 ? least : -(least + 1));
        const Value place = number(static_cast<std::int64_t>(below(random, 4)) - (lost ? 1 : 0));
        return Draft{Log::kGet, {below(random, 40) == 0 ? far : place}, results};
      }
      default: return Draft{Log::kLength, {}, numbers};
    }
  };
}

TEST(LogContents, AgreesWithTheOracleOnRandomHistories) {
  for (const char* const type : {"log", "log append=index", "log append=length"}) {
    const bool tells = std::string_view(type) != "log";
    for (const std::int64_t entries : {1, 2, 3, 5}) {
      for (const std::size_t puts : {1U, 4U}) {
        test::SearchCheck check{.specification = test::specification_of(type),
                                .applicable = kContents.applicable,
                                .decide = decide,
                                .results = lists_of({number(1), number(2)}, 2)};
        for (const Value each : {number(0), number(1), number(2), number(3), Value::nil()})
          check.results.push_back(each);
        check.random(drafter(entries, puts, tells), 12, 4000);
        EXPECT_GT(check.applied, check.drawn / 4);
      }
    }
  }
}

TEST(LogContents, AgreesWithTheOracleOnEntriesOfOtherKinds) {
  const std::vector<Value> entries{Value::boolean(false), test::sketch_pool().string(""), list({}), list({number(1)})};
  for (const char* const type : {"log", "log append=index"}) {
    for (const std::int64_t kinds : {2, 4}) {
      std::vector<Value> first(entries.begin(), entries.begin() + kinds);
      test::SearchCheck check{.specification = test::specification_of(type),
                              .applicable = kContents.applicable,
                              .decide = decide,
                              .results = lists_of(first, 2)};
      for (const Value each : {number(0), number(1), Value::nil(), Value::none(), Value::boolean(true)})
        check.results.push_back(each);
      check.random(drafter(kinds, 3, type != std::string_view("log"), first), 10, 4000);
      EXPECT_GT(check.applied, check.drawn / 4);
    }
  }
}

test::SketchedOperation operation(std::uint16_t method, std::vector<Value> arguments, Value result, Tick call,
                                  Tick response) {
  return {.method = method, .arguments = std::move(arguments), .result = result, .call = call, .response = response};
}

core::Outcome decide(const test::Sketch& sketch) {
  const test::Built built = test::build(test::specification_of("log"), sketch);
  core::Budget budget{Limits{}};
  return decide(built.part, budget);
}

TEST(LogContents, RefutesByOneAnswerThatNothingExplains) {
  const test::Sketch before{operation(Log::kPut, {list({number(1)})}, Value::none(), 1, 2),
                            operation(Log::kAppend, {number(2)}, Value::none(), 3, 4)};
  const auto core_of = [&](const test::SketchedOperation& last) {
    test::Sketch sketch = before;
    sketch.push_back(last);
    const core::Outcome outcome = decide(sketch);
    EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{2}));
    return outcome.sentence;
  };
  EXPECT_EQ(core_of(operation(Log::kRead, {}, list({number(1), number(9)}), 5, 6)),
            "read() -> [1 9] saw 9, which no operation had written that was called before it returned");
  EXPECT_EQ(core_of(operation(Log::kLength, {}, Value::nil(), 5, 6)), "length() -> nil returned no number");
  EXPECT_EQ(core_of(operation(Log::kGet, {number(-1)}, number(1), 5, 6)),
            "get(-1) -> 1 saw an entry where there is never one");
}

/// Puts and appends that are read, long before and long after what is wrong.
test::Sketch among_others(const test::Sketch& wrong) {
  test::Sketch all;
  Tick now = 0;
  const auto fill = [&] {
    for (std::int64_t i = 0; i < 40; ++i, now += 6) {
      all.push_back(operation(Log::kPut, {list({number(i)})}, Value::none(), now, now + 4));
      all.push_back(operation(Log::kRead, {}, list({number(i)}), now + 3, now + 5));
    }
  };
  fill();
  for (test::SketchedOperation each : wrong) {
    each.call += now;
    each.response += now;
    all.push_back(each);
  }
  now += 100;
  fill();
  return all;
}

TEST(LogContents, TellsTheFewOperationsThatMatter) {
  const core::Outcome two = decide(among_others(
      {operation(Log::kPut, {list({})}, Value::none(), 0, 1), operation(Log::kAppend, {number(5)}, Value::none(), 2, 3),
       operation(Log::kAppend, {number(6)}, Value::none(), 4, 8),
       operation(Log::kAppend, {number(7)}, Value::none(), 5, 11),
       operation(Log::kRead, {}, list({number(5), number(6)}), 10, 12),
       operation(Log::kRead, {}, list({number(5), number(7), number(6)}), 13, 14)}));
  EXPECT_EQ(two.verdict, Verdict::violation);
  EXPECT_EQ(two.core, (std::vector<std::uint32_t>{84, 85}));
  EXPECT_EQ(
      two.sentence,
      "read() -> [5 7 6] does not begin with what read() -> [5 6] had seen, and nothing overwrites the log between "
      "them");
  const core::Outcome put = decide(among_others(
      {operation(Log::kPut, {list({number(1), number(2)})}, Value::none(), 0, 1),
       operation(Log::kAppend, {number(3)}, Value::none(), 2, 3), operation(Log::kLength, {}, number(3), 4, 7),
       operation(Log::kRead, {}, list({number(1), number(2)}), 5, 6)}));
  EXPECT_EQ(put.verdict, Verdict::violation);
  EXPECT_LE(put.core.size(), 3U);
  EXPECT_EQ(put.blocked, 83U);
}

TEST(LogContents, AgreesWithTheOracleOnAllSmallHistories) {
  const auto label = [](std::uint16_t method, std::vector<Value> arguments, Value result) {
    return test::SketchedOperation{
        .method = method, .arguments = std::move(arguments), .result = result, .call = 0, .response = 0};
  };
  const test::Sketch labels{
      label(Log::kAppend, {number(1)}, Value::none()),     label(Log::kAppend, {number(2)}, number(1)),
      label(Log::kPut, {list({})}, Value::none()),         label(Log::kPut, {list({number(1)})}, Value::none()),
      label(Log::kRead, {}, list({number(1), number(2)})), label(Log::kGet, {number(0)}, number(1)),
      label(Log::kGet, {number(1)}, Value::nil()),         label(Log::kLength, {}, number(0))};
  const auto specification = test::specification_of("log append=index");
  test::Oracle oracle(*specification);
  std::size_t linearizable = 0, violations = 0;
  for (std::size_t choice = 0; choice < 8 * 8 * 8; ++choice) {
    test::Sketch sketch{labels[choice % 8], labels[choice / 8 % 8], labels[choice / 64]};
    test::for_all_interleavings(sketch, true, [&](const test::Sketch& each) {
      const test::Built built = test::build(specification, each);
      core::Budget budget{Limits{}};
      const core::Outcome outcome = decide(built.part, budget);
      const bool truth = oracle.linearizable(built.part);
      ++(truth ? linearizable : violations);
      ASSERT_EQ(outcome.verdict, truth ? Verdict::linearizable : Verdict::violation) << test::to_text(built.part);
      if (truth) {
        ASSERT_TRUE(oracle.valid_witness(built.part, outcome.witness)) << test::to_text(built.part);
      }
    });
  }
  EXPECT_GT(linearizable, 1000U);
  EXPECT_GT(violations, 1000U);
}

}  // namespace
}  // namespace linchpin::log_contents_test
