// The searches that give open operations slots, with more than 64 open at once: against the oracle on small histories
// beside which seventy operations are open that cannot matter.
#include <gtest/gtest.h>

#include "support/search_check.hpp"
#include "types/bag/contents.hpp"
#include "types/bag/specification.hpp"
#include "types/counter/contents.hpp"
#include "types/counter/specification.hpp"
#include "types/deque/set_search.hpp"
#include "types/deque/specification.hpp"
#include "types/priority_queue/contents.hpp"
#include "types/priority_queue/specification.hpp"
#include "types/queue/position_search.hpp"
#include "types/queue/specification.hpp"
#include "types/semaphore/contents.hpp"
#include "types/semaphore/dips.hpp"
#include "types/semaphore/specification.hpp"
#include "types/set/contents.hpp"
#include "types/set/specification.hpp"
#include "types/stack/set_search.hpp"
#include "types/stack/specification.hpp"

namespace linchpin::many_open_test {
namespace {

using test::below;
using test::Draft;
using test::Drafter;
using test::Random;
using namespace types;

constexpr std::size_t kMany = 70;

Value number(std::size_t value) { return Value::integer(static_cast<std::int64_t>(value)); }
const std::vector<Value> kYesNo = {Value::boolean(true), Value::boolean(false)};
const std::vector<Value> kNumbers = {number(0), number(1), number(2), number(3), Value::nil()};

/// A method that looks, and lost what it saw: it returns after all others.
test::SketchedOperation look(std::uint16_t method) {
  return {.method = method, .arguments = {}, .result = Value::unknown(), .call = 0, .response = 1};
}

void expect_agreement(const char* type, const core::Decider& decider, const test::SketchedOperation& beside,
                      const Drafter& drafter, const std::vector<Value>& results) {
  test::SearchCheck check{
      .specification = test::specification_of(type),
      .applicable = decider.applicable,
      .decide = [&](const history::Subhistory& part,
                    core::Budget& budget) { return decider.decide(part, {.witness = true}, budget); },
      .results = results,
      .beside = beside,
      .many = kMany};
  check.random(drafter, 9, 1500);
  EXPECT_GT(check.applied, check.drawn / 10) << decider.name;
}

TEST(ManyOpen, BagsAndSets) {
  const auto drafter_of = [](std::uint16_t add, std::uint16_t remove, std::uint16_t contains, std::uint16_t size,
                             const std::vector<Value>& added) -> Drafter {
    return [=](Random& random) {
      const Value value = number(1 + below(random, 2));
      switch (below(random, 7)) {
        case 0:
        case 1:
        case 2: return Draft{add, {value}, added};
        case 3:
        case 4: return Draft{remove, {value}, kYesNo};
        case 5: return Draft{contains, {value}, kYesNo};
        default: return Draft{size, {}, kNumbers};
      }
    };
  };
  expect_agreement("bag", bag::kContents, look(Bag::kSize),
                   drafter_of(Bag::kAdd, Bag::kRemove, Bag::kContains, Bag::kSize, {Value::none()}), kNumbers);
  expect_agreement("set", set::kContents, look(Set::kSize),
                   drafter_of(Set::kAdd, Set::kRemove, Set::kContains, Set::kSize, kYesNo), kYesNo);
}

TEST(ManyOpen, CountersAndSemaphores) {
  const Drafter counts = [](Random& random) {
    switch (below(random, 4)) {
      case 0: return Draft{Counter::kIncrement, {}, {Value::none()}};
      case 1: return Draft{Counter::kDecrement, {}, {Value::none()}};
      default: return Draft{Counter::kRead, {}, kNumbers};
    }
  };
  expect_agreement("counter", counter::kContents, look(Counter::kRead), counts, kNumbers);
  expect_agreement("counter", counter::kPaths, look(Counter::kRead), counts, kNumbers);
  const Drafter permits = [](Random& random) {
    switch (below(random, 4)) {
      case 0: return Draft{Semaphore::kIncrement, {}, {Value::none()}};
      case 1: return Draft{Semaphore::kDecrement, {}, kYesNo};
      case 2: return Draft{Semaphore::kDecrement, {}, {Value::none()}};
      default: return Draft{Semaphore::kCount, {}, {number(0)}};
    }
  };
  for (const core::Decider* const decider : {&semaphore::kContents, &semaphore::kPaths, &semaphore::kDips}) {
    expect_agreement("semaphore initial=1", *decider, look(Semaphore::kCount), permits, kNumbers);
  }
}

/// Of queues, stacks and priority queues, whose rows are add, remove, look.
Drafter container(std::size_t arguments) {
  return [arguments](Random& random) {
    const Value value = number(1 + below(random, 2));
    switch (below(random, 5)) {
      case 0:
      case 1: return Draft{0, arguments == 1 ? std::vector{value} : std::vector{value, value}, {Value::none()}};
      case 2:
      case 3: return Draft{1, {}, {value, Value::nil()}};
      default: return Draft{2, {}, {value, Value::nil()}};
    }
  };
}

TEST(ManyOpen, Deques) {
  const Drafter drafter = [](Random& random) {
    const Value value = number(1 + below(random, 2));
    const auto back = static_cast<std::uint16_t>(below(random, 2));
    switch (below(random, 5)) {
      case 0:
      case 1: return Draft{static_cast<std::uint16_t>(Deque::kPushFront + back), {value}, {Value::none()}};
      case 2:
      case 3: return Draft{static_cast<std::uint16_t>(Deque::kPopFront + back), {}, {value, Value::nil()}};
      default: return Draft{static_cast<std::uint16_t>(Deque::kPeekFront + back), {}, {value, Value::nil()}};
    }
  };
  expect_agreement("deque", deque::kSets, look(Deque::kSize), drafter, kNumbers);
}

TEST(ManyOpen, StacksQueuesAndPriorityQueues) {
  expect_agreement("stack", kStackSets, look(Stack::kSize), container(1), kNumbers);
  expect_agreement("priority-queue", priority_queue::kContents, look(PriorityQueue::kSize), container(2), kNumbers);
  // A look of a queue with its result lost is not for this search: enqueues that never return.
  const test::SketchedOperation enqueue{.method = Queue::kEnqueue, .arguments = {number(9)}, .result = Value::none()};
  expect_agreement("queue", queue::kPositionSearch, enqueue, container(1), kNumbers);
}

}  // namespace
}  // namespace linchpin::many_open_test
