// What was refused for a lease, and what a few answers exclude by themselves.
#include <vector>

#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "support/mvcc_check.hpp"
#include "support/sketched_line.hpp"
#include "support/thoroughness.hpp"
#include "types/mvcc_kv/contradictions.hpp"
#include "types/mvcc_kv/monitor.hpp"

namespace mvcc_contradictions_test {

namespace {

using linchpin::Tick;
using linchpin::Value;
using linchpin::Verdict;
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

SketchedOperation operation(std::string_view line, Tick call = 0, Tick response = 0) {
  return sketched("mvcc-kv", line, call, response);
}

linchpin::core::Outcome decided(const linchpin::core::Decider& decider, const Sketch& sketch) {
  const Built built = build(specification_of("mvcc-kv"), sketch);
  EXPECT_TRUE(decider.applicable(built.part).applies);
  linchpin::core::Budget budget{linchpin::Limits{}};
  return decider.decide(built.part, {.witness = true}, budget);
}
linchpin::core::Outcome monitored(const Sketch& sketch) { return decided(linchpin::types::mvcc_kv::kMonitor, sketch); }
linchpin::core::Outcome contradicted(const Sketch& sketch) {
  return decided(linchpin::types::mvcc_kv::kContradictions, sketch);
}

/// Requests about a lease or two, some of them refused or of unknown fate, granted anew and used before.
Sketch about_leases(Random& random, std::size_t most) {
  const auto some = [&](double probability) { return chance(random, probability); };
  const MvccShape shape{.operations = 1 + below(random, most),
                        .most_open = 1 + below(random, 4),
                        .keys = static_cast<std::int64_t>(1 + below(random, 2)),
                        .pending = std::array{0.0, 0.1, 0.3}[below(random, 3)],
                        .lost = std::array{0.0, 0.0, 0.2}[below(random, 3)],
                        .leases = true,
                        .compactions = some(0.4),
                        .old_ranges = some(0.3),
                        .transactions = some(0.4),
                        .repeated_values = some(0.4)};
  Sketch sketch = MvccDraw(random, shape).sketch();
  for (SketchedOperation& each : sketch) {
    // A pending request may be known to return this, if it does.
    if (each.response != linchpin::kPending || !some(0.3)) continue;
    each.result = std::array{Value::boolean(false), Value::boolean(true), Value::integer(2), Value::integer(3),
                             Value::integer(4)}[below(random, 5)];
  }
  if (some(0.6)) {
    if (some(0.5)) mutate(random, sketch, {Value::boolean(false)});
    SketchedOperation& chosen = sketch[below(random, sketch.size())];
    if (some(0.6) && chosen.response != linchpin::kPending) chosen.result = damaged(random, chosen.result);
  }
  return sketch;
}

void hold_to_the_oracle(CrossCheck& cross) {
  const std::size_t seed = environment_number("LINCHPIN_CROSS_SEED", 20261126);
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  const std::size_t count = random_histories(30'000);
  const auto specification = specification_of("mvcc-kv");
  for (std::size_t i = 0; i < count && cross.good(); ++i) {
    const Sketch sketch = i % 4 == 0 ? random_mvcc(random, 8) : about_leases(random, 7);
    if (valid(sketch) && takes(*specification, sketch)) cross.check(sketch);
  }
}

}  // namespace

TEST(MvccRefusals, FindAPlaceInTheOrder) {
  const auto outcome = monitored({operation("grant 1 -> 1", 1, 2), operation("grant 1 -> false", 3, 10),
                                  operation("revoke 1 -> 1", 4, 5), operation("revoke 1 -> false", 3, 11),
                                  operation("put a x 1 -> false", 12, 13)});
  EXPECT_EQ(outcome.verdict, Verdict::linearizable);
  EXPECT_EQ(outcome.witness, (std::vector<std::uint32_t>{0, 1, 3, 2, 4}));
}

TEST(MvccRefusals, ALeaseThatIsThereIsNotRefused) {
  const auto outcome = monitored({operation("grant 1 -> 1", 1, 2), operation("revoke 2 -> false", 3, 4),
                                  operation("revoke 1 -> false", 5, 6), operation("revoke 1 -> 1", 7, 8)});
  EXPECT_EQ(outcome.sentence,
            "revoke(1) -> false was refused, but the lease was there: grant(1) -> 1 came before it, and nobody revoked "
            "the lease since");
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{0, 2}));
}

