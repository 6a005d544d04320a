// What refutes Java's collections at once, against the oracle of Java's own specification.
#include "types/juc/unheard.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/java_drafts.hpp"
#include "support/thoroughness.hpp"
#include "types/juc/java.hpp"
#include "types/juc/sequences.hpp"

namespace linchpin::types::juc {
namespace {

using test::below;
using test::Draft;
using test::Random;
using Methods = SequenceMethods;

enum class Values : std::uint8_t { integers, odd };

/// All methods of the class, about few values; with the answers of each.
test::Drafter drafter(const Specification& specification, ValuePool& pool, Values values) {
  std::vector<Value> results{Value::none(), Value::nil(), Value::boolean(true), Value::boolean(false)};
  for (const std::string_view text : {kNoSuchElement, kIllegalState}) results.push_back(pool.string(text));
  for (std::int64_t v = 0; v <= 4; ++v) results.push_back(Value::integer(v));
  for (const std::string_view text : {"[]", "[1]", "[2]", "[1, 2]", "[2, 1]", "[1, 2, 3]", "[2, 3]", "[9]", "1"}) {
    results.push_back(pool.string(text));
  }
  const std::vector<Value> odd{pool.string(""),      pool.string("a, b"), pool.string("1"),
                               Value::boolean(true), pool.string("[1]"),  pool.integer(INT64_MIN)};
  if (values == Values::odd) {
    results.insert(results.end(), odd.begin(), odd.end());
    for (const std::string_view text : {"[a, b]", "[, ]", "[true]", "[[1]]", "[1, a, b]", "[-9223372036854775808]"}) {
      results.push_back(pool.string(text));
    }
  }
  const std::size_t methods = specification.methods().size();
  return [=, &pool](Random& random) {
    Draft draft{.method = static_cast<std::uint16_t>(below(random, methods)), .arguments = {}, .results = results};
    const auto value = [&] {
      if (values == Values::odd && below(random, 2) == 0) return odd[below(random, odd.size())];
      return Value::integer(1 + static_cast<std::int64_t>(below(random, 6)));
    };
    const std::uint16_t m = draft.method;
    if (m >= Methods::kAddAll && m <= Methods::kContainsAll) {
      std::vector<Value> list;
      for (std::size_t i = below(random, 3); i > 0; --i) list.push_back(value());
      draft.arguments = {pool.list(list)};
    } else if (Methods::adds_one(m) || m == Methods::kContains || m == Methods::kRemoveFirstOccurrence ||
               m == Methods::kRemoveLastOccurrence || (m == Methods::kRemove && below(random, 2) == 0)) {
      draft.arguments = {value()};
    }
    return draft;
  };
}

class Unheard : public testing::TestWithParam<const char*> {};

void check(const char* type, Values values) {
  const auto specification = test::specification_of(type);
  std::size_t refuted = 0, passed = 0;
  const std::size_t count = test::random_histories(3000);
  const auto draft = drafter(*specification, test::sketch_pool(), values);
  each_random_java_history(specification, draft, 8, 2, count, [&](const test::Built& built, test::Oracle& oracle) {
    core::Budget budget{Limits{}};
    const core::Outcome outcome = refute_unheard(built.part, {}, budget);
    if (outcome.verdict == Verdict::unknown) {
      ++passed;
      return true;
    }
    ++refuted;
    EXPECT_FALSE(oracle.linearizable(built.part)) << test::to_text(built.part);
    EXPECT_FALSE(oracle.linearizable(history::restrict(built.part, outcome.core))) << test::to_text(built.part);
    return !::testing::Test::HasFailure();
  });
  EXPECT_GT(refuted, count / 50);
  EXPECT_GT(passed, count / 10);
  if (test::thorough()) std::printf("%s: %zu refuted, %zu passed\n", type, refuted, passed);
}

TEST_P(Unheard, RefutesOnlyWhatTheOracleRefutes) { check(GetParam(), Values::integers); }

TEST_P(Unheard, RefutesOnlyWhatTheOracleRefutesOfValuesOfOtherKinds) { check(GetParam(), Values::odd); }

INSTANTIATE_TEST_SUITE_P(Classes, Unheard,
                         testing::Values("ConcurrentLinkedQueue", "ArrayBlockingQueue capacity=2",
                                         "LinkedBlockingDeque", "PriorityBlockingQueue"),
                         [](const auto& container) {
                           const std::string name(container.param);
                           return name.substr(0, name.find(' '));
                         });

std::string refuted(const char* type, std::string_view method, std::vector<Value> arguments, Value result,
                    int adds_before) {
  HistoryBuilder builder;
  builder.set_type(*TypeName::parse(type));
  Tick tick = 0;
  for (int k = 0; k < adds_before; ++k, tick += 2) {
    builder.add({.method = "add",
                 .arguments = {Value::integer(k)},
                 .result = Value::boolean(true),
                 .call = tick,
                 .response = tick + 1});
  }
  builder.add({.method = std::string(method),
               .arguments = std::move(arguments),
               .result = result,
               .call = tick,
               .response = tick + 1});
  const History history = *std::move(builder).build();
  const std::vector specifications{*make_specification(*TypeName::parse(type))};
  const auto parts = history::split_by_object(history, specifications, Ties::concurrent);
  core::Budget budget{Limits{}};
  const core::Outcome outcome = refute_unheard((*parts)[0], {}, budget);
  if (outcome.verdict == Verdict::unknown) return "not refuted";
  return outcome.core == std::vector<std::uint32_t>{static_cast<std::uint32_t>(adds_before)} ? "refuted"
                                                                                             : "another core";
}

TEST(UnheardAnswers, RefutesAnswersThatNothingThatPutsInGives) {
  const Value one = Value::integer(1), no = Value::boolean(false), yes = Value::boolean(true);
  for (const char* const type : {"ConcurrentLinkedQueue", "LinkedTransferQueue", "LinkedBlockingDeque",
                                 "PriorityBlockingQueue", "ArrayBlockingQueue capacity=4"}) {
    EXPECT_EQ(refuted(type, "add", {one}, no, 3), "refuted") << type;
    EXPECT_EQ(refuted(type, "offer", {one}, no, 3), "refuted") << type;
    EXPECT_EQ(refuted(type, "put", {one}, yes, 3), "refuted") << type;
    EXPECT_EQ(refuted(type, "clear", {}, yes, 3), "refuted") << type;
    EXPECT_EQ(refuted(type, "offer", {one}, yes, 3), "not refuted") << type;
    EXPECT_EQ(refuted(type, "clear", {}, Value::none(), 3), "not refuted") << type;
  }
  // It may have been full.
  EXPECT_EQ(refuted("ArrayBlockingQueue capacity=4", "offer", {one}, no, 4), "not refuted");
}

}  // namespace
}  // namespace linchpin::types::juc
