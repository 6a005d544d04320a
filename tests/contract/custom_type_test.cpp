// A specification plugged in from outside is a type like any other: found by no registry, decided by every search.
#include <array>
#include <functional>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "../../examples/custom_type/max_register.hpp"
#include "linchpin/check.hpp"
#include "linchpin/depth.hpp"

namespace linchpin {
namespace {

using Step = HistoryBuilder::Operation;

HistoryVerdict verdict_on(const std::vector<Step>& steps, std::shared_ptr<const Specification> specification) {
  HistoryBuilder builder;
  for (const Step& step : steps) builder.add(step);
  auto history = std::move(builder).build();
  EXPECT_TRUE(history);
  CheckOptions options;
  options.specification = std::move(specification);
  options.verify = linchpin::Verify::thoroughly;
  auto verdict = check(*history, options);
  EXPECT_TRUE(verdict) << verdict.error().to_string();
  return verdict ? *verdict : HistoryVerdict{};
}

Step write_max(ProcessId process, std::int64_t value, Tick call, Tick response) {
  return {.process = process,
          .method = "write_max",
          .arguments = {Value::integer(value)},
          .call = call,
          .response = response};
}
Step read_max(ProcessId process, std::int64_t value, Tick call, Tick response) {
  return {
      .process = process, .method = "read_max", .result = Value::integer(value), .call = call, .response = response};
}

TEST(CustomType, IsDecidedWithEvidence) {
  const auto specification = specify<MaxRegister>("max-register");
  const HistoryVerdict good =
      verdict_on({write_max(0, 7, 1, 2), write_max(0, 3, 3, 4), read_max(1, 7, 5, 6)}, specification);
  EXPECT_EQ(good.verdict, Verdict::linearizable);
  ASSERT_EQ(good.objects.size(), 1U);
  EXPECT_EQ(good.objects[0].type, "max-register");
  ASSERT_TRUE(good.objects[0].witness);
  EXPECT_EQ(good.objects[0].witness->order, (std::vector<OperationIndex>{0, 1, 2}));
  EXPECT_EQ(good.objects[0].witness_checked, true);

  const HistoryVerdict bad =
      verdict_on({write_max(0, 7, 1, 2), write_max(0, 3, 3, 4), read_max(1, 3, 5, 6)}, specification);
  EXPECT_EQ(bad.verdict, Verdict::violation);
}

TEST(CustomType, PendingOperationsMayTakeEffect) {
  const auto specification = specify<MaxRegister>("max-register");
  Step pending = write_max(0, 9, 1, kPending);
  pending.result = Value::unknown();
  EXPECT_EQ(verdict_on({pending, read_max(1, 0, 2, 3), read_max(1, 9, 4, 5)}, specification).verdict,
            Verdict::linearizable);
  EXPECT_EQ(verdict_on({pending, read_max(1, 9, 2, 3), read_max(1, 0, 4, 5)}, specification).verdict,
            Verdict::violation);
}

/// A counter that looks at nothing before it reads.
struct Trusting {
  using State = std::int64_t;
  static constexpr std::array methods{Method{"add", {0, 1}}, Method{"read", 0}, Method{"name", 0}};
  static State initial() { return 0; }
  static bool step(State& state, const Operation& operation) {
    if (operation.method == 0) state += operation.argument(0).integer();
    if (operation.method == 1) return operation.result_unknown() || operation.result.integer() == state;
    if (operation.method == 2) return operation.pool->text_of(operation.result).size() == 1;
    return true;
  }
};

/// What check, measure_depth and explain_verdict say of one such operation, called third.
std::string misreading_of(const Step& step) {
  HistoryBuilder builder;
  builder.add({.process = 0, .method = "add", .arguments = {Value::integer(2)}, .call = 1, .response = 2});
  builder.add({.process = 1, .method = "read", .result = Value::integer(2), .call = 3, .response = 4});
  Step third = step;
  third.place = {12, 1};
  builder.add(third);
  auto history = std::move(builder).build();
  EXPECT_TRUE(history);
  CheckOptions options;
  options.specification = specify<Trusting>("trusting");
  const auto checked = check(*history, options);
  if (checked) return "";
  EXPECT_EQ(checked.error().code, ErrorCode::bad_arguments);
  EXPECT_EQ(checked.error().line, 12U);
  EXPECT_NE(checked.error().hint, "");
  DepthOptions depth;
  depth.specification = options.specification;
  const auto measured = measure_depth(*history, depth);
  EXPECT_FALSE(measured);
  if (!measured) {
    EXPECT_EQ(measured.error().line, 12U);
  }
  return checked.error().message;
}

TEST(CustomType, ThatMisreadsAnOperationIsToldWhich) {
  const auto add = [](std::vector<Value> arguments) {
    return Step{.process = 2, .method = "add", .arguments = std::move(arguments), .call = 5, .response = 6};
  };
  EXPECT_EQ(misreading_of(add({Value::integer(1)})), "");
  EXPECT_EQ(misreading_of(add({Value::nil()})),
            "add(nil): the specification of trusting cannot read it: nil was read as an integer");
  EXPECT_EQ(misreading_of(add({Value::boolean(true)})),
            "add(true): the specification of trusting cannot read it: true was read as an integer");
  EXPECT_EQ(misreading_of(add({})), "add(): the specification of trusting cannot read it: argument 1 was read of 0");
  EXPECT_EQ(misreading_of({.process = 2, .method = "read", .result = Value::nil(), .call = 5, .response = 6}),
            "read() -> nil: the specification of trusting cannot read it: nil was read as an integer");
  EXPECT_EQ(misreading_of({.process = 2, .method = "name", .result = Value::integer(7), .call = 5, .response = 6}),
            "name() -> 7: the specification of trusting cannot read it: the integer 7 was read as a string");
}

TEST(CustomType, UnknownMethodsAreErrors) {
  HistoryBuilder builder;
  builder.add({.process = 0, .method = "write_min", .arguments = {Value::integer(1)}, .call = 1, .response = 2});
  const auto history = std::move(builder).build();
  ASSERT_TRUE(history);
  CheckOptions options;
  options.specification = specify<MaxRegister>("max-register");
  const auto verdict = check(*history, options);
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().code, ErrorCode::unknown_method);
}

/// A nondeterministic type with a standard container for a state: a lottery hands out each ticket once, in any order.
struct Lottery {
  using State = std::set<std::int64_t>;
  static constexpr std::array methods{Method{"draw", 0}};
  static State initial() { return {1, 2, 3}; }
  static void step(const State& state, const Operation& operation, const std::function<void(State)>& emit) {
    for (const std::int64_t ticket : state) {
      if (!operation.returns(Value::integer(ticket))) continue;
      State next = state;
      next.erase(ticket);
      emit(next);
    }
  }
};

TEST(CustomType, MayBeNondeterministic) {
  const auto draw = [](ProcessId process, Value ticket, Tick call, Tick response) {
    return Step{.process = process, .method = "draw", .result = ticket, .call = call, .response = response};
  };
  const auto specification = specify<Lottery>("lottery");
  EXPECT_EQ(
      verdict_on({draw(0, Value::unknown(), 1, 2), draw(0, Value::integer(3), 3, 4), draw(0, Value::integer(1), 5, 6)},
                 specification)
          .verdict,
      Verdict::linearizable);
  EXPECT_EQ(verdict_on({draw(0, Value::integer(3), 1, 2), draw(1, Value::integer(3), 3, 4)}, specification).verdict,
            Verdict::violation);
}

/// A register that keeps what was written, as far as `told` says that writes hide what was there before.
template <bool told>
struct Cell {
  using State = std::int64_t;
  static constexpr std::array methods{Method{"write", 1}, Method{"read", 0}};
  static State initial() { return 0; }
  static bool step(State& state, const Operation& operation) {
    if (operation.method == 1) return operation.returns(Value::integer(state));
    state = operation.argument(0).integer();
    return true;
  }
  static std::optional<Value> overwrites(const Operation& operation) {
    return told && operation.method == 0 ? std::optional(Value::nil()) : std::nullopt;
  }
};

TEST(CustomType, MayPromiseThatItOverwrites) {
  const auto told = specify<Cell<true>>("cell");
  const auto untold = specify<Cell<false>>("cell");
  std::mt19937 random(5);
  int violations = 0;
  for (int i = 0; i < 400; ++i) {
    std::vector<Step> steps;
    for (ProcessId process = 0; process < 8; ++process) {
      const Tick call = random() % 8;
      const Tick response = call + 1 + random() % 8;
      const Value value = Value::integer(random() % 3);
      const bool pending = random() % 8 == 0;
      Step step{.process = process, .method = "write", .call = call, .response = pending ? kPending : response};
      if (random() % 2 == 0) {
        step.arguments = {value};
        step.result = pending ? Value::unknown() : Value::none();
      } else {
        step.method = "read";
        step.result = pending ? Value::unknown() : value;
      }
      steps.push_back(step);
    }
    const Verdict verdict = verdict_on(steps, told).verdict;
    EXPECT_EQ(verdict, verdict_on(steps, untold).verdict);
    violations += verdict == Verdict::violation ? 1 : 0;
  }
  EXPECT_GT(violations, 50);
  EXPECT_LT(violations, 350);
}

}  // namespace
}  // namespace linchpin