TEST(MvccRefusals, ALeaseThatIsGoneCanBeGranted) {
  EXPECT_EQ(monitored({operation("grant 1 -> false", 1, 2)}).sentence,
            "grant(1) -> false was refused, but nobody else had granted the lease by then");
  const auto gone = monitored(
      {operation("grant 1 -> 1", 1, 2), operation("revoke 1 -> 1", 3, 4), operation("grant 1 -> false", 5, 6)});
  EXPECT_EQ(gone.core, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(gone.blocked, 2U);
}

// By itself the put would fit before the revoke, too, but another one that was refused behind it had returned.
TEST(MvccRefusals, KeepTheirOwnOrder) {
  const auto outcome = monitored({operation("grant 1 -> 1", 1, 2), operation("revoke 1 -> 1", 3, 20),
                                  operation("revoke 1 -> false", 4, 5), operation("put a x 2 -> false", 6, 7)});
  EXPECT_EQ(outcome.verdict, Verdict::linearizable);
  EXPECT_EQ(outcome.witness, (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

TEST(MvccRefusals, NothingIsRefusedForNoLease) {
  EXPECT_EQ(monitored({operation("put a x -> false", 1, 2)}).sentence,
            "put(a, x) -> false is no answer to this request");
  EXPECT_EQ(monitored({operation("put a x 0 -> false", 1, 2)}).verdict, Verdict::violation);
}

TEST(MvccContradictions, NeedNotKnowWhatTheOthersDid) {
  // A lease that is granted while it is used, and a put that tells nothing, keep the monitor from deciding.
  const Sketch sketch = {operation("grant 1 -> 1", 1, 9), operation("put a x 1 -> 2", 2, 8),
                         operation("put b x -> [nil nil]", 3, 7), operation("put c 1 -> 4", 10, 11),
                         operation("put c 2 -> 3", 12, 13)};
  const Built built = build(specification_of("mvcc-kv"), sketch);
  EXPECT_FALSE(linchpin::types::mvcc_kv::kMonitor.applicable(built.part).applies);
  const auto outcome = contradicted(sketch);
  EXPECT_EQ(outcome.core, (std::vector<std::uint32_t>{3, 4}));
  EXPECT_EQ(outcome.sentence,
            "put(c, 1) -> 4 returned before put(c, 2) -> 3 was called, but comes behind it by what they tell");
}

// A compaction of unknown fate may have done what another one is needed for.
TEST(MvccContradictions, SayNothingOfWhatACompactionOfUnknownFateMayHaveDone) {
  Sketch sketch = {operation("put a x -> 2", 1, 2), operation("range a nil [revision 1] -> compacted", 5, 6)};
  EXPECT_EQ(contradicted(sketch).verdict, Verdict::violation);
  for (const char* const line : {"compact 2 -> ?", "compact 2 -> ok"}) {
    sketch.resize(2);
    sketch.push_back(operation(line, 3, linchpin::kPending));
    EXPECT_EQ(contradicted(sketch).verdict, Verdict::unknown) << line;
  }
}

TEST(MvccRefusals, AgreeWithTheOracleOnRandomHistories) {
  CrossCheck cross(linchpin::types::mvcc_kv::kMonitor, specification_of("mvcc-kv"));
  hold_to_the_oracle(cross);
  EXPECT_GT(cross.linearizable, cross.histories / 8);
  EXPECT_GT(cross.violations, cross.histories / 12);
  EXPECT_LE(cross.undecided, cross.histories / 100);
}

TEST(MvccContradictions, AgreeWithTheOracleOnRandomHistories) {
  CrossCheck cross(linchpin::types::mvcc_kv::kContradictions, specification_of("mvcc-kv"));
  hold_to_the_oracle(cross);
  EXPECT_EQ(cross.linearizable, 0U);
  EXPECT_GT(cross.violations, cross.histories / 10);
  EXPECT_EQ(cross.refused, 0U);
}

}  // namespace mvcc_contradictions_test
