#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/reading_test.hpp"

namespace linchpin {
namespace {

using ::testing::ElementsAre;
using namespace formats::testing;  // NOLINT(google-build-using-namespace)

TEST(Thesis, ReplacesTimesByTheirRanks) {
  const auto histories = read("", example("thesis/examples/cas.jsonl"));
  ASSERT_EQ(histories.size(), 2U);
  ASSERT_TRUE(histories[0]) << histories[0].error().to_string();
  ASSERT_TRUE(histories[1]);
  EXPECT_EQ(histories[0]->objects()[0].type.to_string(), "cas-register initial=undefined");
  EXPECT_THAT(operations_of(*histories[0]),
              ElementsAre("write(0)@0-2", "read() -> 0@1-3", "cas(0, 1) -> true@3-5", "cas(1, 2) -> false@4-6"));
  EXPECT_EQ(histories[0]->process(2), 1U);
  EXPECT_EQ(histories[1]->place(0).line, 2U);
}

TEST(Thesis, ADamagedLineDoesNotHideTheOthers) {
  const std::string good = R"({"ops": [{"thread": 1, "start": 1, "end": 2, "type": "write", "args": [1]}]})";
  const auto histories = read("thesis", good + "\n{\"ops\": [\n\n" + good + "\n\"\xff\"\n" + good);
  ASSERT_EQ(histories.size(), 5U);
  EXPECT_TRUE(histories[0]);
  ASSERT_FALSE(histories[1]);
  EXPECT_EQ(histories[1].error().line, 2U);
  EXPECT_TRUE(histories[2]);
  EXPECT_EQ(histories[2]->place(0).line, 4U);
  ASSERT_FALSE(histories[3]);
  EXPECT_EQ(histories[3].error().code, ErrorCode::encoding);
  EXPECT_TRUE(histories[4]);
}

TEST(Thesis, StopsWhenAskedTo) {
  const std::string bytes = example("thesis/examples/cas.jsonl");
  int emitted = 0;
  const core::Source source{.name = "input", .bytes = bytes};
  ASSERT_TRUE(formats::read_source(source, {}, [&emitted](const Result<History>&) { return ++emitted < 1; }));
  EXPECT_EQ(emitted, 1);
}

std::string line(const std::string& operation) { return R"({"ops": [)" + operation + "]}"; }

TEST(Thesis, AKeyThatStandsTwiceIsRefused) {
  EXPECT_EQ(error_of("thesis", R"({"ops": [], "ops": []})").code, ErrorCode::syntax);
  const std::string twice = R"({"thread": 1, "start": 1, "end": 2, "type": "write", "args": [1], "args": [2]})";
  EXPECT_EQ(error_of("thesis", line(twice)).message, "operation 0: the key \"args\" stands twice");
}

TEST(Thesis, RefusesWhatIsWrongWithItsPlace) {
  expect_refused(
      "thesis",
      {{"Empty", "", ErrorCode::truncated, 0, 0},
       {"NotJson", "hello", ErrorCode::syntax, 1, 1},
       {"NoOps", "{}", ErrorCode::missing_field, 1, 1},
       {"Truncated", R"({"ops": [{"thread": 1, "st)", ErrorCode::syntax, 1, 1},
       {"NotAnObject", line("1"), ErrorCode::syntax, 1, 1},
       {"NoThread", line(R"({"start": 1, "end": 2, "type": "write", "args": [1]})"), ErrorCode::missing_field, 1, 1},
       {"ThreadOutOfRange", line(R"({"thread": -1, "start": 1, "end": 2, "type": "write", "args": [1]})"),
        ErrorCode::bad_number, 1, 1},
       {"NoEnd", line(R"({"thread": 1, "start": 1, "type": "write", "args": [1]})"), ErrorCode::missing_field, 1, 1},
       {"StartNotANumber", line(R"({"thread": 1, "start": "1", "end": 2, "type": "write", "args": [1]})"),
        ErrorCode::bad_number, 1, 1},
       {"StartOutOfRange", line(R"({"thread": 1, "start": 1, "end": 9007199254740993, "type": "write", "args": [1]})"),
        ErrorCode::bad_number, 1, 1},
       {"WrongMethod", line(R"({"thread": 1, "start": 1, "end": 2, "type": "add", "args": [1]})"),
        ErrorCode::unknown_method, 1, 1},
       {"NoArguments", line(R"({"thread": 1, "start": 1, "end": 2, "type": "write"})"), ErrorCode::missing_field, 1, 1},
       {"TooFewArguments", line(R"({"thread": 1, "start": 1, "end": 2, "type": "cas", "args": [1], "ok": true})"),
        ErrorCode::bad_arguments, 1, 1},
       {"ArgumentOutOfRange",
        line(R"({"thread": 1, "start": 1, "end": 2, "type": "write", "args": [18446744073709551615]})"),
        ErrorCode::bad_number, 1, 1},
       {"ArgumentIsAFraction", line(R"({"thread": 1, "start": 1, "end": 2, "type": "write", "args": [1.5]})"),
        ErrorCode::bad_arguments, 1, 1},
       {"NoOutcome", line(R"({"thread": 1, "start": 1, "end": 2, "type": "cas", "args": [1, 2]})"),
        ErrorCode::missing_field, 1, 1},
       {"ResponseBeforeCall", line(R"({"thread": 1, "start": 2, "end": 1, "type": "write", "args": [1]})"),
        ErrorCode::response_before_call, 1, 1},
       {"TwoOpenInOneProcess",
        line(R"({"thread": 1, "start": 1, "end": 5, "type": "write", "args": [1]},)"
             R"({"thread": 1, "start": 2, "end": 3, "type": "write", "args": [1]})"),
        ErrorCode::overlapping_operations, 1, 1}});
}

TEST(Thesis, IsTotal) { expect_total("thesis", example("thesis/examples/cas.jsonl")); }

}  // namespace
}  // namespace linchpin
