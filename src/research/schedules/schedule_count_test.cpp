// All schedules, and the witnesses among them, against making each.
#include <algorithm>
#include <array>
#include <filesystem>
#include <random>

#include <gtest/gtest.h>

#include "core/data_type.hpp"
#include "cross/random_history.hpp"
#include "linchpin/check.hpp"
#include "research/schedules/depth.hpp"
#include "research/schedules/schedule_count.hpp"
#include "research/schedules/strong_hitting.hpp"
#include "support/paths.hpp"

namespace linchpin::research::schedule_count_test {
namespace {

/// Both numbers of one history by its definition and as they are counted.
void expect_counts_by_definition(const History& history, const std::shared_ptr<const Specification>& specification,
                                 std::size_t& witnessed) {
  const std::array specifications{specification};
  const auto parts = history::split_by_object(history, specifications, Ties::concurrent);
  ASSERT_TRUE(parts);
  const history::Subhistory& part = parts->front();
  const OperationPoset poset = OperationPoset::of(part);
  StateSets sets(part);
  std::uint64_t schedules = 0;
  std::uint64_t witnesses = 0;
  for_each_schedule(poset, [&](const Schedule& schedule) {
    ++schedules;
    witnesses += is_witness(sets, schedule) ? 1 : 0;
    return true;
  });
  core::Budget budget{Limits{}};
  ASSERT_EQ(count_schedules(poset, budget), schedules);
  ASSERT_EQ(count_witnesses(poset, sets, budget), witnesses);
  witnessed += witnesses > 0 ? 1 : 0;
}

class ScheduleCountOf : public testing::TestWithParam<const char*> {};

TEST_P(ScheduleCountOf, IsThatOfAllSchedulesMade) {
  constexpr std::uint64_t kSeed = 20190216;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  const auto type = TypeName::parse(GetParam());
  const auto specification = core::find_data_type(type->name)->make(*type);
  ASSERT_TRUE(specification);
  std::size_t witnessed = 0;
  for (std::uint32_t operations = 1; operations <= 7; ++operations) {
    cross::RandomHistories histories(
        **specification,
        {.operations = operations, .processes = 1 + operations / 2, .values = 2, .few_methods = 0, .tick_range = 16},
        kSeed + operations);
    for (int i = 0; i < 60 && !HasFatalFailure(); ++i) {
      expect_counts_by_definition(histories.next(), *specification, witnessed);
    }
  }
  EXPECT_GT(witnessed, 60U);
}

INSTANTIATE_TEST_SUITE_P(Types, ScheduleCountOf,
                         testing::Values("queue", "stack", "register", "set", "semaphore", "ConcurrentLinkedDeque",
                                         "PriorityBlockingQueue"));

/// So many stages one after the other, in each of which two additions to a counter are concurrent: 2^stages schedules.
History pairs_of_additions(Tick stages) {
  HistoryBuilder builder;
  for (Tick stage = 0; stage < stages; ++stage) {
    for (const ProcessId process : {0U, 1U}) {
      builder.add({.process = process,
                   .method = "add",
                   .arguments = {Value::integer(1)},
                   .call = 10 * stage,
                   .response = 10 * stage + 5});
    }
  }
  return std::move(*std::move(builder).build());
}

/// So many additions, all of them concurrent.
History concurrent_additions(std::uint32_t count) {
  HistoryBuilder builder;
  for (ProcessId process = 0; process < count; ++process) {
    builder.add({.process = process, .method = "add", .arguments = {Value::integer(1)}, .call = 0, .response = 10});
  }
  return std::move(*std::move(builder).build());
}

OperationPoset poset_of(const History& history) {
  const auto type = TypeName::parse("counter");
  const std::array specifications{*core::find_data_type(type->name)->make(*type)};
  return OperationPoset::of(history::split_by_object(history, specifications, Ties::concurrent)->front());
}

TEST(ScheduleCount, HasSixtyFourBits) {
  core::Budget budget{Limits{}};
  EXPECT_EQ(count_schedules(poset_of(pairs_of_additions(63)), budget), std::uint64_t{1} << 63);
  EXPECT_EQ(count_schedules(poset_of(pairs_of_additions(64)), budget), std::nullopt);
  EXPECT_EQ(count_schedules(poset_of(concurrent_additions(8)), budget), 40'320U);
}

TEST(ScheduleCount, EndsWithItsBudget) {
  Limits limits;
  limits.time = std::chrono::duration<double>(0.05);
  core::Budget budget(limits);
  EXPECT_EQ(count_schedules(poset_of(concurrent_additions(40)), budget), std::nullopt);
  EXPECT_LT(budget.seconds(), 5);
}

/// A history with what the paper's text says of its Figure 2, which is drawn only, but for one number: 48 pairs are
/// concurrent there, and 47 here.
class Figure2 : public testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path path = test::source_folder() / "bench/papers/java/figure_2.jsonl";
    histories_ = std::move(*read_histories(path.string(), {}));
    const History& history = *histories_.front();
    specification_ = *make_specification(history.objects()[0].type);
    const std::array specifications{specification_};
    part_ = std::move(history::split_by_object(history, specifications, Ties::concurrent)->front());
    poset_ = OperationPoset::of(part_);
    for (std::uint32_t i = 0; i < part_.size(); ++i) {
      const std::string operation = history.describe(part_.operation[i]);
      if (operation.starts_with("addAll")) add_all_ = i;
      if (operation.starts_with("removeAll")) remove_all_ = i;
      if (operation.starts_with("toString")) to_string_ = i;
    }
  }

