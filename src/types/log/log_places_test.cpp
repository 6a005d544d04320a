#include "types/log/places.hpp"

#include <gtest/gtest.h>

#include "support/search_check.hpp"
#include "types/log/monitor.hpp"
#include "types/log/specification.hpp"

namespace log_places_test {

namespace {

using linchpin::Value;
using linchpin::types::Log;
using namespace linchpin;        // NOLINT: the vocabulary of these tests
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

/// Few entries, and looks at single places, so that most places are never seen.
Drafter few_entries(bool told) {
  return [told](Random& generator) {
    std::vector<Value> results;
    for (std::int64_t count = 0; count < 9; ++count) results.push_back(Value::integer(count));
    switch (below(generator, 7)) {
      case 0: return Draft{Log::kLength, {}, results};
      case 1:
        results.push_back(Value::nil());
        return Draft{Log::kGet, {Value::integer(static_cast<std::int64_t>(below(generator, 6)))}, results};
      default: {
        const auto entry = static_cast<std::int64_t>(below(generator, 3));
        if (!told || below(generator, 2) == 0) results = {Value::none()};
        return Draft{Log::kAppend, {Value::integer(entry)}, results};
      }
    }
  };
}

void expect_agreement(const char* type, bool told, bool only_what_the_monitor_leaves) {
  SearchCheck check{
      .specification = specification_of(type),
      .applicable =
          [&](const history::Subhistory& part) {
            if (only_what_the_monitor_leaves && types::log_::applicable(part).applies) {
              return core::Applicability{};
            }
            return types::log_::places_applicable(part);
          },
      .decide = [](const history::Subhistory& part,
                   core::Budget& budget) { return types::log_::kPlaces.decide(part, {.witness = true}, budget); },
      .results = {Value::integer(0), Value::integer(1), Value::integer(2), Value::nil()}};
  check.random(few_entries(told), 14, 40'000);
  EXPECT_GT(check.applied, check.drawn / 80);
}

core::Outcome decide(const std::vector<SketchedOperation>& operations) {
  const auto specification = specification_of("log");
  const Built built = build(specification, operations);
  core::Budget budget{Limits{}};
  return types::log_::kPlaces.decide(built.part, {}, budget);
}
SketchedOperation append(std::int64_t entry, Tick call, Tick response) {
  return {.method = Log::kAppend,
          .arguments = {Value::integer(entry)},
          .result = Value::none(),
          .call = call,
          .response = response};
}
SketchedOperation get(std::int64_t place, std::int64_t entry, Tick call, Tick response) {
  return {.method = Log::kGet,
          .arguments = {Value::integer(place)},
          .result = Value::integer(entry),
          .call = call,
          .response = response};
}

}  // namespace

TEST(LogPlaces, AgreesWithTheOracle) { expect_agreement("log", false, false); }
TEST(LogPlaces, AgreesWithTheOracleOnWhatTheMonitorLeaves) { expect_agreement("log", false, true); }
TEST(LogPlaces, AgreesWithTheOracleWhereSomeAppendsTell) { expect_agreement("log append=index", true, true); }

TEST(LogPlaces, AnEntryThatRanAtAnotherTimeIsACoreOfOneOperation) {
  const core::Outcome outcome =
      decide({append(1, 0, 1), append(2, 2, 3), append(1, 4, 5), append(2, 6, 7), get(2, 2, 8, 9)});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{4}));
  EXPECT_EQ(outcome.sentence,
            "get(2) -> 2 shows 2, of which no append ran while the log grew from at most 2 to at "
            "least 3 entries");
}

TEST(LogPlaces, MoreAppendsThanPlacesAreTheCore) {
  const core::Outcome outcome =
      decide({append(1, 0, 1),
              append(1, 2, 3),
              append(2, 4, 5),
              {.method = Log::kLength, .arguments = {}, .result = Value::integer(2), .call = 6, .response = 7},
              append(1, 8, 9),
              get(3, 1, 10, 11)});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(outcome.sentence,
            "length() -> 2 came too late: it saw at most 2 entries, but after 2 had been appended, 1 append ran before "
            "it was called");
}

}  // namespace log_places_test
