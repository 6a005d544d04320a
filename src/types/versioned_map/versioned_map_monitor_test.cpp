#include <gtest/gtest.h>

#include "cross/drafts.hpp"
#include "support/cross_check.hpp"
#include "support/thoroughness.hpp"
#include "types/versioned_map/monitor.hpp"
#include "types/versioned_map/specification.hpp"

namespace versioned_map_monitor_test {

namespace {

using linchpin::Tick;
using linchpin::Value;
using linchpin::Verdict;
using linchpin::types::VersionedMap;
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

Value text(std::string_view word) { return sketch_pool().string(word); }
Value shown(std::int64_t value, std::int64_t version) {
  return sketch_pool().list({Value::integer(value), Value::integer(version)});
}
SketchedOperation get(Value result, Tick call = 0, Tick response = 0) {
  return {.method = VersionedMap::kGet,
          .arguments = {Value::integer(0)},
          .result = result,
          .call = call,
          .response = response};
}
SketchedOperation version(std::int64_t result, Tick call = 0, Tick response = 0) {
  return {.method = VersionedMap::kVersion,
          .arguments = {Value::integer(0)},
          .result = Value::integer(result),
          .call = call,
          .response = response};
}
SketchedOperation put(std::int64_t value, std::int64_t version, Value result, Tick call = 0, Tick response = 0) {
  return {.method = VersionedMap::kPut,
          .arguments = {Value::integer(0), Value::integer(value), Value::integer(version)},
          .result = result,
          .call = call,
          .response = response};
}
SketchedOperation write(std::int64_t value, Value result, Tick call = 0, Tick response = 0) {
  return {.method = VersionedMap::kWrite,
          .arguments = {Value::integer(0), Value::integer(value)},
          .result = result,
          .call = call,
          .response = response};
}
const Value kDone = Value::none();

linchpin::core::Outcome decided(const Sketch& sketch, const char* type = "versioned-map") {
  const Built built = build(specification_of(type), sketch);
  EXPECT_TRUE(linchpin::types::versioned_map::applicable(built.part).applies);
  linchpin::core::Budget budget{linchpin::Limits{}};
  return linchpin::types::versioned_map::decide(built.part, {.witness = true}, budget);
}
std::string refused(const Sketch& sketch, const char* type = "versioned-map") {
  const Built built = build(specification_of(type), sketch);
  return linchpin::types::versioned_map::applicable(built.part).why;
}

}  // namespace

TEST(VersionedMapMonitor, VersionsOnlyGoUp) {
  const auto outcome =
      decided({put(5, 0, kDone, 1, 2), put(6, 1, kDone, 3, 10), get(shown(6, 2), 4, 5), get(shown(5, 1), 6, 7)});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.sentence, "get(0) -> [6 2] returned before get(0) -> [5 1] was called, but versions only go up");
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{2, 3}));
}

TEST(VersionedMapMonitor, RejectsTwoPutsOfOneVersion) {
  EXPECT_EQ(decided({put(5, 0, kDone, 1, 4), put(6, 0, kDone, 2, 3)}).sentence,
            "put(0, 5, 0) and put(0, 6, 0) both made one version");
  EXPECT_EQ(decided({put(5, 0, kDone, 1, 2), get(shown(6, 1), 3, 4)}).sentence,
            "put(0, 5, 0) and get(0) -> [6 1] have different values of one version");
}

TEST(VersionedMapMonitor, NeedsAWriteForEachVersion) {
  EXPECT_EQ(decided({get(shown(5, 1), 1, 2), get(shown(5, 1), 3, 4)}).sentence,
            "get(0) -> [5 1] needs version 1 with the value 5, which nobody can have made");
  EXPECT_EQ(decided({version(1, 1, 2), put(5, 0, text("ErrMaybe"), 3, 4)}).sentence,
            "version(0) -> 1 needs version 1, but none that can have made it was open by its return");
}

TEST(VersionedMapMonitor, ErrMaybeTakesEffectInItsCallOrNever) {
  EXPECT_EQ(decided({put(5, 0, text("ErrMaybe"), 1, 2), get(Value::nil(), 3, 4)}).verdict, Verdict::violation);
  EXPECT_EQ(decided({put(5, 0, text("ErrMaybe"), 1, 2), get(Value::nil(), 3, 4)}, "versioned-map maybe=either").verdict,
            Verdict::linearizable);
  EXPECT_EQ(decided({put(5, 0, text("ErrMaybe"), 1, 2), get(Value::nil(), 3, 4), get(shown(5, 1), 5, 6)},
                    "versioned-map maybe=either")
                .verdict,
            Verdict::violation);
}

TEST(VersionedMapMonitor, PlacesWritesByTheirValues) {
  EXPECT_EQ(
      decided({write(5, kDone, 1, 2), write(6, kDone, 3, 4), get(shown(6, 2), 5, 6), get(shown(5, 1), 1, 4)}).verdict,
      Verdict::linearizable);
  EXPECT_EQ(refused({write(5, kDone, 1, 2), write(5, kDone, 3, 4)}), "write(0, 5) does not tell which version it made");
  EXPECT_EQ(
      decided({write(5, Value::integer(1), 1, 2), write(5, Value::integer(2), 3, 4)}, "versioned-map writes=version")
          .verdict,
      Verdict::linearizable);
}

TEST(VersionedMapMonitor, AgreesWithTheOracleOnAllSmallHistories) {
  for (const char* const type : {"versioned-map", "versioned-map maybe=either"}) {
    CrossCheck cross(linchpin::types::versioned_map::kMonitor, specification_of(type));
    const Sketch labels{put(1, 0, kDone),
                        put(2, 0, text("ErrMaybe")),
                        put(2, 1, kDone),
                        put(1, 1, text("ErrMaybe")),
                        put(2, 2, text("ErrMaybe")),
                        put(1, 1, text("ErrVersion")),
                        put(1, 2, text("ErrVersion")),
                        put(1, 1, text("ErrNoKey")),
                        put(1, 1, Value::boolean(false)),
                        write(1, kDone),
                        get(Value::nil()),
                        get(shown(1, 1)),
                        get(shown(2, 2)),
                        version(2)};
    cross.exhaustive(labels, few() ? 2 : 3, true);
    if (thorough()) cross.exhaustive(labels, 4, true);
    EXPECT_GT(cross.linearizable, few() ? 10U : 1000U);
    EXPECT_GT(cross.violations, few() ? 50U : 5000U);
    EXPECT_EQ(cross.undecided, 0U);
  }
}

TEST(VersionedMapMonitor, AgreesWithTheOracleOnRandomHistories) {
  for (const auto& subject : linchpin::cross::monitored_subjects()) {
    if (!subject.name.starts_with("VersionedKey")) continue;
    CrossCheck cross(linchpin::types::versioned_map::kMonitor, specification_of(subject.type));
    cross.random(subject.start, {}, 12, 30'000);
    EXPECT_GT(cross.linearizable, cross.histories / 5);
    EXPECT_GT(cross.violations, cross.histories / 20);
    EXPECT_LT(cross.refused, cross.histories / 2);
    EXPECT_EQ(cross.undecided, 0U);
  }
}

}  // namespace versioned_map_monitor_test
