#include "support/thoroughness.hpp"
#include "types/cas_register/monitor.hpp"

#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "types/cas_register/specification.hpp"

namespace cas_register_monitor_test {

namespace {

using linchpin::Value;
using linchpin::Verdict;
using linchpin::types::CasRegister;
using namespace linchpin::test;  // NOLINT: the vocabulary of these tests

SketchedOperation write(std::int64_t value, linchpin::Tick call = 0, linchpin::Tick response = 0) {
  return {.method = CasRegister::kWrite,
          .arguments = {Value::integer(value)},
          .result = Value::none(),
          .call = call,
          .response = response};
}
SketchedOperation read(std::int64_t value, linchpin::Tick call = 0, linchpin::Tick response = 0) {
  return {.method = CasRegister::kRead,
          .arguments = {},
          .result = Value::integer(value),
          .call = call,
          .response = response};
}
SketchedOperation cas(std::int64_t from, std::int64_t to, bool success = true, linchpin::Tick call = 0,
                      linchpin::Tick response = 0) {
  return {.method = CasRegister::kCas,
          .arguments = {Value::integer(from), Value::integer(to)},
          .result = Value::boolean(success),
          .call = call,
          .response = response};
}

linchpin::core::Outcome decided(const Sketch& sketch) {
  const Built built = build(specification_of("cas-register initial=0"), sketch);
  EXPECT_TRUE(linchpin::types::cas_register::applicable(built.part).applies);
  linchpin::core::Budget budget{linchpin::Limits{}};
  return linchpin::types::cas_register::decide(built.part, {.witness = true}, budget);
}

/// Values are produced once, 0 is the initial one; a cas expects any value.
std::function<Drafter(Random&)> drafts(bool failures) {
  return [failures](Random& random) -> Drafter {
    return [next = std::int64_t{1}, most = 2 + static_cast<std::int64_t>(below(random, 6)),
            repeats = below(random, 8) == 0, failures](Random& generator) mutable {
      const auto any = [&] {
        return Value::integer(static_cast<std::int64_t>(below(generator, static_cast<std::size_t>(next) + 1)));
      };
      const std::size_t what = below(generator, 6);
      if (next <= most && what < 4) {
        const Value fresh = Value::integer(repeats && below(generator, 10) == 0 ? 1 : next);
        if (what == 0) {
          ++next;
          return Draft{CasRegister::kWrite, {fresh}, {Value::none()}};
        }
        const Value from = below(generator, 2) == 0 ? Value::integer(next - 1) : any();
        ++next;
        if (what == 3 && failures) {
          std::vector<Value> results;
          for (std::int64_t value = 0; value <= most; ++value) results.push_back(Value::integer(value));
          return Draft{CasRegister::kCompareExchange, {from, fresh}, results};
        }
        std::vector<Value> results{Value::boolean(true)};
        if (failures) results.push_back(Value::boolean(false));
        return Draft{CasRegister::kCas, {from, fresh}, results};
      }
      if (failures && what == 4) {
        const Value same = any();
        return Draft{CasRegister::kCas, {same, same}, {Value::boolean(true), Value::boolean(false)}};
      }
      std::vector<Value> results;
      for (std::int64_t value = 0; value <= most; ++value) results.push_back(Value::integer(value));
      return Draft{CasRegister::kRead, {}, results};
    };
  };
}

const std::vector<Value> kResults{Value::integer(0), Value::integer(1), Value::integer(2), Value::integer(3)};

}  // namespace

// Comparing neighbouring values of a chain only would accept this.
TEST(CasRegisterMonitor, ComparesAllPositionsOfAChain) {
  const auto outcome = decided({write(1, 7, 10), cas(1, 2, true, 5, 8), cas(2, 3, true, 4, 9), cas(3, 4, true, 3, 6)});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.sentence, "cas(3, 4) -> true returned before write(1) was called, and can only come after it");
}

TEST(CasRegisterMonitor, RejectsTwoMovesFromOneValue) {
  EXPECT_EQ(decided({write(1, 1, 2), cas(1, 2, true, 3, 6), cas(1, 3, true, 4, 5)}).verdict, Verdict::violation);
}

TEST(CasRegisterMonitor, RejectsACycleOfMoves) {
  EXPECT_EQ(decided({cas(1, 2, true, 1, 5), cas(2, 1, true, 2, 6)}).verdict, Verdict::violation);
}

TEST(CasRegisterMonitor, KeepsAPendingMoveWhoseValueWasRead) {
  SketchedOperation pending = cas(0, 1);
  pending.call = 1;
  pending.response = linchpin::kPending;
  pending.result = Value::unknown();
  EXPECT_EQ(decided({pending, read(1, 3, 4)}).verdict, Verdict::linearizable);
  EXPECT_EQ(decided({pending, read(1, 3, 4), read(0, 5, 6)}).verdict, Verdict::violation);
}

TEST(CasRegisterMonitor, FitsFailedMovesIntoTheOrder) {
  EXPECT_EQ(decided({write(1, 1, 2), cas(0, 5, false, 3, 4), read(1, 5, 6)}).verdict, Verdict::linearizable);
  EXPECT_EQ(decided({write(1, 1, 2), cas(1, 5, false, 3, 8), write(2, 4, 7)}).verdict, Verdict::linearizable);
}

