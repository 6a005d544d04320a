#include "decide/framework/standardise.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/sketch.hpp"

namespace linchpin::decide::standardise_test {
namespace {

using namespace test;  // NOLINT: the vocabulary of these tests
using testing::HasSubstr;

/// A queue's operations; which value goes first does not matter here.
struct QueueActs {
  static Act act(const Operation& operation, bool /*pending*/) {
    if (operation.method == 0) return {ActKind::add, operation.argument(0)};
    if (operation.method > 2) return {};
    if (operation.result.is_nil()) return {ActKind::empty};
    return {operation.method == 1 ? ActKind::take : ActKind::look, operation.result};
  }
  static std::optional<std::uint32_t> linearizability_preserving_value(const ContainerHistory& /*history*/) {
    return std::nullopt;
  }
};

SketchedOperation enqueue(std::int64_t value, Tick call, Tick response) {
  return {.method = 0, .arguments = {Value::integer(value)}, .call = call, .response = response};
}
SketchedOperation dequeue(Value value, Tick call, Tick response) {
  return {.method = 1, .result = value, .call = call, .response = response};
}
SketchedOperation peek(std::int64_t value, Tick call, Tick response) {
  return {.method = 2, .result = Value::integer(value), .call = call, .response = response};
}
const Value kOne = Value::integer(1);

struct Standard {
  Built built;
  Binding binding;
  Standardised standardised;
};
Standard standard(const Sketch& sketch) {
  Standard made{.built = build(specification_of("queue"), sketch), .binding = {}, .standardised = {}};
  made.binding = bind(made.built.part, ContainerRulesOf(QueueActs{}));
  if (made.binding.obstacle.empty()) made.standardised = standardise(made.binding.history);
  return made;
}
std::pair<std::uint32_t, std::uint32_t> range(const ContainerOperation& operation) {
  return {operation.moments.first, operation.moments.last};
}

// Ticks are ranks in these histories, so that moment g is the one after tick g.

TEST(Standardise, EndsAnAddBeforeTheFirstReturnAndBeginsARemoveAfterTheLastCall) {
  const Standard made = standard({enqueue(1, 0, 5), peek(1, 1, 3), dequeue(kOne, 2, 7), peek(1, 4, 6)});
  const ContainerHistory& history = *made.standardised.history;
  EXPECT_EQ(range(history.add(0)), std::pair(0U, 2U));
  EXPECT_EQ(range(history.remove(0)), std::pair(4U, 6U));
  EXPECT_TRUE(history.inside(0, 3));
  EXPECT_FALSE(history.inside(0, 4));
}

TEST(Standardise, RemovesWhatNobodyRemovesAfterEverything) {
  const Standard made = standard({enqueue(1, 0, 1)});
  EXPECT_EQ(range(made.standardised.history->remove(0)), std::pair(2U, 2U));
  EXPECT_EQ(made.standardised.history->inside(1U), 1U);
}

TEST(Standardise, KeepsALookBetweenItsAddAndItsRemove) {
  const Standard made = standard({peek(1, 0, 7), enqueue(1, 1, 2), dequeue(kOne, 3, 4), enqueue(2, 5, 6)});
  const auto operations = made.standardised.history->operations(0);
  ASSERT_EQ(operations.size(), 3U);
  EXPECT_EQ(range(operations[2]), std::pair(1U, 3U));
}

TEST(Standardise, LeavesOutPendingAddsThatNobodySaw) {
  EXPECT_TRUE(standard({enqueue(1, 0, kPending)}).standardised.history->values().empty());
  const Standard seen = standard({enqueue(1, 0, kPending), peek(1, 1, 2)});
  EXPECT_EQ(range(seen.standardised.history->add(0)), std::pair(0U, 1U));
}

TEST(Standardise, FindsWhatIsWrongWithOneValue) {
  const auto wrong = [](const Sketch& sketch) { return standard(sketch).standardised.fault->sentence; };
  EXPECT_EQ(wrong({dequeue(kOne, 0, 1)}), "dequeue() -> 1, but nothing adds this value");
  EXPECT_THAT(wrong({enqueue(1, 0, 1), dequeue(kOne, 2, 3), dequeue(kOne, 4, 5)}), HasSubstr("which was added once"));
  EXPECT_THAT(wrong({dequeue(kOne, 0, 1), enqueue(1, 2, 3)}), HasSubstr("returned before enqueue(1) was called"));
  EXPECT_THAT(wrong({enqueue(1, 0, 1), dequeue(kOne, 2, 3), peek(1, 4, 5)}), HasSubstr("had returned"));
}

TEST(Standardise, WantsAMomentForWhatFoundNothing) {
  EXPECT_FALSE(standard({enqueue(1, 0, 2), dequeue(Value::nil(), 1, 3)}).standardised.fault);
  const Standard full =
      standard({enqueue(1, 0, 1), dequeue(Value::nil(), 2, 7), enqueue(2, 3, 4), dequeue(kOne, 5, 6)});
  ASSERT_TRUE(full.standardised.fault);
  EXPECT_THAT(full.standardised.fault->locals, testing::UnorderedElementsAre(0, 1, 2, 3));
}

TEST(Standardise, RefusesWhatItCannotRead) {
  EXPECT_EQ(standard({enqueue(1, 0, 1), enqueue(1, 2, 3)}).binding.obstacle, "value 1 is added twice");
  EXPECT_THAT(standard({dequeue(Value::unknown(), 0, 1)}).binding.obstacle, HasSubstr("which value"));
  EXPECT_THAT(standard({{.method = 3, .result = kOne, .call = 0, .response = 1}}).binding.obstacle,
              HasSubstr("does not tell what it did"));
  EXPECT_EQ(standard({dequeue(Value::unknown(), 0, kPending)}).binding.obstacle, "");
}

}  // namespace
}  // namespace linchpin::decide::standardise_test
