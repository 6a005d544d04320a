// Queues with a capacity, and queues whose size is told.
#include <array>
#include <cstdint>

#include <gtest/gtest.h>

#include "decide/search/search_task.hpp"
#include "support/search_check.hpp"
#include "types/queue/counting.hpp"
#include "types/queue/foreseen_sets.hpp"
#include "types/queue/repeated_counting.hpp"
#include "types/queue/specification.hpp"

namespace linchpin {
namespace {

using test::below;
using test::Draft;
using test::Random;
using types::Queue;
using types::queue::CountingMembers;

std::vector<Value> integers(std::int64_t from, std::int64_t to) {
  std::vector<Value> values;
  for (std::int64_t value = from; value <= to; ++value) values.push_back(Value::integer(value));
  return values;
}

/// Enqueues of new values, dequeues, and what tells the number of values.
test::Drafter counted_drafter(bool bounded, std::size_t looks, std::size_t counts, std::int64_t values = 8) {
  return [=, next = std::int64_t{1}](Random& random) mutable {
    const std::size_t kind = below(random, 6 + looks + counts);
    std::vector<Value> all = integers(1, 8);
    all.push_back(Value::nil());
    if (kind < 3) {
      std::vector<Value> results{Value::none()};
      if (bounded) results = {Value::boolean(true), Value::boolean(false)};
      if (next > values) next = 1;
      return Draft{Queue::kEnqueue, {Value::integer(next++)}, results};
    }
    if (kind < 6) return Draft{Queue::kDequeue, {}, all};
    if (kind < 6 + looks) return Draft{Queue::kPeek, {}, all};
    if (below(random, 3) == 0) return Draft{Queue::kIsEmpty, {}, {Value::boolean(true), Value::boolean(false)}};
    std::vector<Value> sizes = integers(0, 5);
    if (below(random, 10) == 0) sizes = {Value::unknown()};
    return Draft{Queue::kSize, {}, sizes};
  };
}

core::Outcome refuted_first(const history::Subhistory& part, core::Budget& budget) {
  core::Outcome outcome = types::queue::refute_by_counts(part, {}, budget);
  if (outcome.verdict != Verdict::unknown) return outcome;
  return types::queue::kCounting.decide(part, {.witness = true}, budget);
}

/// Late binding takes no looks at values, and no pending dequeues.
core::Applicability late_applicable(const history::Subhistory& part) {
  const core::Applicability refused{.applies = false, .why = ""};
  for (std::uint32_t i = 0; i < part.size(); ++i) {
    if (part.method[i] == Queue::kDequeue && part.pending(i) && !part.result(i).is_nil()) return refused;
    if (part.method[i] == Queue::kPeek && !part.pending(i) && !part.result(i).is_nil()) return refused;
  }
  return types::queue::counting_applicable(part);
}

void check_counted(const char* type, std::size_t looks, std::size_t counts, CountingMembers members) {
  SCOPED_TRACE(type);
  const bool bounded = std::string_view(type) != "queue";
  const bool late = members == CountingMembers::late || members == CountingMembers::late_quick;
  const bool proves = members != CountingMembers::late_quick && members < CountingMembers::order_of_all;
  test::SearchCheck check{
      .specification = test::specification_of(type),
      .applicable = late ? late_applicable : types::queue::counting_applicable,
      .decide =
          [=](const history::Subhistory& part, core::Budget& budget) {
            if (members == CountingMembers::all) return refuted_first(part, budget);
            core::Outcome outcome = types::queue::decide_counting(part, {.witness = true}, budget, members);
            if (proves || outcome.verdict != Verdict::unknown) return outcome;
            return types::queue::decide_counting(part, {.witness = true}, budget, CountingMembers::early_own);
          },
      .results = {Value::nil(), Value::integer(0), Value::integer(1), Value::integer(2), Value::integer(3)}};
  check.random(counted_drafter(bounded, looks, counts), 11, 1500);
  EXPECT_GT(check.applied, check.drawn / 8);
}

/// Values of other kinds, of which some say something where they are results; answers that nobody asked for.
test::Drafter odd_drafter(bool bounded, std::size_t values) {
  const std::vector<Value> kinds{Value::boolean(false), Value::boolean(true), Value::integer(0),
                                 test::sketch_pool().string("")};
  return [=](Random& random) {
    const std::size_t kind = below(random, 11);
    const Value value = kinds[below(random, values)];
    std::vector<Value> all(kinds.begin(), kinds.begin() + static_cast<std::ptrdiff_t>(values));
    all.push_back(Value::nil());
    if (below(random, 30) == 0) all = {Value::none(), Value::boolean(false), Value::integer(1)};
    if (kind < 4) {
      std::vector<Value> results{Value::none(), value};
      if (bounded) results = {Value::boolean(true), Value::boolean(false), Value::none(), Value::nil()};
      return Draft{Queue::kEnqueue, {value}, results};
    }
    if (kind < 7) return Draft{Queue::kDequeue, {}, all};
    if (kind < 8) return Draft{Queue::kPeek, {}, all};
    if (kind < 9) return Draft{Queue::kIsEmpty, {}, {Value::boolean(true), Value::boolean(false)}};
    std::vector<Value> sizes = integers(-1, 4);
    if (below(random, 20) == 0) sizes = {Value::nil(), test::sketch_pool().integer(INT64_MAX)};
    return Draft{Queue::kSize, {}, sizes};
  };
}

/// What it leaves open is left to a search of any type: how much that is, is told.
void check_repeated(const char* type, const test::Drafter& drafter) {
  SCOPED_TRACE(type);
  std::size_t decided = 0;
  test::SearchCheck check{
      .specification = test::specification_of(type),
      .applicable = types::queue::repeated_counting_applicable,
      .decide =
          [&](const history::Subhistory& part, core::Budget& budget) {
            core::Outcome outcome = types::queue::refute_by_counts(part, {}, budget);
            if (outcome.verdict == Verdict::unknown) {
              outcome = types::queue::kRepeatedCounting.decide(part, {.witness = true}, budget);
            }
            if (outcome.verdict == Verdict::unknown) {
              return decide::searches()[0].decide(part, {.witness = true}, budget);
            }
            ++decided;
            return outcome;
          },
      .results = {Value::nil(), Value::integer(0), Value::integer(1), Value::integer(2), Value::integer(3)}};
  check.random(drafter, 10, 1500);
  EXPECT_GT(check.applied, check.drawn / 8);
  EXPECT_GT(decided, check.applied - check.applied / 4);
}

/// It finds a witness wherever there is one; that there is none is left to a search of any type.
void check_foreseen(const char* type, const test::Drafter& drafter, std::size_t count) {
  SCOPED_TRACE(type);
  std::size_t missed = 0, found = 0;
  test::SearchCheck check{
      .specification = test::specification_of(type),
      .applicable = types::queue::repeated_counting_applicable,
      .decide =
          [&](const history::Subhistory& part, core::Budget& budget) {
            const auto search =
                types::queue::start_foreseen_sets(part, types::queue::read_counted(part), {.witness = true});
            search->run(UINT64_MAX / 2, budget);
            if (search->outcome().verdict != Verdict::unknown) {
              ++found;
              return search->outcome();
            }
            core::Outcome outcome = decide::searches()[0].decide(part, {.witness = true}, budget);
            missed += outcome.verdict == Verdict::linearizable ? 1 : 0;
            return outcome;
          },
      .results = {Value::nil(), Value::integer(0), Value::integer(1), Value::integer(2), Value::integer(3)}};
  check.random(drafter, 11, count);
  EXPECT_EQ(missed, 0U);
  EXPECT_GT(found, check.applied / 8);
}

constexpr std::array kTypes = {"queue", "queue capacity=1", "queue capacity=2", "queue capacity=3"};

}  // namespace

TEST(CountedQueue, AgreesWithTheOracle) {
  for (const char* const type : kTypes) {
    check_counted(type, 0, 4, CountingMembers::all);
    check_counted(type, 2, 4, CountingMembers::all);
  }
}

TEST(CountedQueue, AgreesWithTheOracleWhenValuesAreChosenAtOnce) {
  for (const char* const type : kTypes) {
    check_counted(type, 0, 4, CountingMembers::early_own);
    check_counted(type, 2, 4, CountingMembers::early_leaving);
  }
}

TEST(CountedQueue, AgreesWithTheOracleWhenValuesAreChosenAsTheyLeave) {
  for (const char* const type : kTypes) {
    check_counted(type, 0, 4, CountingMembers::late);
    check_counted(type, 0, 4, CountingMembers::late_quick);
  }
}

TEST(CountedQueue, AgreesWithTheOracleWhereValuesRepeat) {
  for (const char* const type : kTypes) {
    const bool bounded = std::string_view(type) != "queue";
    check_repeated(type, counted_drafter(bounded, 2, 4, 1));
    check_repeated(type, counted_drafter(bounded, 2, 4, 3));
    check_repeated(type, counted_drafter(bounded, 2, 4, 8));
  }
}

TEST(CountedQueue, FindsAWitnessWhereItForeseesWhatLeaves) {
  for (const char* const type : kTypes) {
    const bool bounded = std::string_view(type) != "queue";
    check_foreseen(type, counted_drafter(bounded, 2, 4, 1), 1000);
    check_foreseen(type, counted_drafter(bounded, 2, 2, 3), 1000);
    check_foreseen(type, counted_drafter(bounded, 2, 4, 8), 1000);
  }
}

TEST(CountedQueue, AgreesWithTheOracleOnValuesOfOtherKinds) {
  for (const char* const type : {"queue", "queue capacity=0", "queue capacity=1", "queue capacity=3"}) {
    const bool bounded = std::string_view(type) != "queue";
    for (const std::size_t values : {1U, 2U, 4U}) check_repeated(type, odd_drafter(bounded, values));
  }
}

TEST(CountedQueue, AgreesWithTheOracleWhereTheOrderIsMended) {
  for (const char* const type : kTypes) {
    check_counted(type, 2, 4, CountingMembers::order_of_all);
    check_counted(type, 2, 4, CountingMembers::order_of_removes);
  }
}

}  // namespace linchpin
