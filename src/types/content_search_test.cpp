// The search over contents against the oracle, for every type that has it.
#include "types/content_search.hpp"

#include <gtest/gtest.h>

#include "support/search_check.hpp"
#include "types/bag/contents.hpp"
#include "types/bag/specification.hpp"
#include "types/counter/contents.hpp"
#include "types/counter/specification.hpp"
#include "types/priority_queue/contents.hpp"
#include "types/priority_queue/specification.hpp"
#include "types/semaphore/contents.hpp"
#include "types/semaphore/specification.hpp"
#include "types/set/contents.hpp"
#include "types/set/specification.hpp"

namespace linchpin {
namespace {

using test::below;
using test::Draft;
using test::Drafter;
using test::Random;
using types::Bag;
using types::Counter;
using types::PriorityQueue;
using types::Semaphore;
using types::Set;

Value number(std::size_t value) { return Value::integer(static_cast<std::int64_t>(value)); }
const std::vector<Value> kYesNo = {Value::boolean(true), Value::boolean(false)};
const std::vector<Value> kNumbers = {number(0), number(1), number(2), number(3), Value::nil()};

void expect_agreement(const char* type, const core::Decider& decider, const Drafter& drafter,
                      const std::vector<Value>& results, std::size_t one_in) {
  test::SearchCheck check{
      .specification = test::specification_of(type),
      .applicable = decider.applicable,
      .decide = [&](const history::Subhistory& part,
                    core::Budget& budget) { return decider.decide(part, {.witness = true}, budget); },
      .results = results};
  check.random(drafter, 11, 8000);
  EXPECT_GT(check.applied, check.drawn / one_in) << type;
}

TEST(ContentSearch, AgreesWithTheOracleOnBags) {
  for (const bool sizes : {true, false}) {  // with takes of unknown result they are left to others
    const Drafter drafter = [sizes](Random& random) {
      const Value value = number(1 + below(random, sizes ? 2 : 3));
      switch (below(random, sizes ? 9 : 8)) {
        case 0:
        case 1:
        case 2: return Draft{Bag::kAdd, {value}, {Value::none()}};
        case 3:
        case 4: return Draft{Bag::kTake, {}, {value, Value::nil()}};
        case 5: return Draft{Bag::kRemove, {value}, kYesNo};
        case 6: return Draft{Bag::kContains, {value}, kYesNo};
        case 7: return Draft{Bag::kIsEmpty, {}, kYesNo};
        default: return Draft{Bag::kSize, {}, kNumbers};
      }
    };
    expect_agreement("bag", types::bag::kContents, drafter, kNumbers, 8);
  }
}

TEST(ContentSearch, AgreesWithTheOracleOnSets) {
  const Drafter drafter = [](Random& random) {
    const Value value = number(1 + below(random, 2));
    switch (below(random, 6)) {
      case 0:
      case 1: return Draft{Set::kAdd, {value}, kYesNo};
      case 2:
      case 3: return Draft{Set::kRemove, {value}, kYesNo};
      case 4: return Draft{Set::kContains, {value}, kYesNo};
      default: return Draft{Set::kSize, {}, kNumbers};
    }
  };
  expect_agreement("set", types::set::kContents, drafter, kYesNo, 8);
}

TEST(ContentSearch, AgreesWithTheOracleOnCounters) {
  const Drafter drafter = [](Random& random) {
    const Value amount = number(below(random, 3));
    switch (below(random, 5)) {
      case 0: return Draft{Counter::kAdd, {amount}, {Value::none()}};
      case 1: return Draft{Counter::kFetchAndSubtract, {amount}, kNumbers};
      case 2: return Draft{Counter::kAddAndGet, {amount}, kNumbers};
      case 3: return Draft{Counter::kDecrement, {}, {Value::none()}};
      default: return Draft{Counter::kRead, {}, kNumbers};
    }
  };
  expect_agreement("counter", types::counter::kContents, drafter, kNumbers, 2);
  expect_agreement("counter initial=2", types::counter::kContents, drafter, kNumbers, 2);
}

TEST(ContentSearch, AgreesWithTheOracleOnSemaphores) {
  const Drafter drafter = [](Random& random) {
    switch (below(random, 5)) {
      case 0:
      case 1: return Draft{Semaphore::kIncrement, {}, {Value::none()}};
      case 2:
      case 3: return Draft{Semaphore::kDecrement, {}, kYesNo};
      default: return Draft{Semaphore::kCount, {}, kNumbers};
    }
  };
  expect_agreement("semaphore", types::semaphore::kContents, drafter, kNumbers, 8);
  expect_agreement("semaphore initial=1", types::semaphore::kContents, drafter, kNumbers, 8);
}

TEST(ContentSearch, AgreesWithTheOracleOnPriorityQueues) {
  const auto drafter_of = [](std::size_t priorities, const std::vector<Value>& inserted = {Value::none()}) {
    return [priorities, inserted](Random& random) {
      const std::size_t value = 1 + below(random, 3);
      switch (below(random, 8)) {
        case 0:
        case 1:
        case 2: {
          const std::size_t priority = value % priorities;  // nil is one like any other
          return Draft{
              PriorityQueue::kInsert, {number(value), priority == 1 ? Value::nil() : number(priority)}, inserted};
        }
        case 3:
        case 4:
        case 5: return Draft{PriorityQueue::kPoll, {}, {number(value), Value::nil()}};
        case 6: return Draft{PriorityQueue::kPeek, {}, {number(value), Value::nil()}};
        default: return Draft{PriorityQueue::kSize, {}, kNumbers};
      }
    };
  };
  for (const char* const type : {"priority-queue", "priority-queue order=largest"}) {
    expect_agreement(type, types::priority_queue::kContents, drafter_of(4), kNumbers, 8);
    expect_agreement(type, types::priority_queue::kContents, drafter_of(2), kNumbers, 8);
  }
  for (const char* const type : {"priority-queue capacity=1", "priority-queue capacity=3 order=largest"}) {
    expect_agreement(type, types::priority_queue::kContents, drafter_of(4, kYesNo), kNumbers, 8);
  }
}

TEST(ContentSearch, AgreesWithTheOracleWherePollsAreLost) {
  for (const std::size_t priorities : {2, 3, 5}) {
    const Drafter drafter = [priorities](Random& random) {
      const std::size_t value = 1 + below(random, 4);
      switch (below(random, 9)) {
        case 0:
        case 1:
        case 2: {
          const std::size_t priority = value % priorities;
          return Draft{PriorityQueue::kInsert,
                       {number(value), priority == 1 ? Value::nil() : number(priority)},
                       {Value::none()}};
        }
        case 3:
        case 4:
        case 5:
        case 6: return Draft{PriorityQueue::kPoll, {}, {number(value), Value::nil()}};
        case 7: return Draft{PriorityQueue::kPeek, {}, {number(value), Value::nil()}};
        default: return Draft{PriorityQueue::kIsEmpty, {}, kYesNo};
      }
    };
    expect_agreement("priority-queue", types::priority_queue::kContents, drafter, kNumbers, 4);
  }
}

TEST(ContentSearch, FindsTheBestOfManyPriorities) {
  // More than 64 * 64 ranks: three levels of summaries.
  test::Sketch sketch;
  Tick tick = 0;
  for (std::size_t k = 0; k < 5000; ++k) {
    sketch.push_back({PriorityQueue::kInsert, {number(k * 7919 % 5000)}, Value::none(), tick, tick + 1});
    tick += 2;
  }
  for (std::size_t k = 0; k < 5000; ++k) {
    sketch.push_back({PriorityQueue::kPoll, {}, number(k), tick, tick + 1});
    tick += 2;
  }
  const auto verdict = [&] {
    const test::Built built = test::build(test::specification_of("priority-queue"), sketch);
    core::Budget budget{Limits{}};
    return types::priority_queue::kContents.decide(built.part, {.witness = true}, budget).verdict;
  };
  EXPECT_EQ(verdict(), Verdict::linearizable);
  std::swap(sketch[9000].result, sketch[9001].result);
  EXPECT_EQ(verdict(), Verdict::violation);
}

TEST(ContentSearch, LeavesToOthersWhatDependsOnTheOrder) {
  const auto applies = [](const char* type, const core::Decider& decider, const test::Sketch& sketch) {
    return decider.applicable(test::build(test::specification_of(type), sketch).part).applies;
  };
  EXPECT_FALSE(applies("bag", types::bag::kContents, {{Bag::kTake, {}, Value::unknown(), 1, 2}}));
  EXPECT_TRUE(applies("bag", types::bag::kContents, {{Bag::kTake, {}, Value::unknown(), 1}}));
  EXPECT_FALSE(applies("bag", types::bag::kContents,
                       {{Bag::kTake, {}, Value::unknown(), 1}, {Bag::kSize, {}, number(1), 2, 3}}));
  EXPECT_FALSE(applies("bag", types::bag::kContents, {{Bag::kClear, {}, Value::none(), 1, 2}}));
  EXPECT_FALSE(applies("set", types::set::kContents, {{Set::kAdd, {number(1)}, Value::none(), 1, 2}}));
  EXPECT_FALSE(
      applies("semaphore", types::semaphore::kContents, {{Semaphore::kDecrement, {}, Value::unknown(), 1, 2}}));
  EXPECT_FALSE(applies("priority-queue ties=fifo", types::priority_queue::kContents,
                       {{PriorityQueue::kPoll, {}, Value::nil(), 1, 2}}));
  EXPECT_FALSE(applies("queue", types::bag::kContents, {{0, {number(1)}, Value::none(), 1, 2}}));
}

}  // namespace
}  // namespace linchpin
