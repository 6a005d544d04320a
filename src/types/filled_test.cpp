// Containers that hold values at first: held against the same history behind operations that put them in.
#include "types/filled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "decide/choose.hpp"
#include "linchpin/check.hpp"
#include "support/drawn.hpp"
#include "support/held.hpp"
#include "support/thoroughness.hpp"

namespace filled_test {

using linchpin::TypeName;
using linchpin::Verdict;
using testing::HasSubstr;

struct Case {
  const char* type;
  const char* inserts;
};

/// A small history of the filled type, with one result or argument changed where `change` says so. @param values  how
/// many; 0: each is drawn once
std::optional<linchpin::History> drawn_history(const TypeName& type, std::uint64_t seed, bool change,
                                               std::uint64_t values = 3) {
  linchpin::generate::Plan plan;
  plan.type = type;
  plan.operations = 12;
  plan.processes = 3;
  plan.values = values;
  plan.all_methods = seed % 2 == 0;
  plan.empties = true;
  plan.pending = static_cast<double>(seed % 3);
  plan.unknown = seed % 5 == 0 ? 0.2 : 0;
  plan.seed = seed;
  return linchpin::test::drawn(plan, {.change = change, .promises = seed % 7 == 0});
}

/// The same operations of the type without its option `initial`, behind one that inserts each of the values.
linchpin::History behind_inserts(const linchpin::History& history, TypeName type, const char* inserts,
                                 const std::vector<int>& values) {
  std::erase_if(type.options, [](const auto& option) { return option.first == "initial"; });
  linchpin::HistoryBuilder builder;
  builder.set_type(std::move(type));
  linchpin::Tick tick = 0;
  for (const int value : values) {
    builder.add({.process = builder.process("first"),
                 .method = inserts,
                 .arguments = {linchpin::Value::integer(value)},
                 .result = linchpin::Value::unknown(),
                 .call = tick,
                 .response = tick + 1});
    tick += 2;
  }
  for (linchpin::OperationIndex i = 0; i < history.size(); ++i) {
    std::vector<linchpin::Value> arguments;
    for (const linchpin::Value each : history.arguments(i)) {
      arguments.push_back(builder.pool().import(each, history.pool()));
    }
    builder.add({.process = history.process(i),
                 .method = history.method_name(history.method(i)),
                 .arguments = std::move(arguments),
                 .result = builder.pool().import(history.result(i), history.pool()),
                 .call = history.call(i) + tick,
                 .response = history.pending(i) ? linchpin::kPending : history.response(i) + tick});
  }
  return std::move(*std::move(builder).build());
}

class FilledContainers : public testing::TestWithParam<Case> {};

TEST_P(FilledContainers, AreAsThoseThatValuesWerePutInto) {
  auto type = *TypeName::parse(GetParam().type);
  type.options.emplace_back("initial", "[2,1]");
  std::size_t histories = 0, violations = 0;
  const std::uint64_t seeds = linchpin::test::random_histories(400);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const auto history = drawn_history(type, seed, seed % 3 != 0);
    if (!history) continue;
    const linchpin::History whole = behind_inserts(*history, type, GetParam().inserts, {2, 1});
    linchpin::CheckOptions options;
    options.verify = linchpin::Verify::thoroughly;
    const auto filled = check(*history, options), put = check(whole, options);
    ASSERT_TRUE(filled) << filled.error().message;
    ASSERT_TRUE(put) << put.error().message;
    ASSERT_EQ(filled->verdict, put->verdict) << GetParam().type << " seed " << seed;
    ASSERT_EQ(linchpin::test::what_did_not_hold(*filled) + linchpin::test::what_did_not_hold(*put), "")
        << GetParam().type << " " << seed;
    ++histories;
    violations += filled->verdict == Verdict::violation ? 1 : 0;
    if (seed % 3 == 0) {
      ASSERT_EQ(filled->verdict, Verdict::linearizable) << seed;
    }
    const auto& object = filled->objects[0];
    const bool violation = filled->verdict == Verdict::violation;
    ASSERT_EQ(violation ? object.core_checked : object.witness_checked, std::optional(true)) << seed;
  }
  EXPECT_GT(histories, seeds / 2);
  EXPECT_GT(violations, histories / 10);
}

INSTANTIATE_TEST_SUITE_P(Types, FilledContainers,
                         testing::Values(Case{"queue", "enqueue"}, Case{"queue capacity=3", "enqueue"},
                                         Case{"stack", "push"}, Case{"stack heights=yes", "push"},
                                         Case{"deque", "push_back"}, Case{"deque capacity=3", "push_back"},
                                         Case{"deque work-stealing=yes", "push_back"}, Case{"priority-queue", "insert"},
                                         Case{"priority-queue order=largest ties=fifo", "insert"}, Case{"bag", "add"},
                                         Case{"set", "add"}, Case{"ArrayBlockingQueue capacity=4", "add"},
                                         Case{"ConcurrentLinkedDeque", "add"}, Case{"PriorityBlockingQueue", "add"}));

