// Containers whose values are in an unknown order at first: held against all orders that they can be in.
#include "types/unordered.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linchpin/check.hpp"
#include "support/drawn.hpp"
#include "support/held.hpp"
#include "support/thoroughness.hpp"
#include "types/deque/specification.hpp"
#include "types/queue/specification.hpp"
#include "types/stack/specification.hpp"

namespace unordered_test {

using linchpin::Operation;
using linchpin::TypeName;
using linchpin::Value;
using linchpin::Verdict;
using testing::HasSubstr;

/// One order of the values, and every place among them for what is added before a value is seen or taken.
template <class S>
struct Ordered {
  using State = std::pair<std::vector<Value>, bool>;  // nothing but adding was done
  static constexpr const auto& methods = S::methods;

  S container;
  std::vector<Value> content;

  [[nodiscard]] State initial() const { return {content, true}; }
  template <class Emit>
  void step(const State& state, const Operation& operation, Emit&& emit) const {
    State next = state;
    if (!container.step(next.first, operation)) return;
    if (!state.second || next.first.size() <= state.first.size()) {
      next.second = state.second && container.pure(operation) && !container.erasable(operation);
      return emit(next);
    }
    for (std::size_t place = 0; place <= state.first.size(); ++place) {
      next.first = state.first;
      next.first.insert(next.first.begin() + static_cast<std::ptrdiff_t>(place), operation.argument(0));
      emit(next);
    }
  }
};

/// A small history of the type, with one result or argument changed where `change` says so.
std::optional<linchpin::History> drawn_history(const TypeName& type, std::uint64_t seed, bool change) {
  linchpin::generate::Plan plan;
  plan.type = type;
  plan.operations = 9;
  plan.processes = 3;
  plan.values = 3;
  plan.all_methods = seed % 2 == 0;
  plan.empties = true;
  plan.peeks = 0.2;
  plan.pending = static_cast<double>(seed % 3);
  plan.unknown = seed % 5 == 0 ? 0.2 : 0;
  plan.seed = seed;
  return linchpin::test::drawn(plan, {.change = change, .promises = seed % 7 == 0});
}

template <class S>
bool linearizable_in_some_order(const linchpin::History& history, std::vector<Value> values) {
  const auto by_bits = [](Value a, Value b) { return a.bits() < b.bits(); };
  std::sort(values.begin(), values.end(), by_bits);
  do {
    linchpin::CheckOptions options;
    options.specification = linchpin::specify("ordered", Ordered<S>{{}, values});
    options.decider = "search";
    const auto verdict = check(history, options);
    EXPECT_TRUE(verdict) << verdict.error().message;
    if (verdict && verdict->verdict == Verdict::linearizable) return true;
  } while (std::next_permutation(values.begin(), values.end(), by_bits));
  return false;
}

template <class S>
void hold_against_all_orders(const char* name, const std::vector<int>& numbers) {
  std::vector<Value> values;
  std::string list;
  for (const int number : numbers) {
    values.push_back(Value::integer(number));
    list.append(list.empty() ? "" : ",").append(std::to_string(number));
  }
  const auto type = *TypeName::parse(std::string(name) + " unordered=[" + list + "]");
  std::size_t histories = 0, violations = 0;
  const std::uint64_t seeds = linchpin::test::random_histories(150);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const auto history = drawn_history(type, seed, seed % 3 != 0);
    if (!history) continue;
    linchpin::CheckOptions options;
    options.verify = linchpin::Verify::thoroughly;
    const auto verdict = check(*history, options);
    ASSERT_TRUE(verdict) << verdict.error().message;
    ASSERT_EQ(verdict->verdict == Verdict::linearizable, linearizable_in_some_order<S>(*history, values))
        << type.to_string() << " seed " << seed;
    ASSERT_EQ(linchpin::test::what_did_not_hold(*verdict), "") << type.to_string() << " seed " << seed;
    ++histories;
    violations += verdict->verdict == Verdict::violation ? 1 : 0;
    if (seed % 3 == 0) {
      ASSERT_EQ(verdict->verdict, Verdict::linearizable) << seed;
    }
  }
  EXPECT_GT(histories, seeds / 2);
  EXPECT_GT(violations, histories / 20);
}

TEST(Unordered, StandsForAllOrders) {
  hold_against_all_orders<linchpin::types::Queue>("queue", {1, 2, 2});
  hold_against_all_orders<linchpin::types::Queue>("queue", {});
  hold_against_all_orders<linchpin::types::Stack>("stack", {1, 2, 0});
  hold_against_all_orders<linchpin::types::Deque>("deque", {1, 2, 2, 0});
}

std::string error_of(const char* type) {
  const auto made = linchpin::make_specification(*TypeName::parse(type));
  return made ? std::string() : made.error().message + "; " + made.error().hint;
}

TEST(Unordered, GoesWithNoOtherOption) {
  EXPECT_EQ(error_of("queue unordered=[]"), "");
  EXPECT_EQ(error_of("stack unordered=[1,true,1]"), "");
  EXPECT_THAT(error_of("queue unordered=[1,]"), HasSubstr("such as [1,2,3], without blanks"));
  for (const char* const odd :
       {"queue unordered=[1] initial=[1]", "queue capacity=3 unordered=[1]", "stack heights=yes unordered=[1]",
        "deque work-stealing=yes unordered=[1]", "deque capacity=3 unordered=[1]"}) {
    EXPECT_THAT(error_of(odd), HasSubstr("unordered goes with no other option")) << odd;
  }
}

TEST(Unordered, SaysWhatIsInside) {
  linchpin::ValuePool pool;
  const linchpin::types::Unordered<linchpin::types::Queue> queue{
      {}, {Value::integer(1), Value::integer(1), Value::integer(2)}};
  const auto after = [&](std::uint16_t method, std::vector<Value> arguments, Value result, const auto& state) {
    std::vector<std::string> states;
    const Operation operation{.method = method, .arguments = arguments, .result = result, .pool = &pool};
    queue.step(state, operation, [&](const auto& next) { states.push_back(queue.describe(next, pool)); });
    return states;
  };
  using Queue = linchpin::types::Queue;
  using testing::ElementsAre;
  const auto first = queue.initial();
  EXPECT_EQ(queue.describe(first, pool), "[1, 1, 2] in any order");
  EXPECT_THAT(after(Queue::kDequeue, {}, Value::integer(2), first), ElementsAre("[1, 1]"));
  EXPECT_THAT(after(Queue::kDequeue, {}, Value::integer(1), first),
              ElementsAre("[?, ?], where ? are 1, 2 in any order"));
  EXPECT_THAT(after(Queue::kDequeue, {}, Value::unknown(), first),
              ElementsAre("[?, ?], where ? are 1, 2 in any order", "[1, 1]"));
  EXPECT_THAT(after(Queue::kDequeue, {}, Value::integer(3), first), ElementsAre());
  EXPECT_THAT(after(Queue::kDequeue, {}, Value::nil(), first), ElementsAre());
  EXPECT_THAT(after(Queue::kPeek, {}, Value::integer(2), first), ElementsAre("[2, 1, 1]"));
  EXPECT_THAT(after(Queue::kSize, {}, Value::integer(3), first), ElementsAre("[1, 1, 2] in any order"));
  EXPECT_THAT(after(Queue::kEnqueue, {Value::integer(5)}, Value::boolean(true), first),
              ElementsAre("[1, 1, 2, 5] in any order"));
}

}  // namespace unordered_test
