// The search over what is inside a priority queue, held against the oracle.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "support/found_within.hpp"
#include "support/search_check.hpp"
#include "types/priority_queue/entries.hpp"
#include "types/priority_queue/specification.hpp"

namespace linchpin::priority_queue_entries_test {
namespace {

using test::below;
using test::Draft;
using test::Random;
using types::PriorityQueue;
using types::priority_queue::kEntries;

Value number(std::size_t value) { return Value::integer(static_cast<std::int64_t>(value)); }

class PriorityQueueEntries : public testing::TestWithParam<std::tuple<std::string, std::size_t>> {};

TEST_P(PriorityQueueEntries, AgreeWithTheOracle) {
  const auto& [type, width] = GetParam();
  test::SearchCheck check{.specification = test::specification_of(type),
                          .applicable = kEntries.applicable,
                          .decide =
                              [width = width](const history::Subhistory& part, core::Budget& budget) {
                                const auto search =
                                    types::priority_queue::start_few_entries(part, {.witness = true}, width);
                                while (!search->run(10'000, budget)) {
                                }
                                return search->outcome();
                              },
                          .results = {number(1), number(2), number(3), Value::nil()}};
  const bool total = type.find('<') == std::string::npos;
  const auto drafter = [total](Random& random) {
    const Value value = number(1 + below(random, 3));
    const Value priority = below(random, 8) == 0 && total ? Value::nil() : number(1 + below(random, 3));
    switch (below(random, 9)) {
      case 0:
      case 1:
      case 2: return Draft{PriorityQueue::kInsert, {value, priority}, {Value::none()}};
      case 3:
      case 4:
      case 5: return Draft{PriorityQueue::kPoll, {}, {value, Value::nil()}};
      case 6: return Draft{PriorityQueue::kPeek, {}, {value, Value::nil()}};
      case 7: return Draft{PriorityQueue::kSize, {}, {Value::unknown()}};
      default: return Draft{PriorityQueue::kIsEmpty, {}, {Value::boolean(true), Value::boolean(false)}};
    }
  };
  check.random(drafter, 11, 20000);
  EXPECT_GT(check.applied, check.drawn / 3);
}

TEST(PriorityQueueEntriesSearch, SoonFindsInWhichOrderEqualsWereInserted) {
  for (const char* const type : {"priority-queue ties=fifo", "priority-queue order=componentwise"}) {
    generate::Plan plan;
    plan.type = *TypeName::parse(type);
    plan.operations = 1000;
    plan.processes = 12;
    plan.in_flight = 8;
    plan.values = 5;
    plan.pending = 10;
    plan.seed = 1;
    test::expect_found_within(4'000'000, plan, kEntries);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Types, PriorityQueueEntries,
    testing::Combine(testing::Values("priority-queue", "priority-queue ties=fifo",
                                     "priority-queue order=largest ties=fifo", "priority-queue order=1<2,1<3",
                                     "priority-queue order=1<2,1<3 ties=fifo", "priority-queue order=1<3 ties=fifo"),
                     testing::Values(1, 24)));

}  // namespace
}  // namespace linchpin::priority_queue_entries_test