std::string error_of(const char* type) {
  const auto made = linchpin::make_specification(*TypeName::parse(type));
  return made ? std::string() : made.error().message + "; " + made.error().hint;
}

TEST(Filled, TakesValuesThatFit) {
  EXPECT_EQ(error_of("queue initial=[]"), "");
  EXPECT_EQ(error_of("queue initial=[-3,true,3]"), "");
  for (const char* const odd : {"queue initial=", "queue initial=[", "queue initial=[1", "queue initial=[1,]",
                                "queue initial=[,1]", "queue initial=[a]", "queue initial=[nil]", "queue initial=1",
                                "queue initial=[1]]", "queue initial=[99999999999999999999]"}) {
    EXPECT_THAT(error_of(odd), HasSubstr("such as [1,2,3], without blanks")) << odd;
  }
  EXPECT_THAT(error_of("queue capacity=2 initial=[1,2,3]"), HasSubstr("cannot hold 3 as well"));
  EXPECT_THAT(error_of("deque capacity=1 initial=[1,2]"), HasSubstr("cannot hold 2 as well"));
  EXPECT_THAT(error_of("set initial=[1,2,1]"), HasSubstr("cannot hold 1 as well"));
  EXPECT_THAT(error_of("priority-queue order=a<b initial=[1]"), HasSubstr("cannot hold 1 as well"));
  EXPECT_EQ(error_of("priority-queue order=largest initial=[1,2,1]"), "");
}

TEST(Filled, IsDecidedByTheContainersDeciders) {
  linchpin::HistoryBuilder builder;
  builder.set_type(*TypeName::parse("queue initial=[7]"));
  builder.add({.method = "dequeue", .result = linchpin::Value::integer(7), .call = 1, .response = 2});
  const auto verdict = check(*std::move(builder).build());
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->verdict, Verdict::linearizable);
  EXPECT_EQ(verdict->objects[0].decider, "filled-container-monitor");
}

// The monitor of sets names the second removal alone: of its translation, nobody put the value in again.
TEST(Filled, ACoreHoldsWithoutTheInserts) {
  for (const auto& [type, method] : {Case{"set initial=[1,true]", "remove"}, Case{"bag initial=[1,true]", "remove"}}) {
    linchpin::HistoryBuilder builder;
    builder.set_type(*TypeName::parse(type));
    for (const linchpin::Tick call : {1, 5}) {
      builder.add({.method = method,
                   .arguments = {linchpin::Value::integer(1)},
                   .result = linchpin::Value::boolean(true),
                   .call = call,
                   .response = call + 1});
    }
    const auto verdict = check(*std::move(builder).build());
    ASSERT_TRUE(verdict);
    EXPECT_EQ(verdict->verdict, Verdict::violation);
    EXPECT_THAT(verdict->objects[0].decider, HasSubstr("filled-container")) << type;
    EXPECT_EQ(verdict->objects[0].core_checked, std::optional(true));
    ASSERT_TRUE(verdict->objects[0].violation);
    EXPECT_EQ(verdict->objects[0].violation->core.size(), 2U);
  }
}

// The deciders that are asked for by name, those of papers among them, say that they do not apply or are right.
TEST(Filled, IsReadByNoDeciderAsTheContainer) {
  for (const auto& [type, inserts] :
       {Case{"queue", "enqueue"}, Case{"stack", "push"}, Case{"bag", "add"}, Case{"set", "add"},
        Case{"priority-queue", "insert"}, Case{"deque", "push_back"}, Case{"ArrayBlockingQueue", "add"}}) {
    auto filled = *TypeName::parse(type);
    filled.options.emplace_back("initial", "[2,1]");
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto history = drawn_history(filled, seed, false, 0);
      ASSERT_TRUE(history) << inserts;
      for (const linchpin::core::Decider* const decider : linchpin::decide::all_deciders()) {
        if (decider->name.starts_with("planted") || decider->name == "schedules") continue;
        linchpin::CheckOptions options;
        options.decider = decider->name;
        options.verify = linchpin::Verify::never;
        const auto verdict = check(*history, options);
        ASSERT_TRUE(verdict) << decider->name;
        EXPECT_EQ(linchpin::test::what_did_not_hold(*verdict), "") << type << ", seed " << seed;
        EXPECT_NE(verdict->verdict, Verdict::violation) << decider->name << " on " << type << ", seed " << seed;
      }
    }
  }
}

}  // namespace filled_test
