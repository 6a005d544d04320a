// What numbers refute of containers is refuted, by its core alone.
#include "types/container_counts.hpp"

#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "linchpin/check.hpp"
#include "linchpin/parsing.hpp"
#include "support/cross_check.hpp"
#include "support/held.hpp"
#include "support/thoroughness.hpp"

namespace linchpin::container_counts_test {
namespace {

using namespace test;  // NOLINT: the vocabulary of these tests

Value number(std::size_t value) { return Value::integer(static_cast<std::int64_t>(value)); }

/// Any method with any of its arguments and results, those that no container gives among them.
Draft any_operation(const Specification& specification, Random& random, std::size_t values, bool odd) {
  Draft draft{.method = static_cast<std::uint16_t>(below(random, specification.methods().size()))};
  const auto value = [&] {
    if (!odd || below(random, 4) != 0) return number(1 + below(random, values));
    // false may be the answer of what found no room, or of who came away with nothing, who then cannot put it in.
    return Value::boolean(specification.name().find("stealing") != std::string_view::npos || below(random, 2) == 0);
  };
  const Method& method = specification.methods()[draft.method];
  for (int i = 0; i < method.least; ++i) draft.arguments.push_back(value());
  if (odd && specification.name().starts_with("priority-queue") && draft.arguments.size() == 1 &&
      below(random, 2) == 0) {
    draft.arguments.push_back(number(1));
  }
  draft.results = {Value::unknown(), Value::nil(), Value::boolean(true), Value::boolean(false), Value::none()};
  if (draft.arguments.empty()) {
    for (std::size_t v = 0; v <= values + 1; ++v) draft.results.push_back(number(v));
  }
  return draft;
}

class ContainerCounts : public testing::TestWithParam<const char*> {};

TEST_P(ContainerCounts, RefuteOnlyWhatTheOracleRefutes) {
  for (const bool odd : {false, true}) {
    const auto specification = specification_of(GetParam());
    CrossCheck cross(types::kContainerCounts, specification);
    cross.no_core = true;
    cross.sentences = false;
    cross.random(
        [&](Random& random) -> Drafter {
          const std::size_t values = 1 + below(random, 4);
          return [&, values](Random& generator) { return any_operation(*specification, generator, values, odd); };
        },
        {number(1), number(2), Value::nil(), Value::unknown()}, odd ? 10 : 24, 10'000);
    EXPECT_EQ(cross.linearizable, 0U) << "it never says so";
    EXPECT_GT(cross.violations, cross.histories / 50);
    EXPECT_LT(cross.violations, cross.histories);
    if (thorough()) std::printf("%s: %zu of %zu refuted\n", GetParam(), cross.violations, cross.histories);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, ContainerCounts,
                         testing::Values("queue", "queue capacity=2", "stack", "deque", "deque capacity=2",
                                         "deque work-stealing=yes", "priority-queue",
                                         "priority-queue order=largest ties=fifo", "priority-queue capacity=2", "bag"));

struct Told {
  std::string type;
  std::string history;
  std::vector<OperationIndex> core;
};

// With results lost no monitor applies, and a search would go through all orders of what is open.
TEST(ContainerCountsOf, ManyLostResultsRefuteAtOnce) {
  const auto lost = [](std::string_view put, std::string_view take, std::string_view end) {
    std::string text;
    for (int i = 0; i < 60; ++i) text += fmt::format("p{} 0 1000 {} {} -> ?\n", i, put, i % 5);
    for (int i = 0; i < 60; ++i) text += fmt::format("q{} 0 1000 {} -> ?\n", i, take);
    return text + std::string(end);
  };
  const std::vector<Told> cases{
      {"queue", lost("enqueue", "dequeue", "r 1 2000 dequeue -> 9\n"), {120}},
      {"stack", lost("push", "pop", "r 1 2000 pop -> 9\n"), {120}},
      {"deque", lost("push_back", "pop_front", "r 1 2000 peek_front -> 9\n"), {120}},
      {"priority-queue", lost("insert", "poll", "r 1 2000 peek -> 9\n"), {120}},
      {"bag", lost("add", "take", "r 1 2000 contains 9 -> true\n"), {120}},
      {"bag", lost("add", "take", "r 1 2000 clear -> ?\nr 2001 2002 take -> 9\n"), {121}},
      {"queue initial=[7,8]", lost("enqueue", "dequeue", "r 1 2000 dequeue -> 9\n"), {120}},
      {"stack initial=[7,8]", lost("push", "pop", "r 1 2000 pop -> 7\nr 2001 2002 pop -> 7\n"), {120, 121}},
  };
  for (const Told& told : cases) {
    const auto histories = parse_histories("# linchpin 1\n# type: " + told.type + "\n" + told.history);
    ASSERT_TRUE(histories && (*histories)[0]) << told.type;
    const auto verdict = check(*(*histories)[0]);
    ASSERT_TRUE(verdict) << told.type;
    ASSERT_EQ(verdict->verdict, Verdict::violation) << told.type;
    EXPECT_EQ(what_did_not_hold(*verdict), "") << told.type;
    EXPECT_EQ(verdict->objects[0].violation->core, told.core) << told.type;
  }
}

}  // namespace
}  // namespace linchpin::container_counts_test
