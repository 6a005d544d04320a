#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/fastlin/format.hpp"
#include "formats/reading_test.hpp"

namespace linchpin {
namespace {

using ::testing::ElementsAre;
using namespace formats::testing;  // NOLINT(google-build-using-namespace)

TEST(Fastlin, ReadsQueuesWithMinusOneAsEmpty) {
  const History history = history_of("", example("fastlin/examples/queue.log"));
  EXPECT_EQ(history.objects()[0].type.to_string(), "queue");
  EXPECT_THAT(operations_of(history),
              ElementsAre("enq(1)@0-4", "deq() -> nil@1-2", "peek() -> 1@5-6", "deq() -> 1@7-9"));
  EXPECT_EQ(history.process(0), kNoProcess);
  EXPECT_EQ(history.place(1).line, 3U);
}

TEST(Fastlin, ReadsSetsWhoseMethodsCarryTheResult) {
  const History history = history_of("", example("fastlin/examples/set.log"));
  EXPECT_EQ(history.objects()[0].type.to_string(), "set");
  EXPECT_THAT(operations_of(history), ElementsAre("insert(5) -> true@1-2", "contains(5) -> true@3-4",
                                                  "remove(5) -> true@5-6", "contains(5) -> false@7-8"));
}

TEST(Fastlin, ReadsStacksAndPriorityQueuesLargestFirst) {
  EXPECT_THAT(operations_of(history_of("", "# stack\npush -7 1 2\npop -7 3 4\n")),
              ElementsAre("push(-7)@1-2", "pop() -> -7@3-4"));
  const History history = history_of("", "# priorityqueue\ninsert 2 1 5\npoll -1 6 7");
  EXPECT_EQ(history.objects()[0].type.to_string(), "priority-queue order=largest");
  EXPECT_THAT(operations_of(history), ElementsAre("insert(2)@1-5", "poll() -> nil@6-7"));
}

TEST(Fastlin, ReadsTheRowsOfPolyLin) {
  EXPECT_EQ(history_of("", "# pqueue\ninsert 2 1 5\n").objects()[0].type.to_string(), "priority-queue order=largest");
  EXPECT_THAT(
      operations_of(history_of("", "# set\ninsert 5 1 1 2\ninsert 5 0 3 4\ncontains 5 0 6 7\nremove 5 1 8 9\n")),
      ElementsAre("insert(5) -> true@1-2", "insert(5) -> false@3-4", "contains(5) -> false@6-7",
                  "remove(5) -> true@8-9"));
}

TEST(Fastlin, TheCallersTypeDecidesWhichMethodsThereAre) {
  ReadOptions options;
  options.type = TypeName{.name = "stack", .options = {{"x", "y"}}};
  const History history = history_of("fastlin", "# queue\npush 1 1 2\n", options);
  EXPECT_EQ(history.objects()[0].type.to_string(), "stack x=y");
  EXPECT_EQ(error_of("fastlin", "# queue\nenq 1 1 2\n", options).code, ErrorCode::unknown_method);
  // A type that this format does not know keeps the header's methods.
  options.type = TypeName{.name = "bag", .options = {}};
  EXPECT_EQ(history_of("fastlin", "# queue\nenq 1 1 2\n", options).objects()[0].type.name, "bag");
}

TEST(Fastlin, ReadsTheWholeRangeOfValues) {
  const History history = history_of("", "# stack\npush 9223372036854775807 0 1\npush -9223372036854775808 2 3\n");
  EXPECT_EQ(history.pool().integer_of(history.arguments(0)[0]), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(history.pool().integer_of(history.arguments(1)[0]), std::numeric_limits<std::int64_t>::min());
}

TEST(Fastlin, RefusesWhatIsWrongWithItsPlace) {
  expect_refused("fastlin",
                 {{"Empty", "", ErrorCode::truncated, 0, 0},
                  {"BlankLines", "\n\n", ErrorCode::missing_field, 2, 1},
                  {"NoHeader", "enq 1 1 2\n", ErrorCode::missing_field, 1, 1},
                  {"SecondHeader", "# queue\nenq 1 1 2\n# stack\n", ErrorCode::syntax, 3, 3},
                  {"UnknownType", "# tree\n", ErrorCode::unknown_type, 1, 3},
                  {"WrongMethod", "# queue\npush 1 1 2\n", ErrorCode::unknown_method, 2, 1},
                  {"Truncated", "# queue\nenq 1 1 2\nenq 2 3", ErrorCode::missing_field, 3, 8},
                  {"NoValue", "# queue\nenq\n", ErrorCode::missing_field, 2, 4},
                  {"WrongField", "# queue\nenq 1 x 2\n", ErrorCode::bad_number, 2, 7},
                  {"GluedField", "# queue\nenq 1 1x 2\n", ErrorCode::bad_number, 2, 7},
                  {"MinusAlone", "# queue\nenq - 1 2\n", ErrorCode::bad_number, 2, 5},
                  {"TooManyFields", "# queue\nenq 1 1 2 3\n", ErrorCode::syntax, 2, 11},
                  {"ValueOutOfRange", "# queue\nenq 9223372036854775808 1 2\n", ErrorCode::bad_number, 2, 5},
                  {"TimeOutOfRange", "# queue\nenq 1 1 18446744073709551616\n", ErrorCode::bad_number, 2, 9},
                  {"TimeAtTheClocksEnd", "# queue\nenq 1 1 9223372036854775807\n", ErrorCode::bad_number, 2, 9},
                  {"TimeBelowZero", "# queue\nenq 1 -1 2\n", ErrorCode::bad_number, 2, 7},
                  {"ResponseBeforeCall", "# queue\nenq 1 5 2\n", ErrorCode::response_before_call, 2, 9},
                  {"EmptyCannotBeAdded", "# queue\nenq -1 1 2\n", ErrorCode::bad_number, 2, 5},
                  {"ContainsWithoutResult", "# set\ncontains 1 1 2\n", ErrorCode::missing_field, 2, 1},
                  {"ResultTwice", "# set\ncontains_true 1 1 1 2\n", ErrorCode::syntax, 2, 1},
                  {"ResultNeither", "# set\ninsert 1 2 3 4\n", ErrorCode::bad_number, 2, 10},
                  {"NotUtf8", "# queue\nenq 1 1 2\n\xc3\x28\n", ErrorCode::encoding, 3, 1}});
}

TEST(Fastlin, IsTotal) {
  expect_total("fastlin", example("fastlin/examples/queue.log"));
  expect_total("fastlin", "# set\ninsert 5 1 1 2\ncontains_true 5 3 4\n");
}

TEST(Fastlin, RefusesAVeryLongLineAtOnce) {
  const std::string digits(8'000'000, '7');
  EXPECT_EQ(error_of("fastlin", "# queue\nenq " + digits + " 1 2\n").code, ErrorCode::bad_number);
  EXPECT_EQ(error_of("fastlin", "# queue\n" + digits).code, ErrorCode::unknown_method);
  EXPECT_LT(error_of("fastlin", "# queue\n" + digits).message.size(), 200U);
}

TEST(Fastlin, WritesWhatItReads) {
  for (const std::string text : {"# queue\nenq 1 0 4\ndeq -1 1 2\npeek 1 5 6\ndeq 1 7 9\n",
                                 "# stack\npush -7 1 2\npop -7 3 4\n", "# priorityqueue\ninsert 2 1 5\npoll 2 6 7\n",
                                 "# set\ninsert 5 1 2\ncontains_true 5 3 4\nremove 5 5 6\ncontains_false 5 7 8\n"}) {
    std::string out;
    const auto written = formats::fastlin::write(history_of("fastlin", text), out);
    EXPECT_TRUE(written) << written.error().to_string();
    EXPECT_EQ(out, text);
  }
}

TEST(Fastlin, RefusesToWriteWhatTheFormatCannotSay) {
  for (const std::string text :
       {"# linchpin 1\n# type: queue\n0 1 - enqueue 1\n", "# linchpin 1\n# type: queue\n0 1 2 enqueue word\n",
        "# linchpin 1\n# type: queue\n0 1 2 dequeue -> ?\n", "# linchpin 1\n# type: queue\n0 1 2 enqueue -1\n",
        "# linchpin 1\n# type: queue\n0 -1 2 enqueue 1\n", "# linchpin 1\n# type: queue\n0 1 2 size -> 1\n",
        "# linchpin 1\n# type: queue capacity=3\n0 1 2 enqueue 1\n",
        "# linchpin 1\n# type: set\n0 1 2 add 1 -> false\n",
        "# linchpin 1\n# type: priority-queue order=smallest\n0 1 2 insert 1\n", "# linchpin 1\n# type: counter\n",
        "# linchpin 1\n# object a: queue\n# object b: queue\n"}) {
    std::string out;
    const auto written = formats::fastlin::write(history_of("text", text), out);
    ASSERT_FALSE(written) << text;
    EXPECT_EQ(written.error().code, ErrorCode::unsupported);
    EXPECT_FALSE(written.error().hint.empty());
  }
}

}  // namespace
}  // namespace linchpin
