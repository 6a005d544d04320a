#include "types/deque/work_stealing.hpp"

#include <gtest/gtest.h>

#include "support/cross_check.hpp"
#include "types/deque/monitor.hpp"
#include "types/deque/pair_search.hpp"
#include "types/deque/specification.hpp"
#include "types/sequential.hpp"

namespace linchpin::types {
namespace {

using namespace test;  // NOLINT: the vocabulary of these tests
using deque::kWorkStealing;

constexpr const char* kType = "deque work-stealing=yes";

TEST(WorkStealing, AThiefMayGiveUp) {
  EXPECT_TRUE(
      legal(kType, {"push_back 1", "pop_front -> false", "pop_front -> 1", "steal -> false", "pop_top -> nil"}));
  EXPECT_FALSE(legal(kType, {"push_back 1", "pop_back -> false"}));
  EXPECT_FALSE(legal("deque", {"push_back 1", "pop_front -> false"}));
}

TEST(WorkStealing, ALostResultOfAStealLeavesOpenWhetherItTookAValue) {
  EXPECT_TRUE(legal(kType, {"push_bottom 1", "pop_front -> ?", "pop_bottom -> 1"}));
  EXPECT_TRUE(legal(kType, {"push_back 1", "pop_front -> ?", "pop_back -> nil"}));
  EXPECT_FALSE(legal(kType, {"push_back 1", "push_back 2", "pop_front -> ?", "pop_back -> 1"}));
  EXPECT_FALSE(legal("deque", {"push_back 1", "pop_front -> ?", "pop_back -> 1"}));
}

TEST(WorkStealing, RefusesWhatWouldHaveTwoMeanings) {
  EXPECT_EQ(refusal(kType, "push_back false"),
            "false cannot be pushed with work-stealing=yes: pop_front returns it when it gave up");
  EXPECT_EQ(refusal("deque", "push_back false"), "");
}

/// What one history has: an owner, whose operations follow each other, and thieves.
struct Shape {
  std::size_t most = 12, span = 20;
  bool empties = true, lost = true, wild = true;
};

/// Draws calls and moments, runs them, and changes some of what came out.
Sketch draw(Random& random, Shape shape) {
  struct Drawn {
    SketchedOperation operation;
    bool owner = false;
    Tick moment = 0;
  };
  std::vector<Drawn> drawn(3 + below(random, shape.most - 2));
  Tick owner_at = 0;
  for (Drawn& each : drawn) {
    each.owner = below(random, 20) < 11;
    const auto length = static_cast<Tick>(1 + below(random, each.owner ? 4 : shape.span));
    const Tick call =
        each.owner ? owner_at + 1 + static_cast<Tick>(below(random, 2)) : static_cast<Tick>(below(random, shape.span));
    each.operation.call = call;
    each.operation.response = call + length;
    each.moment = call + static_cast<Tick>(below(random, static_cast<std::size_t>(length) + 1));
    if (each.owner) owner_at = call + length;
  }
  std::stable_sort(drawn.begin(), drawn.end(), [](const Drawn& a, const Drawn& b) { return a.moment < b.moment; });
  std::vector<Value> inside;
  std::int64_t fresh = 1;
  const std::size_t grows = 4 + below(random, 5);
  const bool wild = shape.wild && below(random, 3) != 0;
  for (Drawn& each : drawn) {
    SketchedOperation& operation = each.operation;
    operation.result = Value::none();
    if (each.owner && below(random, 10) < grows) {
      operation.method = Deque::kPushBack;
      operation.arguments = {Value::integer(fresh++)};
      inside.push_back(operation.arguments[0]);
      continue;
    }
    operation.method = each.owner ? Deque::kPopBack : Deque::kPopFront;
    if (!each.owner && below(random, 8) == 0) {
      operation.result = Value::boolean(false);
    } else if (inside.empty()) {
      operation.result = Value::nil();
      if (below(random, 4) == 0) operation.method = each.owner ? Deque::kPeekBack : Deque::kPeekFront;
    } else if (each.owner) {
      operation.result = inside.back();
      inside.pop_back();
    } else {
      operation.result = inside.front();
      inside.erase(inside.begin());
      if (shape.lost && below(random, 5) == 0) {
        operation.result = Value::unknown();
        operation.response = kPending;
      }
    }
    if (!wild || below(random, 100) >= 40) continue;
    switch (below(random, 4)) {
      case 0: operation.result = Value::integer(1 + static_cast<std::int64_t>(below(random, 5))); break;
      case 1:
        if (!each.owner && operation.response != kPending) operation.call += static_cast<Tick>(below(random, 5));
        operation.response = std::max(operation.response, operation.call);
        break;
      case 2:
        if (!each.owner && operation.response != kPending) {
          operation.response = std::max(operation.call, operation.response - static_cast<Tick>(below(random, 6)));
        }
        break;
      default:
        if (shape.empties) operation.result = Value::nil();
        break;
    }
  }
  Sketch sketch;
  for (Drawn& each : drawn) sketch.push_back(std::move(each.operation));
  if (below(random, 2) == 0) {  // the results of two pops exchanged
    SketchedOperation& a = sketch[below(random, sketch.size())];
    SketchedOperation& b = sketch[below(random, sketch.size())];
    if (a.arguments.empty() && b.arguments.empty() && !a.result.is_unknown() && !b.result.is_unknown()) {
      std::swap(a.result, b.result);
    }
  }
  return sketch;
}

void compare(const core::Decider& decider, std::size_t seed, Shape shape, bool always_decides) {
  CrossCheck check(decider, specification_of(kType));
  check.sentences = always_decides;
  Random random(environment_number("LINCHPIN_CROSS_SEED", seed));
  const std::size_t count = random_histories(20'000);
  for (std::size_t i = 0; i < count && check.good(); ++i) {
    const Sketch sketch = draw(random, shape);
    if (valid(sketch)) check.check(sketch);
  }
  EXPECT_TRUE(!always_decides || check.undecided <= check.histories / 100);  // looks at what pending pops took
  EXPECT_GT(check.linearizable, check.histories / 5);
  EXPECT_GT(check.violations, check.histories / 50);
}

TEST(WorkStealing, AgreesWithTheOracle) { compare(kWorkStealing, 1, {}, true); }
TEST(WorkStealing, AgreesWithTheOracleWithoutPendingSteals) { compare(kWorkStealing, 2, {.lost = false}, true); }
TEST(WorkStealing, AgreesWithTheOracleOnPendingStealsOnly) { compare(kWorkStealing, 3, {.empties = false}, true); }
TEST(WorkStealing, TheDequeMonitorAgreesWithTheOracle) { compare(deque::kMonitor, 4, {}, true); }
TEST(WorkStealing, PairsAgreeWithTheOracle) { compare(deque::kPairs, 5, {}, false); }

}  // namespace
}  // namespace linchpin::types
