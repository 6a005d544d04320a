// The search for witnesses against the definitions and the reference decider, on random small histories.
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "core/data_type.hpp"
#include "cross/random_history.hpp"
#include "evidence/witness.hpp"
#include "reference/reference.hpp"
#include "research/schedules/closed_form.hpp"
#include "research/schedules/depth.hpp"
#include "research/schedules/published.hpp"
#include "research/schedules/strong_hitting.hpp"
#include "research/schedules/witness_search.hpp"
#include "support/thoroughness.hpp"

namespace linchpin::research {
namespace {

/// One random history of a type, bound to it.
struct Case {
  std::shared_ptr<const Specification> specification;
  History history;
  history::Subhistory part;
};

Case make_case(const std::shared_ptr<const Specification>& specification, History history) {
  Case made{.specification = specification, .history = std::move(history), .part = {}};
  const std::array specifications{specification};
  auto parts = history::split_by_object(made.history, specifications, Ties::concurrent);
  made.part = std::move((*parts)[0]);
  made.part.history = nullptr;  // moves with the case: see part_of
  return made;
}

const history::Subhistory& part_of(Case& made) {
  made.part.history = &made.history;
  return made.part;
}

/// By definition: a schedule of the closed form for at most d - 1 operations is a witness.
bool witnessed_by_closed_form(const OperationPoset& poset, StateSets& sets, std::uint32_t d) {
  ClosedForm closed_form(poset);
  Schedule schedule;
  bool found = false;
  for (std::uint32_t length = 1; length <= d && !found; ++length) {
    for_each_index(poset, length, [&](std::uint32_t chain, std::span<const std::uint32_t> tuple) {
      closed_form.schedule(chain, tuple, schedule);
      found = is_witness(sets, schedule);
      return !found;
    });
  }
  return found;
}

/// The witness is one, by independent code; empty when it is.
std::string refuted(Case& made, const std::vector<std::uint32_t>& order) {
  Witness witness;
  std::vector<bool> taken(made.part.size(), false);
  for (const std::uint32_t local : order) {
    witness.order.push_back(made.part.operation[local]);
    taken[local] = true;
  }
  for (std::uint32_t local = 0; local < made.part.size(); ++local) {
    if (!taken[local]) witness.omitted.push_back(made.part.operation[local]);
  }
  return evidence::refute_witness(made.history, 0, *made.specification, witness, Ties::concurrent);
}

std::string text_of(const History& history) {
  std::string text;
  for (OperationIndex i = 0; i < history.size(); ++i) {
    text += history.process_name(history.process(i)) + " " + std::to_string(history.call(i)) + " " +
            (history.pending(i) ? "-" : std::to_string(history.response(i))) + " " + history.describe(i) + "\n";
  }
  return text;
}

class WitnessSearchOf : public testing::TestWithParam<const char*> {
 protected:
  /// `count` random histories of up to six operations; stops at the first failure.
  void for_each(std::size_t count, const std::function<void(Case&)>& check) {
    constexpr std::uint64_t kSeed = 43266225;
    SCOPED_TRACE("seed " + std::to_string(kSeed));
    const auto type = TypeName::parse(GetParam());
    const auto specification = core::find_data_type(type->name)->make(*type);
    ASSERT_TRUE(specification);
    for (std::uint32_t operations = 1; operations <= 6; ++operations) {
      cross::RandomHistories histories(
          **specification,
          {.operations = operations, .processes = 1 + operations / 2, .values = 2, .few_methods = 0, .tick_range = 16},
          kSeed + operations);
      for (std::size_t i = 0; i < test::few_or(count) / 6 && !HasFatalFailure(); ++i) {
        Case made = make_case(*specification, histories.next());
        SCOPED_TRACE(text_of(made.history));
        part_of(made);
        check(made);
      }
    }
  }
};

TEST_P(WitnessSearchOf, FindsAWitnessExactlyWhereTheReferenceSaysLinearizable) {
  std::size_t linearizable = 0;
  std::size_t violations = 0;
  for_each(900, [&](Case& made) {
    const history::Subhistory& part = part_of(made);
    const bool truth = reference::linearizable(part);
    ++(truth ? linearizable : violations);
    const OperationPoset poset = OperationPoset::of(part);
    core::Budget budget{Limits{}};
    for (const Family family : {Family::enumerated, Family::published}) {
      const WitnessDepth found = witness_depth(part, poset, family, part.size(), budget);
      ASSERT_EQ(found.depth.has_value(), truth) << "Proposition 4.3: n operations suffice";
      ASSERT_EQ(truth ? refuted(made, found.witness) : "", "");
    }
    const WitnessDepth by_segment = witness_depth_by_segment(part, part.size(), budget);
    ASSERT_EQ(by_segment.depth.has_value(), truth);
    ASSERT_EQ(truth ? refuted(made, by_segment.witness) : "", "");
  });
  EXPECT_GT(linearizable, test::few_or(900) / 9);
  EXPECT_GT(violations, test::few_or(900) / 9);
}

TEST_P(WitnessSearchOf, FindsTheSmallestDepth) {
  std::size_t deeper = 0;
  for_each(600, [&](Case& made) {
    const history::Subhistory& part = part_of(made);
    const OperationPoset poset = OperationPoset::of(part);
    core::Budget budget{Limits{}};
    const WitnessDepth found = witness_depth(part, poset, Family::enumerated, part.size(), budget);
    StateSets sets(part);
    for (std::uint32_t d = 1; d <= found.searched; ++d) {
      ASSERT_EQ(witnessed_by_closed_form(poset, sets, d), found.depth == d) << "d " << d;
    }
    deeper += found.depth.value_or(0) > 1 ? 1 : 0;
  });
  EXPECT_TRUE(test::few() || deeper > 5);
}

TEST_P(WitnessSearchOf, LinearizabilityDepthIsThatOfTheDefinition) {
  std::size_t deeper = 0;
  for_each(300, [&](Case& made) {
    const history::Subhistory& part = part_of(made);
    const OperationPoset poset = OperationPoset::of(part);
    core::Budget budget{Limits{}};
    StateSets sets(part);
    const auto witness = [&](const Schedule& schedule) { return is_witness(sets, schedule); };
    const auto depth = linearizability_depth(poset, witness, 100'000, budget);
    const WitnessDepth found = witness_depth(part, poset, Family::enumerated, part.size(), budget);
    ASSERT_EQ(depth.has_value(), found.depth.has_value());
    if (!depth) return;
    ASSERT_GE(depth->depth, *found.depth) << "a family of that d holds a schedule that hits the tuple";
    // Every schedule that hits the tuple is a witness, and there is one; no shorter tuple is as good.
    const auto decides = [&](std::span<const std::uint32_t> tuple) {
      bool any = false;
      const bool only = for_each_schedule(poset, [&](const Schedule& schedule) {
        if (!strongly_hits(poset, schedule, tuple)) return true;
        any = true;
        return witness(schedule);
      });
      return any && only;
    };
    ASSERT_EQ(depth->tuple.size(), depth->depth);
    ASSERT_TRUE(decides(depth->tuple));
    const bool shorter = depth->depth > 1 &&
                         !for_each_index(poset, depth->depth, [&](std::uint32_t, std::span<const std::uint32_t> tuple) {
                           return !decides(tuple);
                         });
    ASSERT_EQ(shorter, false) << "tuples of one operation less";
    deeper += depth->depth > *found.depth ? 1 : 0;
  });
  EXPECT_TRUE(test::few() || deeper > 0) << "a family often holds a witness by chance";
}

INSTANTIATE_TEST_SUITE_P(Types, WitnessSearchOf,
                         testing::Values("queue", "stack", "register", "cas-register", "set", "counter", "mutex",
                                         "deque", "semaphore", "LinkedBlockingQueue capacity=2",
                                         "ConcurrentLinkedDeque", "PriorityBlockingQueue", "ConcurrentSkipListSet",
                                         "ConcurrentHashMap"),
                         [](const auto& type) {
                           std::string name = type.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

/// The history of the paper's Figure 2 in short: all that was seen was seen on an empty queue, but one addition ran
/// beside it. One operation, delayed as long as it can be, makes every schedule a witness.
TEST(WitnessSearch, OneDelayedAdditionExplainsAnEmptyQueue) {
  const auto type = TypeName::parse("LinkedBlockingQueue");
  const auto specification = core::find_data_type(type->name)->make(*type);
  HistoryBuilder builder;
  const auto add = [&](ProcessId process, std::string_view method, std::vector<Value> arguments, Value result,
                       Tick call, Tick response) {
    builder.add({.process = process,
                 .method = method,
                 .arguments = std::move(arguments),
                 .result = result,
                 .call = call,
                 .response = response});
  };
  const Value both = builder.pool().list({Value::integer(1), Value::integer(2)});
  add(3, "addAll", {both}, Value::boolean(true), 0, 20);
  add(1, "poll", {}, Value::nil(), 1, 6);
  add(2, "size", {}, Value::integer(0), 2, 9);
  add(4, "isEmpty", {}, Value::boolean(true), 3, 8);
  add(1, "poll", {}, Value::nil(), 7, 12);
  add(2, "contains", {Value::integer(1)}, Value::boolean(false), 10, 19);
  Case made = make_case(*specification, std::move(*std::move(builder).build()));
  const history::Subhistory& part = part_of(made);
  const OperationPoset poset = OperationPoset::of(part);
  EXPECT_EQ(poset.chains, 4U);
  core::Budget budget{Limits{}};
  EXPECT_EQ(witness_depth(part, poset, Family::enumerated, 6, budget).depth, 1U);
  EXPECT_EQ(witness_depth(part, poset, Family::published, 6, budget).depth, 1U);
  StateSets sets(part);
  const auto depth = linearizability_depth(
      poset, [&](const Schedule& schedule) { return is_witness(sets, schedule); }, 100'000, budget);
  ASSERT_TRUE(depth);
  EXPECT_EQ(depth->depth, 1U);
  EXPECT_EQ(depth->tuple, std::vector<std::uint32_t>{0}) << "the addition";
}

TEST(WitnessSearch, QuietPointsMakeTheDepthThatOfTheDeepestSegment) {
  // The same two crossed dequeues over and over: a delay each, unless each stretch is looked at by itself.
  const auto type = TypeName::parse("queue");
  const auto specification = core::find_data_type(type->name)->make(*type);
  HistoryBuilder builder;
  for (Tick round = 0; round < 4; ++round) {
    const Tick now = 10 * round;
    const auto add = [&](ProcessId process, std::string_view method, bool adds, std::int64_t value, Tick call,
                         Tick response) {
      HistoryBuilder::Operation operation{
          .process = process, .method = method, .call = now + call, .response = now + response};
      (adds ? operation.arguments.emplace_back() : operation.result) = Value::integer(value);
      builder.add(operation);
    };
    add(0, "enqueue", true, 1, 0, 3);
    add(1, "enqueue", true, 2, 1, 4);
    add(2, "enqueue", true, 3, 2, 5);
    add(0, "dequeue", false, 3, 6, 7);
    add(0, "dequeue", false, 2, 8, 8);
    add(0, "dequeue", false, 1, 9, 9);
  }
  Case made = make_case(*specification, std::move(*std::move(builder).build()));
  const history::Subhistory& part = part_of(made);
  core::Budget budget{Limits{}};
  const WitnessDepth whole = witness_depth(part, OperationPoset::of(part), Family::enumerated, part.size(), budget);
  const WitnessDepth by_segment = witness_depth_by_segment(part, part.size(), budget);
  ASSERT_TRUE(whole.depth);
  ASSERT_TRUE(by_segment.depth);
  EXPECT_EQ(*by_segment.depth, 2U);
  EXPECT_GT(*whole.depth, 4U);
  std::uint32_t deepest = 0;
  std::uint32_t next = 0;
  for (const SegmentDepth& segment : by_segment.segments) {
    EXPECT_EQ(segment.first, next);
    next = segment.last;
    deepest = std::max(deepest, segment.depth);
  }
  EXPECT_EQ(next, part.size());
  EXPECT_EQ(deepest, *by_segment.depth);
  EXPECT_EQ(refuted(made, by_segment.witness), "");
}

TEST(WitnessSearch, StopsWhereTheStepsEnd) {
  const auto type = TypeName::parse("counter");
  const auto specification = core::find_data_type(type->name)->make(*type);
  HistoryBuilder builder;
  for (ProcessId process = 0; process < 12; ++process) {
    builder.add({.process = process, .method = "add", .arguments = {Value::integer(1)}, .call = 0, .response = 10});
  }
  builder.add({.process = 12, .method = "get", .result = Value::integer(-1), .call = 0, .response = 10});
  Case made = make_case(*specification, std::move(*std::move(builder).build()));
  const history::Subhistory& part = part_of(made);
  const OperationPoset poset = OperationPoset::of(part);
  StateSets sets(part);
  WitnessSearch search(poset, 0, sets);
  core::Budget budget{Limits{}};
  std::int64_t steps = 50;
  search.begin(3, sets.initial());
  EXPECT_EQ(search.run(steps, budget), WitnessSearch::Status::stopped);
  EXPECT_LE(steps, 0);
  Limits limits;
  limits.time = std::chrono::duration<double>(0);
  core::Budget none(limits);
  const WitnessDepth found = witness_depth(part, poset, Family::published, part.size(), none);
  EXPECT_FALSE(found.depth);
  EXPECT_LT(found.searched, 3U) << "the clock is not looked at for each schedule";
}

}  // namespace
}  // namespace linchpin::research
