#include "types/map/append_monitor.hpp"

#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "support/one_key.hpp"
#include "types/map/parts.hpp"
#include "types/map/specification.hpp"

namespace map_append_test {

namespace {

using linchpin::types::map::Parts;
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

struct Line {
  std::string_view method;
  std::string_view text;  // put, append: what is written; get: what is shown
  linchpin::Tick call = 0, response = 0;
};

/// The sentence of the violation, with the operations of the core, by call, in front; or the verdict.
std::string decided(const std::vector<Line>& lines) {
  linchpin::HistoryBuilder builder;
  linchpin::ProcessId process = 0;
  for (const Line& line : lines) {
    const linchpin::Value text = builder.pool().string(line.text);
    std::vector<linchpin::Value> arguments{linchpin::Value::integer(7)};
    if (line.method != "get") arguments.push_back(text);
    builder.add({.process = process++,
                 .method = line.method,
                 .arguments = std::move(arguments),
                 .result = line.method == "get" ? text : linchpin::Value::none(),
                 .call = line.call,
                 .response = line.response});
  }
  const auto history = std::move(builder).build();
  const std::array specifications{specification_of("map absent=empty-string")};
  const auto parts = linchpin::history::split_by_object(*history, specifications, linchpin::Ties::concurrent);
  linchpin::core::Budget budget{linchpin::Limits{}};
  const linchpin::core::Applicability applies = linchpin::types::map::append_applicable((*parts)[0]);
  if (!applies.applies) return applies.why;
  const auto outcome = linchpin::types::map::append_decide((*parts)[0], {}, budget);
  if (outcome.verdict != linchpin::Verdict::violation) return std::string(name(outcome.verdict));
  std::string text;
  for (const std::uint32_t i : outcome.core) text += std::to_string(i) + " ";
  return text + outcome.sentence;
}

}  // namespace

TEST(Parts, AreCutFromTheSideWhereNoneIsThePartOfAnother) {
  std::vector<Parts::Number> parts;
  const Parts left({"1,", "11,", "2,"});
  EXPECT_TRUE(left.from_left());
  EXPECT_TRUE(left.cut("11,2,1,", parts));
  EXPECT_EQ(parts, (std::vector<Parts::Number>{1, 2, 0}));
  EXPECT_FALSE(left.cut("11,2", parts));
  const Parts right({",1", ",11", ",2"});
  EXPECT_FALSE(right.from_left());
  EXPECT_FALSE(right.ambiguous());
  EXPECT_TRUE(right.cut(",11,2,1", parts));
  EXPECT_EQ(parts, (std::vector<Parts::Number>{1, 2, 0}));
  EXPECT_TRUE(Parts({"1", "11"}).ambiguous());
  EXPECT_EQ(Parts({"1", "2", "1"}).twice(), 2U);
}

TEST(MapAppendMonitor, SaysWhichAppendIsMissingAndWhichAnswerIsOld) {
  EXPECT_EQ(decided({{"put", "a", 1, 2},
                     {"append", "b", 3, 4},
                     {"append", "c", 5, 6},
                     {"get", "abc", 7, 8},
                     {"get", "ab", 9, 10}}),
            "0 2 3 4 stale: get(7) -> ab does not show what append(7, c) wrote, which had returned before");
  EXPECT_EQ(decided({{"put", "a", 1, 2}, {"append", "b", 3, 4}, {"get", "a", 5, 6}, {"get", "ab", 7, 8}}),
            "0 1 2 3 stale: get(7) -> a does not show what append(7, b) wrote, which had returned before");
  EXPECT_EQ(decided({{"put", "a", 1, 2}, {"append", "b", 3, 20}, {"get", "ab", 5, 6}, {"get", "a", 7, 8}}),
            "0 1 2 3 the content went back: get(7) -> a shows less than get(7) -> ab, which had returned before");
  EXPECT_EQ(
      decided({{"put", "a", 1, 2}, {"get", "a", 3, 4}, {"append", "b", 5, 6}, {"get", "a", 7, 8}}),
      "0 2 3 append(7, b) is lost: no answer shows it, and it ran between put(7, a) and get(7) -> a, which are of "
      "one content that only grew");
  EXPECT_EQ(decided({{"append", "a", 1, 2}, {"get", "", 3, 5}}),
            "0 1 get(7) -> \"\" shows nothing of append(7, a), which had returned before");
}

TEST(MapAppendMonitor, SaysWhichOrderIsWrong) {
  EXPECT_EQ(decided({{"append", "a", 1, 2}, {"append", "b", 3, 4}, {"get", "ba", 5, 6}}),
            "0 1 2 append(7, b) comes before append(7, a) in get(7) -> ba, but had not been called when that returned");
  EXPECT_EQ(decided({{"append", "a", 1, 9}, {"append", "b", 2, 9}, {"get", "ba", 3, 5}, {"get", "ab", 4, 6}}),
            "0 1 2 3 \"a\" stands right behind \"b\" in the one and first in the other: get(7) -> ba and get(7) -> ab");
  EXPECT_EQ(decided({{"append", "a", 1, 9}, {"append", "b", 12, 19}, {"get", "ab", 3, 5}}),
            "0 1 2 get(7) -> ab shows what append(7, b) wrote, which was called only later");
  EXPECT_EQ(decided({{"append", "a", 1, 9}, {"append", "b", 2, 9}, {"get", "abx", 3, 5}}),
            "2 get(7) -> abx: the texts that were written and appended do not make this text");
}

TEST(MapAppendMonitor, FollowsTextsThatGrowAndAreReplaced) {
  EXPECT_EQ(decided({{"append", "a", 1, 4},
                     {"append", "b", 2, 5},
                     {"get", "ba", 3, 6},
                     {"put", "c", 7, 8},
                     {"append", "e", 9, 10},
                     {"put", "d", 11, 12},
                     {"get", "d", 13, 14}}),
            "linearizable");
  EXPECT_EQ(decided({{"append", "a", 1, 2}, {"append", "aa", 3, 4}}),
            "texts may be cut into parts in several ways: \"aa\" begins with \"a\"");
  EXPECT_EQ(decided({{"append", "a", 1, 2}, {"put", "a", 3, 4}}), "the text \"a\" is written twice");
}

class MapAppendMonitorOn : public testing::TestWithParam<const char*> {};

TEST_P(MapAppendMonitorOn, AgreesWithTheOracleOnRandomHistories) {
  const auto specification = specification_of(GetParam());
  const bool empty_is_absent = std::string_view(GetParam()).find("empty-string") != std::string_view::npos;
  CrossCheck cross(linchpin::types::map::kAppendMonitor, specification);
  cross.must_tell_why = false;
  const std::size_t seed = environment_number("LINCHPIN_CROSS_SEED", 20240607);
  SCOPED_TRACE("seed " + std::to_string(seed));
  KeyHistories histories(specification, empty_is_absent, seed);
  Random random(seed);
  const std::size_t count = random_histories(60'000);
  for (std::size_t i = 0; i < count && cross.good(); ++i) {
    const KeyShape shape{.most = 3 + below(random, 9),
                         .comparisons = below(random, 3) == 0,
                         .failures = below(random, 4) == 0,
                         .lost = below(random, 6) == 0,
                         .clients_ending = below(random, 2) == 0 ? 0 : below(random, 30)};
    cross.check(histories.next(shape));
  }
  EXPECT_GT(cross.linearizable, cross.histories / 5);
  EXPECT_GT(cross.violations, cross.histories / 20);
  EXPECT_LT(cross.refused, cross.histories / 2);
  EXPECT_LT(cross.undecided, cross.histories / 20);
}

INSTANTIATE_TEST_SUITE_P(Options, MapAppendMonitorOn, testing::Values("map", "map absent=empty-string"),
                         [](const auto& parameter) { return parameter.index == 0 ? "Nil" : "EmptyString"; });

}  // namespace map_append_test
