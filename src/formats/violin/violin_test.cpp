#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/reading_test.hpp"

namespace linchpin {
namespace {

using ::testing::ElementsAre;
using namespace formats::testing;  // NOLINT(google-build-using-namespace)

TEST(Violin, ReadsCallsAndReturnsInTheOrderOfLines) {
  const History history = history_of("", example("violin/examples/stack.hist"));
  EXPECT_EQ(history.objects()[0].type.to_string(), "stack");
  EXPECT_THAT(operations_of(history),
              ElementsAre("push(1)@0-2", "pop() -> nil@1-3", "pop() -> 1@4-6", "push(a) pending@5-"));
  EXPECT_EQ(history.process(0), 1U);
  EXPECT_EQ(history.process(2), 1U);
}

TEST(Violin, UnderstandsEveryWayToWriteACall) {
  EXPECT_THAT(operations_of(history_of("",
                                       "# @object atomic-queue\n"
                                       "[1] call enq 1\n[1] return\n[1] call enqueue( x y )\n[1] return true\n"
                                       "  [t2] call deq()\n  [t2] return\n[t2] call pop\n[t2] return empty\n"
                                       "[3] call remove(7)\n[3] return\n[3] call remove(7)\n[3] return 7\n")),
              ElementsAre("enq(1)@0-1", "enqueue(\"x y\") -> true@2-3", "deq() -> nil@4-5", "pop() -> nil@6-7",
                          "remove() -> 7@8-9", "remove() -> 7@10-11"));
}

TEST(Violin, AFileWithoutHeaderTakesItsTypeFromTheCaller) {
  ReadOptions options;
  options.type = TypeName{.name = "queue", .options = {}};
  EXPECT_EQ(history_of("", "[1] call add(1)\n", options).objects()[0].type.name, "queue");
  EXPECT_EQ(history_of("", "[1] call add(1)\n").objects()[0].type.name, "");
}

TEST(Violin, ReadsACallWrittenTwiceInARowAsTwo) {
  EXPECT_THAT(operations_of(history_of("violin", "[1] call pop\n[1] call pop\n[1] return 0\n[2] call push(1)\n")),
              ElementsAre("pop() -> 0@0-2", "pop() pending@1-", "push(1) pending@3-"));
}

TEST(Violin, RefusesWhatIsWrongWithItsPlace) {
  expect_refused(
      "violin",
      {{"Empty", "", ErrorCode::truncated, 0, 0},
       {"NotAnEvent", "push(1)\n", ErrorCode::syntax, 1, 1},
       {"IdNotClosed", "[1 call push(1)\n", ErrorCode::syntax, 1, 1},
       {"NoId", "[] call push(1)\n", ErrorCode::missing_field, 1, 1},
       {"NoKind", "[1]\n", ErrorCode::missing_field, 1, 4},
       {"WrongKind", "[1] ends\n", ErrorCode::syntax, 1, 5},
       {"NoMethod", "[1] call\n", ErrorCode::missing_field, 1, 9},
       {"WrongMethod", "[1] call peek\n", ErrorCode::unknown_method, 1, 10},
       {"NoValue", "[1] call push\n", ErrorCode::missing_field, 1, 14},
       {"BracketNotClosed", "[1] call push(1\n", ErrorCode::syntax, 1, 14},
       {"OneBracket", "[1] call push(\n", ErrorCode::syntax, 1, 14},
       {"EmptyAsAValue", "[1] call push(empty)\n", ErrorCode::syntax, 1, 15},
       {"ValueOutOfRange", "[1] call push(99999999999999999999)\n", ErrorCode::bad_number, 1, 15},
       {"ReturnedValueOutOfRange", "[1] call pop\n[1] return 99999999999999999999\n", ErrorCode::bad_number, 2, 12},
       {"DuplicateId", "[1] call push(1)\n[1] call push(2)\n", ErrorCode::duplicate_id, 2, 1},
       {"DuplicateIdAfterAReturn", "[1] call pop\n[2] call pop\n[2] return\n[1] call pop\n", ErrorCode::duplicate_id, 4,
        1},
       {"ReturnWithoutCall", "[1] call pop\n[2] return\n", ErrorCode::return_without_call, 2, 2},
       {"ReturnTwice", "[1] call pop\n[1] return\n[1] return\n", ErrorCode::return_without_call, 3, 2},
       {"AddReturnsEmpty", "[1] call push(1)\n[1] return empty\n", ErrorCode::syntax, 2, 12},
       {"OtherValueThanCalled", "[1] call pop(1)\n[1] return 2\n", ErrorCode::syntax, 2, 12},
       {"HeaderWithoutName", "# @object\n", ErrorCode::missing_field, 1, 10},
       {"TwoHeaders", "# @object atomic-queue\n# @object atomic-stack\n", ErrorCode::syntax, 2, 11},
       {"NotUtf8", "[1] call push(\xc0)\n", ErrorCode::encoding, 1, 15}});
}

TEST(Violin, IsTotal) { expect_total("violin", example("violin/examples/stack.hist")); }

TEST(Violin, ReadsAVeryLongValue) {
  const std::string value(4'000'000, 'x');
  const History history = history_of("violin", "[1] call push(" + value + ")\n");
  EXPECT_EQ(history.pool().text_of(history.arguments(0)[0]).size(), value.size());
}

}  // namespace
}  // namespace linchpin
