#include "types/priority_queue/classes.hpp"

#include <gtest/gtest.h>

#include <random>

#include "core/data_type.hpp"
#include "types/container_binding.hpp"
#include "types/priority_queue/specification.hpp"

namespace linchpin::types {
namespace {

using algo::ValueNumber;

constexpr ContainerMethods kRows{PriorityQueue::kInsert, PriorityQueue::kPoll,    PriorityQueue::kPeek,
                                 PriorityQueue::kSize,   PriorityQueue::kIsEmpty, "inserted"};

using Priorities = std::function<Value(ValuePool&, std::mt19937&)>;

/// Classes of values with random priorities compare as the priorities do, in the whole and in a part.
void expect_order(const std::string& type, const Priorities& draw) {
  std::mt19937 random(6);
  const auto name = *TypeName::parse(type);
  const auto specification = *core::find_data_type(name.name)->make(name);
  const PriorityOrder& order = specification->get_if<PriorityQueue>()->order;
  for (int round = 0; round < 40; ++round) {
    HistoryBuilder builder;
    std::vector<Value> priorities;
    const std::uint32_t count = 1 + random() % 12;
    for (std::uint32_t v = 0; v < count; ++v) {
      priorities.push_back(draw(builder.pool(), random));
      const std::vector<Value> arguments{Value::integer(v), priorities[v]};
      builder.add({.process = static_cast<ProcessId>(v),
                   .method = "insert",
                   .arguments = arguments,
                   .result = Value::none(),
                   .call = 2 * v,
                   .response = 2 * v + 1});
    }
    const History history = *std::move(builder).build();
    const std::array specifications{specification};
    const auto parts = history::split_by_object(history, specifications, Ties::concurrent);
    ASSERT_TRUE(parts) << parts.error().to_string();
    algo::ContainerHistory reading;
    ASSERT_TRUE(bind_container((*parts)[0], kRows, reading).applies);
    const PriorityClasses whole = priority_classes((*parts)[0], reading, order);
    const auto expect = [&](const PriorityClasses& classes, ValueNumber a, ValueNumber b, Value left, Value right) {
      ASSERT_EQ(classes.of[a] == classes.of[b], left == right) << type;
      ASSERT_EQ(classes.better(classes.of[a], classes.of[b]), order.before(left, right, history.pool()))
          << type << ": " << history.pool().to_text(left) << " and " << history.pool().to_text(right);
    };
    const auto priority = [&](ValueNumber value) {
      for (std::uint32_t i = 0; i < count; ++i) {
        if (reading.value[i] == value) return priorities[i];
      }
      return Value::none();
    };
    std::vector<std::uint32_t> some;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (random() % 2 == 0) some.push_back(i);
    }
    algo::ContainerPart part(reading, some);
    const PriorityClasses few = priority_classes(part, part.history().values, whole);
    for (ValueNumber a = 0; a < count; ++a) {
      for (ValueNumber b = 0; b < count; ++b) expect(whole, a, b, priority(a), priority(b));
    }
    for (ValueNumber a = 0; a < part.history().values; ++a) {
      for (ValueNumber b = 0; b < part.history().values; ++b) {
        expect(few, a, b, priority(part.original_value(a)), priority(part.original_value(b)));
      }
    }
  }
}

Value small(ValuePool& /*pool*/, std::mt19937& random) { return Value::integer(static_cast<int>(random() % 5) - 2); }
Value odd(ValuePool& pool, std::mt19937& random) {
  switch (random() % 5) {
    case 0: return Value::nil();
    case 1: return Value::boolean(random() % 2 == 0);
    case 2: return pool.integer(random() % 2 == 0 ? INT64_MAX : INT64_MIN);
    case 3: return pool.string(random() % 2 == 0 ? "low" : "high");
    default: return small(pool, random);
  }
}
Value far(ValuePool& /*pool*/, std::mt19937& random) {
  return Value::integer((static_cast<std::int64_t>(random() % 5) - 2) * 100'000'000'000'000);
}
Priorities list_of(std::size_t least, std::size_t most, const Priorities& element) {
  return [=](ValuePool& pool, std::mt19937& random) {
    std::vector<Value> elements(least + random() % (most - least + 1));
    for (Value& made : elements) made = element(pool, random);
    return pool.list(elements);
  };
}

TEST(PriorityClasses, CompareAsThePrioritiesDo) {
  for (const std::string ending : {"smallest", "largest"}) {
    for (const Priorities& draw : {Priorities(small), Priorities(odd), Priorities(far), list_of(1, 3, small)}) {
      expect_order("priority-queue order=" + ending, draw);
    }
  }
  for (const std::string ending : {"componentwise", "componentwise-largest"}) {
    for (const Priorities& draw : {Priorities(small), Priorities(odd), list_of(1, 1, small), list_of(2, 2, small),
                                   list_of(2, 2, far), list_of(2, 2, odd), list_of(3, 3, small), list_of(3, 3, far),
                                   list_of(0, 3, odd), list_of(0, 3, small), list_of(2, 2, list_of(1, 2, small))}) {
      expect_order("priority-queue order=" + ending, draw);
    }
  }
  for (const char* const type : {"priority-queue order=-2<-1<0,-2<1,2", "priority-queue order=-2<-1<0<1<2"}) {
    expect_order(type, small);
  }
}

}  // namespace
}  // namespace linchpin::types