TEST(CasRegisterMonitor, RejectsAFailureThatFoundWhatItExpected) {
  const auto outcome = decided({write(1, 1, 2), cas(1, 5, false, 3, 4), read(1, 6, 7)});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.sentence,
            "cas(1, 5) -> false found another value than 1, but 1 was there during the whole call: it was before, no "
            "write can take effect in it, and read() -> 1 was still to come");
}

// Two writes in either order, and then failures that see the same value.
TEST(CasRegisterMonitor, OrdersABlockOfWritesSoThatFailuresFit) {
  const Sketch writes{write(1, 1, 5), write(2, 2, 6)};
  const auto with = [&](std::initializer_list<SketchedOperation> failures) {
    Sketch sketch = writes;
    sketch.insert(sketch.end(), failures);
    return decided(sketch);
  };
  EXPECT_EQ(with({cas(1, 9, false, 7, 8)}).verdict, Verdict::linearizable);
  EXPECT_EQ(with({cas(2, 9, false, 7, 8)}).verdict, Verdict::linearizable);
  const auto outcome = with({cas(1, 9, false, 7, 8), cas(2, 9, false, 9, 10)});
  EXPECT_EQ(outcome.verdict, Verdict::violation);
  EXPECT_EQ(outcome.sentence,
            "no write can take effect during any of cas(1, 9) -> false, cas(2, 9) -> false: all saw the value that "
            "came last in the "
            "block [1, 2], whose order is free, and each value of the block is excluded by one of them");
  EXPECT_EQ(outcome.core.size(), 4U);
}

TEST(CasRegisterMonitor, LeavesFailuresThatOverlapWritesToTheSearchWhereTheyFitIntoNoOrderFound) {
  EXPECT_EQ(decided({write(1, 1, 2), write(2, 3, 8), cas(1, 9, false, 4, 5), cas(2, 9, false, 6, 7)}).verdict,
            Verdict::unknown);
  // A pending write may explain a failure: nothing is refuted.
  SketchedOperation pending = write(2, 3, linchpin::kPending);
  pending.result = Value::unknown();
  const auto outcome = decided({write(1, 1, 2), pending, cas(1, 9, false, 4, 5)});
  EXPECT_EQ(outcome.verdict, Verdict::unknown);
  EXPECT_EQ(outcome.reason, linchpin::Reason::not_applicable);
  EXPECT_EQ(outcome.sentence, "cas(1, 9) -> false overlaps a write, and may have failed for it");
}

TEST(CasRegisterMonitor, NamesTheBlocksOfValuesThatStayTogether) {
  EXPECT_EQ(decided({write(1, 1, 2), cas(1, 2, true, 3, 4), write(5, 5, 6), read(2, 7, 8), read(5, 9, 10)}).sentence,
            "1 -> 2 must come before 5, because write(1) returned before read() -> 5 was called; and 5 before 1 -> 2, "
            "because write(5) returned before read() -> 2 was called");
  // The read did not see the initial value.
  EXPECT_EQ(decided({cas(0, 1, true, 1, 2), write(5, 3, 4), read(1, 5, 6)}).sentence,
            "0 -> 1 begins with the initial value, so that 5 cannot come before it; but write(5) had returned before "
            "read() -> 1 was called");
  EXPECT_EQ(decided({write(5, 1, 2), read(0, 3, 4)}).sentence,
            "read() -> 0 saw the initial value 0, but write(5) had returned before it was called");
}

TEST(CasRegisterMonitor, AgreesWithTheOracleOnAllSmallHistories) {
  CrossCheck cross(linchpin::types::cas_register::kMonitor, specification_of("cas-register initial=0"));
  const Sketch labels{write(1), write(2), read(0), read(1), read(2), cas(0, 1), cas(1, 2), cas(2, 3), cas(1, 5, false)};
  cross.exhaustive(labels, 3, true);
  if (thorough()) cross.exhaustive(labels, 4, true);
  EXPECT_GT(cross.linearizable, 100U);
  EXPECT_GT(cross.violations, 500U);
}

TEST(CasRegisterMonitor, AgreesWithTheOracleOnRandomHistories) {
  CrossCheck cross(linchpin::types::cas_register::kMonitor, specification_of("cas-register initial=0"));
  cross.random(drafts(false), kResults, 12, 60'000);
  EXPECT_GT(cross.linearizable, cross.histories / 5);
  EXPECT_GT(cross.violations, cross.histories / 10);
  EXPECT_EQ(cross.undecided, 0U);
}

TEST(CasRegisterMonitor, AgreesWithTheOracleWhereMovesFail) {
  for (const char* const type :
       {"cas-register initial=0", "cas-register initial=undefined", "cas-register initial=0 failed-cas=drop"}) {
    const auto specification = specification_of(type);
    CrossCheck cross(linchpin::types::cas_register::kMonitor, specification);
    cross.random(drafts(true), kResults, 12, 40'000);
    EXPECT_GT(cross.linearizable, cross.histories / 10);
    EXPECT_GT(cross.violations, cross.histories / 20);
  }
}

}  // namespace cas_register_monitor_test
