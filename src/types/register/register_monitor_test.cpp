#include "support/thoroughness.hpp"
#include "types/register/monitor.hpp"

#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "types/register/specification.hpp"

namespace register_monitor_test {

namespace {

using linchpin::Value;
using linchpin::Verdict;
using linchpin::types::Register;
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

SketchedOperation write(std::int64_t value, linchpin::Tick call = 0, linchpin::Tick response = 0) {
  return {.method = Register::kWrite,
          .arguments = {Value::integer(value)},
          .result = Value::none(),
          .call = call,
          .response = response};
}
SketchedOperation read(Value value, linchpin::Tick call = 0, linchpin::Tick response = 0) {
  return {.method = Register::kRead, .arguments = {}, .result = value, .call = call, .response = response};
}

linchpin::core::Outcome decided(const Sketch& sketch) {
  const Built built = build(specification_of("register"), sketch);
  EXPECT_TRUE(linchpin::types::register_::applicable(built.part).applies);
  linchpin::core::Budget budget{linchpin::Limits{}};
  return linchpin::types::register_::decide(built.part, {.witness = true}, budget);
}

Drafter drafts(Random& random) {
  return [next = std::int64_t{1}, most = 2 + static_cast<std::int64_t>(below(random, 6)),
          repeats = below(random, 8) == 0](Random& generator) mutable {
    if (next <= most && below(generator, 2) == 0) {
      const std::int64_t value = repeats && below(generator, 10) == 0 ? 1 : next++;
      return Draft{Register::kWrite, {Value::integer(value)}, {Value::none()}};
    }
    std::vector<Value> results{Value::nil()};
    for (std::int64_t value = 1; value <= most; ++value) results.push_back(Value::integer(value));
    if (below(generator, 20) == 0) results = {Value::unknown()};
    return Draft{Register::kRead, {}, results};
  };
}

const std::vector<Value> kResults{Value::nil(), Value::integer(1), Value::integer(2), Value::integer(3)};

}  // namespace

TEST(RegisterMonitor, RejectsAStaleRead) {
  const auto outcome = decided({write(1, 1, 2), write(2, 3, 4), read(Value::integer(1), 5, 6)});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(outcome.sentence,
            "1 must come before 2, because write(1) returned before write(2) was called; and 2 before 1, because "
            "write(2) returned before read() -> 1 was called");
}

TEST(RegisterMonitor, RejectsTheInitialValueAfterAWrite) {
  const auto outcome = decided({write(1, 1, 2), read(Value::nil(), 3, 4)});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.sentence,
            "read() -> nil saw the initial value nil, but write(1) had returned before it was called");
}

TEST(RegisterMonitor, SaysWhyItDoesNotApply) {
  const auto why = [](const Sketch& sketch) {
    return linchpin::types::register_::applicable(build(specification_of("register initial=0"), sketch).part).why;
  };
  EXPECT_EQ(why({write(1, 1, 2), write(1, 3, 4)}), "value 1 is written twice");
  EXPECT_EQ(why({write(0, 1, 2)}), "value 0 is the initial value and is written again");
}

TEST(RegisterMonitor, AgreesWithTheOracleOnAllSmallHistories) {
  for (const char* const type : {"register", "register initial=undefined"}) {
    const auto specification = specification_of(type);
    CrossCheck cross(linchpin::types::register_::kMonitor, specification);
    const Sketch labels{
        write(1), write(2), write(3), read(Value::nil()), read(Value::integer(1)), read(Value::integer(2))};
    cross.exhaustive(labels, 3, true);
    if (thorough()) cross.exhaustive(labels, 4, true);
    EXPECT_GT(cross.linearizable, 100U);
    EXPECT_GT(cross.violations, 500U);
  }
}

TEST(RegisterMonitor, AgreesWithTheOracleOnRandomHistories) {
  for (const char* const type : {"register", "register initial=undefined"}) {
    const auto specification = specification_of(type);
    CrossCheck cross(linchpin::types::register_::kMonitor, specification);
    cross.random(drafts, kResults, 12, 60'000);
    EXPECT_GT(cross.linearizable, cross.histories / 5);
    EXPECT_GT(cross.violations, cross.histories / 10);
  }
}

}  // namespace register_monitor_test