  std::vector<Result<History>> histories_;
  std::shared_ptr<const Specification> specification_;
  history::Subhistory part_;
  OperationPoset poset_;
  std::uint32_t add_all_ = 0, remove_all_ = 0, to_string_ = 0;
};

TEST_F(Figure2, HasThePublishedNumbersOfSchedules) {
  core::Budget budget{Limits{}};
  StateSets sets(part_);
  EXPECT_EQ(count_schedules(poset_, budget), 1'004'640U);
  EXPECT_EQ(count_witnesses(poset_, sets, budget), 134'400U);
  EXPECT_EQ(family_sizes(poset_, Family::enumerated, 1, 1000, budget), std::vector<std::uint64_t>{7});
  EXPECT_EQ(family_sizes(poset_, Family::published, 1, 1000, budget), std::vector<std::uint64_t>{7});
  EXPECT_EQ(witness_depth(part_, poset_, Family::published, 14, budget).depth, 1U);
  EXPECT_EQ(poset_.size(), 14U);
  EXPECT_EQ(poset_.chains, 7U);
  EXPECT_EQ(poset_.concurrency(), 7U);
  EXPECT_EQ(poset_.concurrent_pairs(), 47U);
}

TEST_F(Figure2, IsOneLinearizableAndTwoLinearizableWithRemoveAllInBetween) {
  StateSets sets(part_);
  const std::array one{add_all_};
  const std::array two{remove_all_, add_all_};
  std::vector<bool> decides(part_.size(), true);  // by operation: all schedules that hit it are as modified
  std::size_t hit = 0;
  bool right = true;
  const auto at = [](const Schedule& schedule, std::uint32_t operation) {
    return std::find(schedule.begin(), schedule.end(), operation) - schedule.begin();
  };
  for_each_schedule(poset_, [&](const Schedule& schedule) {
    const bool witness = is_witness(sets, schedule);
    const bool modified = witness && at(schedule, to_string_) < at(schedule, remove_all_) &&
                          at(schedule, remove_all_) < at(schedule, add_all_);
    const bool hits_one = strongly_hits(poset_, schedule, one);
    const bool hits_two = hits_one && strongly_hits(poset_, schedule, two);
    hit += hits_two ? 1 : 0;
    right = right && (!hits_one || witness) && (!hits_two || modified);
    for (std::uint32_t i = 0; i < part_.size() && !modified; ++i) {
      if (decides[i]) decides[i] = !strongly_hits(poset_, schedule, std::array{i});
    }
    return right;
  });
  EXPECT_TRUE(right) << "whoever hits the operations is a witness";
  EXPECT_GT(hit, 0U);
  EXPECT_EQ(std::count(decides.begin(), decides.end(), true), 0) << "one operation does not suffice any more";
}

}  // namespace
}  // namespace linchpin::research::schedule_count_test
