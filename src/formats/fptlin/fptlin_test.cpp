#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/reading_test.hpp"

namespace linchpin {
namespace {

using ::testing::ElementsAre;
using namespace formats::testing;  // NOLINT(google-build-using-namespace)

TEST(Fptlin, ReadsQueuesWithProcesses) {
  const History history = history_of("", example("fptlin/examples/queue.log"));
  EXPECT_EQ(history.objects()[0].type.to_string(), "queue");
  EXPECT_THAT(operations_of(history),
              ElementsAre("ENQ(10)@1-5", "PEEK() -> 10@2-6", "DEQ() -> 10@7-8", "DEQ() -> nil@9-10"));
  EXPECT_EQ(history.process(1), 1U);
}

TEST(Fptlin, ReadsSetsWithOutcomes) {
  EXPECT_THAT(operations_of(history_of("", "# set\n2 0 2 CONTAINS 2 0\n0 0 4 INSERT 2 1\n0 5 6 REMOVE -1 0\n")),
              ElementsAre("CONTAINS(2) -> false@0-2", "INSERT(2) -> true@0-4", "REMOVE(-1) -> false@5-6"));
}

TEST(Fptlin, ReadsTheOldValueOfAnExchangeAsItsResult) {
  const History history = history_of("", "# rmw\n0 1 10 READ_MODIFY_WRITE 0 2\n");
  EXPECT_EQ(history.objects()[0].type.to_string(), "rmw initial=0");
  EXPECT_THAT(operations_of(history), ElementsAre("read_modify_write(2) -> 0@1-10"));
}

TEST(Fptlin, ReadsSemaphoresAndPriorityQueues) {
  const History history = history_of("", "# semaphore\n0 0 2 INCR 1\n1 0 4 DECR 0\n");
  EXPECT_EQ(history.objects()[0].type.to_string(), "semaphore initial=0");
  EXPECT_THAT(operations_of(history), ElementsAre("increment() -> true@0-2", "decrement() -> false@0-4"));
  EXPECT_EQ(history_of("", "# priorityqueue\n0 0 4 INSERT 2\n").objects()[0].type.to_string(),
            "priority-queue order=largest");
}

TEST(Fptlin, RefusesWhatIsWrongWithItsPlace) {
  expect_refused(
      "fptlin",
      {{"Empty", "", ErrorCode::truncated, 0, 0},
       {"NoHeader", "0 1 5 ENQ 10\n", ErrorCode::missing_field, 1, 1},
       {"SecondHeader", "# queue\n0 1 2 ENQ 1\n# queue\n", ErrorCode::syntax, 3, 3},
       {"UnknownType", "# tree\n", ErrorCode::unknown_type, 1, 3},
       {"WrongMethod", "# queue\n0 1 2 PUSH 1\n", ErrorCode::unknown_method, 2, 7},
       {"NoMethod", "# queue\n0 1 2\n", ErrorCode::missing_field, 2, 6},
       {"Truncated", "# queue\n0 1", ErrorCode::missing_field, 2, 4},
       {"NoValue", "# queue\n0 1 2 ENQ\n", ErrorCode::missing_field, 2, 10},
       {"WrongField", "# queue\n0 x 2 ENQ 1\n", ErrorCode::bad_number, 2, 3},
       {"TooManyFields", "# queue\n0 1 2 ENQ 1 1\n", ErrorCode::syntax, 2, 13},
       {"ProcessOutOfRange", "# queue\n2147483648 1 2 ENQ 1\n", ErrorCode::bad_number, 2, 1},
       {"ValueOutOfRange", "# queue\n0 1 2 ENQ 99999999999999999999\n", ErrorCode::bad_number, 2, 11},
       {"ResponseBeforeCall", "# queue\n0 5 2 ENQ 1\n", ErrorCode::response_before_call, 2, 5},
       {"EmptyCannotBeAdded", "# queue\n0 1 2 ENQ -1\n", ErrorCode::bad_number, 2, 11},
       {"OutcomeNeither", "# set\n0 1 2 INSERT 1 2\n", ErrorCode::bad_number, 2, 16},
       {"NoOutcome", "# semaphore\n0 1 2 INCR\n", ErrorCode::missing_field, 2, 11},
       {"NoNewValue", "# rmw\n0 1 2 READ_MODIFY_WRITE 1\n", ErrorCode::missing_field, 2, 26},
       {"TwoOpenInOneProcess", "# queue\n0 1 9 ENQ 1\n0 3 4 ENQ 2\n", ErrorCode::overlapping_operations, 3, 1},
       {"NotUtf8", "# queue\n0 1 2 ENQ \xff\n", ErrorCode::encoding, 2, 11}});
}

TEST(Fptlin, IsTotal) {
  expect_total("fptlin", example("fptlin/examples/queue.log"));
  expect_total("fptlin", "# rmw\n0 1 10 READ_MODIFY_WRITE 0 2\n");
}

}  // namespace
}  // namespace linchpin
