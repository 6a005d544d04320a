#include <gtest/gtest.h>

#include "cross/drafts.hpp"
#include "support/cross_check.hpp"
#include "support/thoroughness.hpp"
#include "types/stream/monitor.hpp"
#include "types/stream/specification.hpp"

namespace stream_monitor_test {

namespace {

using linchpin::Tick;
using linchpin::Value;
using linchpin::Verdict;
using linchpin::types::Stream;
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

SketchedOperation append(std::vector<Value> hashes, Value match, Value result, Tick call = 0, Tick response = 0) {
  return {.method = Stream::kAppend,
          .arguments = {sketch_pool().list(hashes), match},
          .result = result,
          .call = call,
          .response = response};
}
SketchedOperation tail(std::int64_t result, Tick call = 0, Tick response = 0) {
  return {.method = Stream::kCheckTail,
          .arguments = {},
          .result = Value::integer(result),
          .call = call,
          .response = response};
}
Value number(std::int64_t value) { return Value::integer(value); }
/// What a read shows of a stream of these records.
SketchedOperation read(std::vector<Value> hashes) {
  const std::vector<Value> arguments{sketch_pool().list(hashes)};
  const auto state = Stream::after({}, {.method = Stream::kAppend, .arguments = arguments, .pool = &sketch_pool()});
  return {.method = Stream::kRead,
          .arguments = {},
          .result = sketch_pool().list({number(static_cast<std::int64_t>(state.tail)),
                                        sketch_pool().integer(static_cast<std::int64_t>(state.content))})};
}

linchpin::core::Outcome decided(const Sketch& sketch) {
  const Built built = build(specification_of("stream"), sketch);
  EXPECT_TRUE(linchpin::types::stream::applicable(built.part).applies);
  linchpin::core::Budget budget{linchpin::Limits{}};
  return linchpin::types::stream::decide(built.part, {.witness = true}, budget);
}

}  // namespace

TEST(StreamMonitor, TheStreamOnlyGrows) {
  EXPECT_EQ(decided({append({number(7)}, Value::nil(), number(1), 1, 2), tail(1, 3, 4), tail(0, 5, 6)}).sentence,
            "append([7], nil) -> 1 returned before check_tail() -> 0 was called, but the stream only grows");
}

TEST(StreamMonitor, TwoAppendsCannotStartAtOnePlace) {
  EXPECT_EQ(
      decided({append({number(7)}, Value::nil(), number(1), 1, 4), append({number(8)}, number(0), number(1), 2, 3)})
          .verdict,
      Verdict::violation);
}

TEST(StreamMonitor, LostAppendsFillHoles) {
  const auto lost = append({number(7), number(8)}, Value::nil(), Value::unknown(), 1, linchpin::kPending);
  EXPECT_EQ(decided({lost, append({number(9)}, number(2), number(3), 2, 3)}).verdict, Verdict::linearizable);
  const auto outcome = decided({lost, append({number(9)}, number(1), number(2), 2, 3)});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.sentence,
            "append([9], 1) -> 2 needs the tail 1, which no appends that were called in time lead to");
}

// The one that matches a position is of no use elsewhere, so it goes first.
TEST(StreamMonitor, OfEqualLostAppendsTheOneThatMatchesGoesFirst) {
  const auto lost = [](Value match, Tick call) {
    return append({number(7)}, match, Value::unknown(), call, linchpin::kPending);
  };
  EXPECT_EQ(decided({lost(Value::nil(), 1), lost(number(0), 2), tail(2, 3, 4)}).verdict, Verdict::linearizable);
}

TEST(StreamMonitor, AgreesWithTheOracleOnAllSmallHistories) {
  CrossCheck cross(linchpin::types::stream::kMonitor, specification_of("stream"));
  const Sketch labels{append({number(7)}, Value::nil(), number(1)),
                      append({number(7)}, number(0), number(1)),
                      append({number(8)}, Value::nil(), number(2)),
                      append({number(8)}, number(1), number(2)),
                      append({number(7), number(8)}, Value::nil(), number(2)),
                      append({number(9)}, Value::nil(), Value::boolean(false)),
                      tail(0),
                      tail(1),
                      tail(2),
                      read({number(7), number(8)}),
                      read({number(8), number(7)})};
  cross.exhaustive(labels, few() ? 2 : 3, true);
  if (thorough()) cross.exhaustive(labels, 4, true);
  EXPECT_GT(cross.linearizable, few() ? 5U : 500U);
  EXPECT_GT(cross.violations, few() ? 20U : 2000U);
  EXPECT_EQ(cross.undecided, 0U);
}

TEST(StreamMonitor, AgreesWithTheOracleOnRandomHistories) {
  for (const auto& subject : linchpin::cross::monitored_subjects()) {
    if (subject.name != "Stream") continue;
    CrossCheck cross(linchpin::types::stream::kMonitor, specification_of(subject.type));
    cross.random(subject.start, {}, 12, 30'000);
    EXPECT_GT(cross.linearizable, cross.histories / 5);
    EXPECT_GT(cross.violations, cross.histories / 20);
    EXPECT_EQ(cross.refused, 0U);
    EXPECT_LE(cross.undecided, cross.histories / 10'000);  // many lost appends without a position fit anywhere
  }
}

}  // namespace stream_monitor_test
