#include "types/map/monitor.hpp"
#include "types/map/presence.hpp"

#include <gtest/gtest.h>

#include "linchpin/check.hpp"
#include "support/cross_check.hpp"
#include "support/one_key.hpp"
#include "types/map/specification.hpp"

namespace map_monitor_test {

namespace {

using linchpin::Value;
using linchpin::types::Map;
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

const auto kMap = specification_of("map");
const Value kKey = Value::integer(7);

}  // namespace

TEST(MapMonitor, SaysWhyItDoesNotApply) {
  const auto why = [](const Sketch& sketch) { return linchpin::types::map::applicable(build(kMap, sketch).part).why; };
  const SketchedOperation put{
      .method = Map::kPut, .arguments = {kKey, Value::integer(1)}, .result = Value::none(), .call = 1, .response = 2};
  SketchedOperation elsewhere = put;
  elsewhere.arguments[0] = Value::integer(8);
  EXPECT_EQ(why({put, elsewhere}), "there are several keys");
  EXPECT_EQ(why({put, put}), "value 1 is written twice");
}

TEST(MapPresenceMonitor, FollowsAKeyThatComesAndGoes) {
  const Value yes = Value::boolean(true), no = Value::boolean(false);
  const auto step = [](std::uint16_t method, Value result, linchpin::Tick call) {
    std::vector<Value> arguments{kKey};
    if (method == Map::kPutIfAbsent) arguments.push_back(Value::integer(1));
    return SketchedOperation{
        .method = method, .arguments = arguments, .result = result, .call = call, .response = call + 1};
  };
  const auto decided = [](const Sketch& sketch) {
    const Built built = build(kMap, sketch);
    EXPECT_EQ(linchpin::types::map::presence_applicable(built.part).why,
              "one key, and only whether it is there matters");
    linchpin::core::Budget budget{linchpin::Limits{}};
    return linchpin::types::map::presence_decide(built.part, {.witness = true}, budget);
  };
  Sketch sketch{step(Map::kPutIfAbsent, yes, 1), step(Map::kRemove, yes, 3), step(Map::kGet, Value::nil(), 5),
                step(Map::kPutIfAbsent, yes, 7)};
  EXPECT_EQ(decided(sketch).verdict, linchpin::Verdict::linearizable);
  sketch.push_back(step(Map::kContains, no, 9));
  EXPECT_EQ(decided(sketch).sentence,
            "contains(7) -> false needs the key 7 to be absent at some moment, but it is there all the time: nothing "
            "that could change this takes effect before the return");
}

TEST(MapPresenceMonitor, WhatPromisesOnlyOkMayHaveTakenEffect) {
  linchpin::HistoryBuilder builder;
  const Value ok = builder.pool().string("ok");
  const std::vector<Value> key{kKey}, entry{kKey, Value::integer(1)};
  const auto add = [&](linchpin::ProcessId process, std::string_view method, const std::vector<Value>& arguments,
                       Value result, linchpin::Tick call, linchpin::Tick response) {
    builder.add({.process = process,
                 .method = method,
                 .arguments = arguments,
                 .result = result,
                 .call = call,
                 .response = response});
  };
  add(0, "put_if_absent", entry, Value::boolean(false), 1, 4);
  add(1, "put_if_absent", entry, ok, 2, linchpin::kPending);
  add(0, "contains", key, Value::boolean(false), 6, 7);
  add(2, "remove", key, ok, 5, linchpin::kPending);
  const auto history = std::move(builder).build();
  ASSERT_TRUE(history);
  linchpin::CheckOptions options;
  options.specification = kMap;
  const auto checked = linchpin::check(*history, options);
  ASSERT_TRUE(checked);
  EXPECT_EQ(checked->objects[0].decider, "map-presence-monitor");
  EXPECT_EQ(checked->verdict, linchpin::Verdict::linearizable);
}

TEST(MapMonitor, AgreesWithTheOracleOnRandomHistories) {
  CrossCheck cross(linchpin::types::map::kMonitor, kMap);
  cross.random(
      [](Random& random) -> Drafter {
        return [next = std::int64_t{1},
                most = 2 + static_cast<std::int64_t>(below(random, 6))](Random& generator) mutable {
          const std::vector<Value> yes_or_no{Value::boolean(true), Value::boolean(false)};
          std::vector<Value> values{Value::nil()};
          for (std::int64_t value = 1; value <= most; ++value) values.push_back(Value::integer(value));
          const auto any = [&] { return values[below(generator, values.size())]; };
          const std::size_t what = below(generator, 10);
          if (next <= most && what < 5) {
            const Value fresh = Value::integer(next++);
            switch (what) {
              case 0: return Draft{Map::kPutIfAbsent, {kKey, fresh}, yes_or_no};
              case 1: return Draft{Map::kCas, {kKey, any(), fresh}, yes_or_no};
              case 2: return Draft{Map::kReplace, {kKey, any(), fresh}, yes_or_no};
              default:
                return Draft{Map::kPut, {kKey, fresh}, {Value::none(), Value::boolean(true), Value::nil(), fresh}};
            }
          }
          if (what == 6) return Draft{Map::kContains, {kKey}, yes_or_no};
          if (what == 7 && below(generator, 4) == 0)
            return Draft{Map::kRemove, {kKey}, {Value::boolean(false), Value::boolean(true)}};
          if (what == 8 && below(generator, 6) == 0) return Draft{Map::kGet, {kKey}, {Value::unknown()}};
          return Draft{Map::kGet, {kKey}, values};
        };
      },
      {}, 12, 60'000);
  EXPECT_GT(cross.linearizable, cross.histories / 5);
  EXPECT_GT(cross.violations, cross.histories / 20);
  EXPECT_LT(cross.undecided, cross.histories / 20);
}

TEST(MapMonitor, AgreesWithTheOracleWhereResultsAreTheValuesBefore) {
  CrossCheck cross(linchpin::types::map::kMonitor, specification_of("map results=previous"));
  cross.random(
      [](Random& random) -> Drafter {
        return [next = std::int64_t{1},
                most = 2 + static_cast<std::int64_t>(below(random, 6))](Random& generator) mutable {
          std::vector<Value> values{Value::nil()};
          for (std::int64_t value = 1; value <= most; ++value) values.push_back(Value::integer(value));
          const auto any = [&] { return values[below(generator, values.size())]; };
          const std::size_t what = below(generator, 10);
          if (next <= most && what < 6) {
            const Value fresh = Value::integer(next++);
            if (what == 0) return Draft{Map::kCas, {kKey, any(), fresh}, {Value::boolean(true), Value::boolean(false)}};
            const std::array rows{Map::kPutIfAbsent, Map::kReplace, Map::kPut, Map::kPut, Map::kPut};
            if (what == 5) values = {Value::none()};
            return Draft{rows[what - 1], {kKey, fresh}, values};
          }
          if (what == 7 && below(generator, 4) == 0) return Draft{Map::kRemove, {kKey}, values};
          return Draft{Map::kGet, {kKey}, values};
        };
      },
      {}, 12, 40'000);
  EXPECT_GT(cross.linearizable, cross.histories / 5);
  EXPECT_GT(cross.violations, cross.histories / 20);
  EXPECT_LT(cross.undecided, cross.histories / 20);
}

TEST(MapMonitor, AgreesWithTheOracleWhereAnEmptyTextIsAbsent) {
  const auto specification = specification_of("map absent=empty-string");
  CrossCheck cross(linchpin::types::map::kMonitor, specification);
  const std::size_t seed = environment_number("LINCHPIN_CROSS_SEED", 20240607);
  SCOPED_TRACE("seed " + std::to_string(seed));
  KeyHistories histories(specification, true, seed);
  Random random(seed);
  const std::size_t count = random_histories(30'000);
  for (std::size_t i = 0; i < count && cross.good(); ++i) {
    const KeyShape shape{.most = 3 + below(random, 9),
                         .appends = false,
                         .comparisons = true,
                         .failures = below(random, 2) == 0,
                         .lost = below(random, 6) == 0,
                         .clients_ending = below(random, 2) == 0 ? 0 : below(random, 30)};
    cross.check(histories.next(shape));
  }
  EXPECT_GT(cross.linearizable, cross.histories / 5);
  EXPECT_GT(cross.violations, cross.histories / 20);
}

}  // namespace map_monitor_test
