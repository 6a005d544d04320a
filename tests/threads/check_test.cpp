// Deciding on several threads. Run under the thread sanitizer by `./dev sanitize threads`, this test is about what
// threads share; in other builds, that their number changes no answer.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "core/data_type.hpp"
#include "cross/labels.hpp"
#include "cross/random_history.hpp"
#include "decide/search/search_task.hpp"
#include "decide/search/side_by_side.hpp"
#include "linchpin/check.hpp"

namespace linchpin {
namespace {

/// One history with an object of each type, twice: what monitors decide, and what is left to searches.
History of_many_objects(std::uint64_t seed) {
  constexpr ProcessId kProcesses = 3;
  HistoryBuilder builder;
  ProcessId first_process = 0;
  for (const int twin : {0, 1}) {
    for (const core::DataType& type : core::data_types()) {
      if (!cross::has_small_labels(type.name)) continue;
      const auto specification = make_specification({.name = std::string(type.name), .options = {}});
      const cross::Shape shape{.operations = 9, .processes = kProcesses, .spoiled = 0.2};
      const History part =
          cross::RandomHistories(**specification, shape, seed + static_cast<std::uint64_t>(twin)).next();
      const ObjectIndex object = builder.object(std::string(type.name) + std::to_string(twin));
      builder.set_type(object, TypeName{.name = std::string(type.name), .options = {}});
      for (OperationIndex i = 0; i < part.size(); ++i) {
        std::vector<Value> arguments;
        for (const Value argument : part.arguments(i)) {
          arguments.push_back(builder.pool().import(argument, part.pool()));
        }
        builder.add({.process = first_process + part.process(i),
                     .object = object,
                     .method = part.method_name(part.method(i)),
                     .arguments = arguments,
                     .result = builder.pool().import(part.result(i), part.pool()),
                     .call = part.call(i),
                     .response = part.response(i)});
      }
      first_process += 2 * kProcesses;
    }
  }
  auto history = std::move(builder).build();
  EXPECT_TRUE(history.has_value()) << (history ? "" : history.error().to_string());
  return std::move(*history);
}

/// @param decider  empty: chosen
HistoryVerdict verdict_of(const History& history, unsigned threads, std::string decider = {}) {
  CheckOptions options;
  options.decider = std::move(decider);
  options.all = true;
  options.verify = Verify::thoroughly;
  options.threads = threads;
  auto verdict = check(history, options);
  EXPECT_TRUE(verdict.has_value()) << (verdict ? "" : verdict.error().to_string());
  return std::move(*verdict);
}

void expect_the_same(const HistoryVerdict& one, const HistoryVerdict& other) {
  ASSERT_EQ(one.objects.size(), other.objects.size());
  EXPECT_EQ(one.verdict, other.verdict);
  for (std::size_t object = 0; object < one.objects.size(); ++object) {
    EXPECT_EQ(one.objects[object].verdict, other.objects[object].verdict) << one.objects[object].name;
    EXPECT_TRUE(other.objects[object].witness_checked.value_or(true)) << one.objects[object].name;
    EXPECT_TRUE(other.objects[object].core_checked.value_or(true)) << one.objects[object].name;
  }
}

TEST(CheckOnThreads, AnswersAsOnOneThread) {
  constexpr int kHistories = 8;
  for (std::uint64_t seed = 1; seed <= kHistories; ++seed) {
    const History history = of_many_objects(10 * seed);
    for (const char* decider : {"", "search"}) {
      expect_the_same(verdict_of(history, 1, decider), verdict_of(history, 4, decider));
    }
  }
}

TEST(CheckOnThreads, MayBeCalledByManyForOneHistory) {
  const History history = of_many_objects(7);
  const HistoryVerdict alone = verdict_of(history, 1);
  std::vector<HistoryVerdict> verdicts(4);
  {
    std::vector<std::jthread> threads;
    for (HistoryVerdict& verdict : verdicts) threads.emplace_back([&] { verdict = verdict_of(history, 2); });
  }
  for (const HistoryVerdict& verdict : verdicts) expect_the_same(alone, verdict);
}

TEST(CheckOnThreads, SearchesSideBySideAnswerAsOneAlone) {
  const History history = of_many_objects(5);
  std::vector<std::shared_ptr<const Specification>> specifications;
  for (const Object& object : history.objects()) specifications.push_back(*make_specification(object.type));
  const auto parts = history::split_by_object(history, specifications, Ties::concurrent);
  ASSERT_TRUE(parts);
  core::Budget budget({});
  for (const history::Subhistory& part : *parts) {
    decide::SideBySide searches;
    for (const std::span<const core::Decider> list : {decide::searches(), core::monitors(), core::lifts()}) {
      for (const core::Decider& decider : list) {
        if (decider.start == nullptr || !decider.applicable(part).applies) continue;
        for (unsigned way = 0; way < decider.ways; ++way) {
          searches.add({.task = decider.start(part, {.way = way})});
        }
      }
    }
    EXPECT_TRUE(searches.run(UINT64_MAX / 2, budget));
    const core::Outcome alone = decide::searches()[0].decide(part, {}, budget);
    EXPECT_EQ(searches.outcome().verdict, alone.verdict) << history.objects()[part.object.number()].name;
  }
}

TEST(CheckOnThreads, EndsWhenAskedByAnother) {
  const History history = of_many_objects(3);
  std::stop_source stop;
  std::jthread asking([&] { stop.request_stop(); });
  CheckOptions options;
  options.threads = 4;
  options.limits.stop = stop.get_token();
  const auto verdict = check(history, options);
  ASSERT_TRUE(verdict.has_value());
  EXPECT_TRUE(verdict->verdict != Verdict::unknown || verdict->reason == Reason::cancelled);
}

}  // namespace
}  // namespace linchpin
