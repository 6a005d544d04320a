// The monitors lifted to values that repeat, against the oracle: verdicts, witnesses and cores.
#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "support/thoroughness.hpp"
#include "types/bag/lift.hpp"
#include "types/bag/specification.hpp"
#include "types/deque/lift.hpp"
#include "types/deque/specification.hpp"
#include "types/priority_queue/lift.hpp"
#include "types/priority_queue/specification.hpp"
#include "types/queue/lift.hpp"
#include "types/queue/specification.hpp"
#include "types/register/lift.hpp"
#include "types/register/specification.hpp"
#include "types/stack/lift.hpp"
#include "types/stack/specification.hpp"

namespace linchpin {
namespace {

using test::below;
using test::CrossCheck;
using test::Draft;
using test::Random;
using test::Sketch;

struct Lifted {
  const core::Decider* decider;
  const char* type;
  std::function<Draft(Random&, std::size_t values)> draft;
  Sketch labels;  // for all small histories
  bool empties;   // whether something may find nothing
  std::vector<std::uint16_t> removals = {1};
};

Value integer(std::size_t number) { return Value::integer(static_cast<std::int64_t>(number)); }

/// Values 0 .. values - 1: zero is what a count returns, too.
std::vector<Value> results(std::size_t values) {
  std::vector<Value> all = {Value::nil(), Value::boolean(true), Value::boolean(false)};
  for (std::size_t v = 0; v < values; ++v) all.push_back(integer(v));
  return all;
}

/// Methods of a stack, a queue or a priority queue: they are numbered alike.
template <class T>
Lifted container(const core::Decider& decider, const char* type, std::uint16_t add, std::uint16_t remove,
                 std::uint16_t look) {
  const auto operation = [](std::uint16_t method, std::vector<Value> arguments, Value result) {
    return test::SketchedOperation{.method = method, .arguments = std::move(arguments), .result = result};
  };
  return {.decider = &decider,
          .type = type,
          .draft =
              [=](Random& random, std::size_t values) {
                const std::size_t kind = below(random, 20);
                if (kind < 9) return Draft{add, {integer(below(random, values))}, {Value::none()}};
                if (kind < 16) return Draft{remove, {}, results(values)};
                if (kind < 18) return Draft{look, {}, results(values)};
                if (kind == 18) return Draft{T::kSize, {}, {Value::integer(0)}};
                return Draft{T::kIsEmpty, {}, {Value::boolean(true)}};
              },
          .labels = {operation(add, {integer(1)}, Value::none()), operation(add, {integer(2)}, Value::none()),
                     operation(remove, {}, integer(1)), operation(remove, {}, integer(2)),
                     operation(remove, {}, Value::nil()), operation(remove, {}, Value::unknown()),
                     operation(look, {}, integer(1))},
          .empties = true};
}

/// The same, looking at two choices at first: small histories, too, have several windows.
constexpr std::uint32_t kSmallWindow = 2;
constexpr core::Decider kStackByTwo =
    core::LiftDecider<types::read_stack, types::kStackMonitor, kSmallWindow>::named("stack-lift", "stack");
constexpr core::Decider kQueueByTwo =
    core::LiftDecider<types::queue::read_lift, types::queue::kMonitor, kSmallWindow>::named("queue-lift", "queue");
constexpr core::Decider kPriorityQueueByTwo =
    core::LiftDecider<types::read_priority_queue, types::kPriorityQueueMonitor, kSmallWindow>::named(
        "priority-queue-lift", "priority-queue");
constexpr core::Decider kBagByTwo =
    core::LiftDecider<types::bag::read_lift, types::bag::kMonitor, kSmallWindow>::named("bag-lift", "bag");
constexpr core::Decider kRegisterByTwo =
    core::LiftDecider<types::register_::read_lift, types::register_::kMonitor, kSmallWindow>::named("register-lift",
                                                                                                    "register");
constexpr core::Decider kDequeByTwo =
    core::LiftDecider<types::deque::read_lift, types::deque::kPairs, kSmallWindow>::named("deque-lift", "deque");

Lifted by_two(Lifted lifted, const core::Decider& decider) {
  lifted.decider = &decider;
  return lifted;
}

Lifted stack() {
  return container<types::Stack>(types::kStackLift, "stack", types::Stack::kPush, types::Stack::kPop,
                                 types::Stack::kPeek);
}
Lifted queue() {
  return container<types::Queue>(types::queue::kLift, "queue", types::Queue::kEnqueue, types::Queue::kDequeue,
                                 types::Queue::kPeek);
}
Lifted priority_queue(const char* type) {
  Lifted lifted = container<types::PriorityQueue>(types::kPriorityQueueLift, type, types::PriorityQueue::kInsert,
                                                  types::PriorityQueue::kPoll, types::PriorityQueue::kPeek);
  lifted.draft = [plain = lifted.draft](Random& random, std::size_t values) {
    Draft draft = plain(random, values);
    if (!draft.arguments.empty() && below(random, 3) == 0) draft.arguments.push_back(integer(below(random, 3)));
    return draft;
  };
  return lifted;
}
Lifted deque() {
  using types::Deque;
  const auto operation = [](std::uint16_t method, std::vector<Value> arguments, Value result) {
    return test::SketchedOperation{.method = method, .arguments = std::move(arguments), .result = result};
  };
  return {
      .decider = &types::deque::kLift,
      .type = "deque",
      .draft =
          [](Random& random, std::size_t values) {
            const auto back = static_cast<std::uint16_t>(below(random, 2));
            const std::size_t kind = below(random, 20);
            const auto method = [&](std::uint16_t at_front) { return static_cast<std::uint16_t>(at_front + back); };
            if (kind < 9) return Draft{method(Deque::kPushFront), {integer(below(random, values))}, {Value::none()}};
            if (kind < 16) return Draft{method(Deque::kPopFront), {}, results(values)};
            if (kind < 18) return Draft{method(Deque::kPeekFront), {}, results(values)};
            if (kind == 18) return Draft{Deque::kSize, {}, {Value::integer(0)}};
            return Draft{Deque::kIsEmpty, {}, {Value::boolean(true)}};
          },
      .labels = {operation(Deque::kPushFront, {integer(1)}, Value::none()),
                 operation(Deque::kPushBack, {integer(1)}, Value::none()),
                 operation(Deque::kPushBack, {integer(2)}, Value::none()), operation(Deque::kPopFront, {}, integer(1)),
                 operation(Deque::kPopBack, {}, integer(2)), operation(Deque::kPopFront, {}, Value::nil()),
                 operation(Deque::kPopBack, {}, Value::unknown()), operation(Deque::kPeekBack, {}, integer(1))},
      .empties = true,
      .removals = {Deque::kPopFront, Deque::kPopBack}};
}
Lifted bag() {
  using types::Bag;
  Lifted lifted = container<Bag>(types::bag::kLift, "bag", Bag::kAdd, Bag::kTake, Bag::kContains);
  lifted.draft = [](Random& random, std::size_t values) {
    const std::vector<Value> value = {integer(below(random, values))};
    const std::vector<Value> answers = {Value::boolean(true), Value::boolean(false)};
    switch (below(random, 12)) {
      case 0: return Draft{Bag::kRemove, value, answers};
      case 1: return Draft{Bag::kContains, value, answers};
      case 2: return Draft{Bag::kIsEmpty, {}, {Value::boolean(true)}};
      case 3: return Draft{Bag::kSize, {}, {Value::integer(0)}};
      case 4:
      case 5:
      case 6: return Draft{Bag::kTake, {}, results(values)};
      default: return Draft{Bag::kAdd, value, {Value::none()}};
    }
  };
  for (test::SketchedOperation& label : lifted.labels) {
    if (label.method == Bag::kContains) {
      label.arguments = {label.result};
      label.result = Value::boolean(true);
    }
  }
  return lifted;
}
Lifted a_register(const char* type) {
  using types::Register;
  const auto write = [](int value) {
    return test::SketchedOperation{
        .method = Register::kWrite, .arguments = {Value::integer(value)}, .result = Value::none()};
  };
  const auto read = [](Value value) {
    return test::SketchedOperation{.method = Register::kRead, .arguments = {}, .result = value};
  };
  return {.decider = &types::register_::kLift,
          .type = type,
          .draft =
              [](Random& random, std::size_t values) {
                const bool nil = below(random, 8) == 0;
                const std::vector<Value> value = {nil ? Value::nil() : integer(below(random, values))};
                return below(random, 2) == 0 ? Draft{Register::kWrite, value, {Value::none()}}
                                             : Draft{Register::kRead, {}, results(values)};
              },
          .labels = {write(1), write(2), read(Value::integer(1)), read(Value::integer(2)), read(Value::nil())},
          .empties = false};
}

/// Some results lost, some pending operations with a result, neighbouring events at one tick.
void disturb(Random& random, Sketch& sketch, const std::vector<Value>& results,
             const std::vector<std::uint16_t>& removals) {
  const bool lose = below(random, 4) == 0, tie = below(random, 3) == 0;
  for (test::SketchedOperation& operation : sketch) {
    const bool removal =
        operation.arguments.empty() && std::find(removals.begin(), removals.end(), operation.method) != removals.end();
    if (operation.response == kPending && below(random, 4) == 0 && operation.arguments.empty()) {
      operation.result = results[below(random, results.size())];
    }
    if (lose && removal && below(random, 4) == 0) operation.result = Value::unknown();
    if (!operation.arguments.empty() && operation.result.is_none() && below(random, 8) == 0) {
      operation.result = below(random, 2) == 0 ? operation.arguments[0] : Value::nil();
    }
    if (!tie) continue;
    operation.call /= 2;
    if (operation.response != kPending) operation.response /= 2;
  }
}

void check_random(const Lifted& lifted, std::size_t default_count) {
  const auto specification = test::specification_of(lifted.type);
  CrossCheck cross(*lifted.decider, specification);
  const std::size_t count = test::random_histories(default_count);
  Random random(test::environment_number("LINCHPIN_CROSS_SEED", 41));
  const auto states = specification->make_states();
  for (std::size_t i = 0; i < count && cross.good(); ++i) {
    if (states->bound() > 100'000) states->retain({});
    const std::size_t values = 1 + below(random, 4);
    Sketch sketch = test::random_sketch(random, *states, [&](Random& r) { return lifted.draft(r, values); },
                                        {.operations = 1 + below(random, 12),
                                         .most_open = 1 + below(random, 5),
                                         .pending = std::array{0.0, 0.0, 0.1, 0.3}[below(random, 4)],
                                         .by_simulation = below(random, 8) != 0});
    if (below(random, 2) == 0) test::mutate(random, sketch, results(values));
    if (!test::valid(sketch)) continue;
    disturb(random, sketch, results(values), lifted.removals);
    cross.check(sketch);
  }
  EXPECT_EQ(cross.undecided, 0U) << lifted.type;
  EXPECT_LT(cross.refused, cross.histories / 2) << lifted.type;
  EXPECT_GT(cross.linearizable, cross.histories / 20) << lifted.type;
  EXPECT_GT(cross.violations, cross.histories / 20) << lifted.type;
}

void check_small(const Lifted& lifted) {
  CrossCheck cross(*lifted.decider, test::specification_of(lifted.type));
  cross.exhaustive(lifted.labels, 2, true);
  if (!test::few()) cross.exhaustive(lifted.labels, 3, true);
  if (test::thorough()) cross.exhaustive(lifted.labels, 4, true);
  EXPECT_EQ(cross.undecided, 0U) << lifted.type;
  EXPECT_GT(cross.linearizable, test::few() ? 10U : 1000U) << lifted.type;
  EXPECT_GT(cross.violations, test::few() ? 5U : 500U) << lifted.type;
}

TEST(Lifts, AgreeWithTheOracleOnAllSmallHistories) {
  for (const Lifted& lifted :
       {stack(), queue(), priority_queue("priority-queue"), priority_queue("priority-queue ties=fifo"), bag(),
        a_register("register"), a_register("register initial=1"), deque()}) {
    check_small(lifted);
  }
}

TEST(Lifts, StacksAgreeWithTheOracleOnRandomHistories) {
  check_random(stack(), 10'000);
  check_random(by_two(stack(), kStackByTwo), 10'000);
}
TEST(Lifts, QueuesAgreeWithTheOracleOnRandomHistories) {
  check_random(queue(), 10'000);
  check_random(by_two(queue(), kQueueByTwo), 10'000);
}
TEST(Lifts, PriorityQueuesAgreeWithTheOracleOnRandomHistories) {
  for (const char* const type : {"priority-queue", "priority-queue order=largest", "priority-queue ties=fifo",
                                 "priority-queue order=0<1,0<2,1<3"}) {
    check_random(priority_queue(type), 5'000);
    check_random(by_two(priority_queue(type), kPriorityQueueByTwo), 5'000);
  }
}
// The search for unique values may not know in larger ones; in histories as small as these it always does.
TEST(Lifts, DequesAgreeWithTheOracleOnRandomHistories) {
  check_random(deque(), 10'000);
  check_random(by_two(deque(), kDequeByTwo), 10'000);
}
TEST(Lifts, BagsAgreeWithTheOracleOnRandomHistories) {
  check_random(bag(), 10'000);
  check_random(by_two(bag(), kBagByTwo), 10'000);
}
TEST(Lifts, RegistersAgreeWithTheOracleOnRandomHistories) {
  for (const char* const type : {"register", "register initial=1", "register initial=undefined"}) {
    check_random(a_register(type), 5'000);
    check_random(by_two(a_register(type), kRegisterByTwo), 5'000);
  }
}

/// Where some of a value must be left, counting refutes at once, and its core is the latest group that shows it.
TEST(Lifts, CountWhatIsLeftWhereNothingWasFound) {
  for (const Lifted& lifted : {stack(), queue(), priority_queue("priority-queue"), bag(), deque()}) {
    const auto specification = test::specification_of(lifted.type);
    const test::SketchedOperation add = lifted.labels.front();
    const auto removal = std::ranges::find_if(lifted.labels, [&](const test::SketchedOperation& label) {
      return label.arguments.empty() && label.result == add.arguments[0];
    });
    ASSERT_NE(removal, lifted.labels.end()) << lifted.type;
    Sketch sketch;
    const auto append = [&](test::SketchedOperation operation, Tick call, Tick response) {
      operation.call = call;
      operation.response = response;
      sketch.push_back(std::move(operation));
    };
    // All of fifty rounds overlap their neighbours: any of the removals may be about any addition near it.
    for (Tick round = 0; round < 50; ++round) {
      append(add, 10 * round, 10 * round + 25);
      append(*removal, 10 * round + 1, 10 * round + 26);
    }
    append(add, 900, 910);
    append(*removal, 901, 911);
    append(add, 902, 912);
    append({.method = removal->method, .result = Value::nil()}, 920, 930);
    const test::Built built = test::build(specification, sketch);
    core::Budget budget{Limits{}};
    const core::Outcome outcome = lifted.decider->decide(built.part, {}, budget);
    ASSERT_EQ(outcome.verdict, Verdict::violation) << lifted.type;
    EXPECT_NE(outcome.sentence.find("more often than it can have been"), std::string::npos) << outcome.sentence;
    EXPECT_EQ(outcome.core.size(), 4U) << lifted.type;
  }
}

}  // namespace
}  // namespace linchpin
