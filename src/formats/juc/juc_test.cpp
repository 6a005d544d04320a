#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "formats/juc/format.hpp"
#include "support/histories.hpp"
#include "support/paths.hpp"

namespace linchpin::formats::juc {
namespace {

using linchpin::testing::dump;
using linchpin::testing::error_of;
using linchpin::testing::expect_useful;
using linchpin::testing::read_all;

std::string example(const std::string& name) {
  std::ifstream file(test::source_folder() / "src/formats/juc/examples" / name);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

std::string queue(std::string_view events) {
  return R"({"schema":{"class":"a.b.Queue"},"events":[)" + std::string(events) + "]}";
}
const std::string kCall = R"({"kind":"call","sid":0,"invocation":{"id":0,"method":{"name":"poll"},"arguments":[]}})";
const std::string kReturn = R"({"kind":"return","sid":0,"invocation":{"id":0},"value":"1"})";

TEST(Juc, ReadsOneHistoryALine) {
  const auto histories = read_all(read, example("queue.jsonl"));
  ASSERT_EQ(histories.size(), 2U);
  ASSERT_TRUE(histories[0]) << histories[0].error().to_string();
  ASSERT_TRUE(histories[1]) << histories[1].error().to_string();
  EXPECT_EQ(dump(*histories[0]),
            "'0' 0.offer(1,) -> true [0, 3]\n"
            "'1' 0.clear() -> none [1, 2]\n"
            "'1' 0.toArray() -> \"[1]\" [4, 5]\n"
            "object '': ArrayBlockingQueue capacity=20\npending: 0\n");
  EXPECT_EQ(dump(*histories[1]),
            "'0' 0.putAll([[1 2] [k [3]]],) -> none [0, 1]\n"
            "'0' 0.get(4,) -> nil [2, 3]\n"
            "'0' 0.get(1,) -> ? [4, pending]\n"
            "object '': ConcurrentHashMap\npending: 1\n");
  EXPECT_TRUE(histories[0]->result(2).is_string());
  EXPECT_EQ(histories[1]->place(1).line, 2U);
}

TEST(Juc, AKeyThatStandsTwiceIsRefused) {
  for (const std::string& text :
       {std::string(R"({"schema":{"class":"a.b.Queue"},"events":[],"events":[]})"),
        queue(kCall + "," + R"({"kind":"return","sid":0,"invocation":{"id":0},"value":"1","value":"2"})"),
        queue(R"({"kind":"call","sid":0,"invocation":{"id":0,"id":1,"method":{"name":"poll"},"arguments":[]}})"),
        queue(R"({"kind":"call","sid":0,"invocation":{"id":0,"method":{"name":"f"},"arguments":[{"a":1,"a":2}]}})")}) {
    const Error error = error_of(read, text);
    EXPECT_EQ(error.code, ErrorCode::syntax) << error.to_string();
    EXPECT_NE(error.message.find("twice"), std::string::npos) << error.to_string();
  }
}

TEST(Juc, ReadsOneDocumentOverSeveralLines) {
  const auto histories = read_all(read, example("pretty.json"));
  ASSERT_EQ(histories.size(), 1U);
  ASSERT_TRUE(histories[0]) << histories[0].error().to_string();
  EXPECT_EQ(histories[0]->size(), 1U);
  EXPECT_EQ(histories[0]->place(0).line, 4U);
  EXPECT_EQ(histories[0]->place(0).column, 5U);
}

TEST(Juc, ADamagedHistoryDoesNotHideTheOthers) {
  const auto histories = read_all(read, queue(kCall) + "\n{\"schema\":\n" + queue(kReturn) + "\n" + queue(kCall));
  ASSERT_EQ(histories.size(), 4U);
  EXPECT_TRUE(histories[0]);
  EXPECT_FALSE(histories[1]);
  EXPECT_FALSE(histories[2]);
  EXPECT_TRUE(histories[3]);
  EXPECT_EQ(histories[2].error().line, 3U);
}

TEST(Juc, ResultsAreTakenBackFromJavasText) {
  const auto result = [](std::string_view value) {
    const auto histories = read_all(
        read, queue(kCall + R"(,{"kind":"return","sid":0,"invocation":{"id":0},"value":)" + std::string(value) + "}"));
    return histories.at(0)->pool().to_text(histories[0]->result(0));
  };
  EXPECT_EQ(result("\"null\""), "nil");
  EXPECT_EQ(result("\"false\""), "false");
  EXPECT_EQ(result("\"-12\""), "-12");
  EXPECT_EQ(result("\"\""), "\"\"");
  EXPECT_EQ(result("\"[0, 1]\""), "\"[0, 1]\"");
  EXPECT_EQ(result("\"java.util.NoSuchElementException\""), "java.util.NoSuchElementException");
  EXPECT_EQ(result("7"), "7");
  EXPECT_EQ(result("null"), "nil");
}

TEST(Juc, SaysWhatIsWrongAndWhere) {
  struct Bad {
    std::string text;
    ErrorCode code;
  };
  const std::string second_call =
      R"({"kind":"call","sid":1,"invocation":{"id":0,"method":{"name":"poll"},"arguments":[]}})";
  const std::string second_open =
      R"({"kind":"call","sid":0,"invocation":{"id":1,"method":{"name":"poll"},"arguments":[]}})";
  const Bad cases[] = {
      {"", ErrorCode::truncated},
      {"\n  \n", ErrorCode::truncated},
      {"[]", ErrorCode::syntax},
      {"{}", ErrorCode::missing_field},
      {R"({"schema":{"class":"a.B"}})", ErrorCode::missing_field},
      {R"({"events":[]})", ErrorCode::missing_field},
      {R"({"schema":{"class":"a."},"events":[]})", ErrorCode::syntax},
      {R"({"schema":{"class":"a.B"},"events":{}})", ErrorCode::syntax},
      {queue("7"), ErrorCode::syntax},
      {queue("{}"), ErrorCode::missing_field},
      {queue(R"({"kind":"call","sid":0})"), ErrorCode::missing_field},
      {queue(R"({"kind":"call","sid":0,"invocation":{"id":0}})"), ErrorCode::missing_field},
      {queue(R"({"kind":"call","sid":0,"invocation":{"id":0,"method":{"name":"m"}}})"), ErrorCode::missing_field},
      {queue(R"({"kind":"jump","sid":0,"invocation":{"id":0}})"), ErrorCode::syntax},
      {queue(kReturn), ErrorCode::return_without_call},
      {queue(kCall + "," + kReturn + "," + kReturn), ErrorCode::return_without_call},
      {queue(kCall + "," + second_call), ErrorCode::duplicate_id},
      {queue(kCall + "," + second_open), ErrorCode::overlapping_operations},
      {queue(kCall + R"(,{"kind":"return","sid":1,"invocation":{"id":0},"value":"1"})"),
       ErrorCode::return_without_call},
      {queue(kCall + R"(,{"kind":"return","sid":0,"invocation":{"id":0}})"), ErrorCode::missing_field},
      {queue(kCall) + "]", ErrorCode::syntax},
      {queue("\"\xff\""), ErrorCode::encoding},
      {std::string(100000, '['), ErrorCode::truncated},
  };
  for (const Bad& bad : cases) {
    const Error error = error_of(read, bad.text);
    expect_useful(error);
    EXPECT_EQ(name(error.code), name(bad.code)) << bad.text << '\n' << error.to_string();
  }
  EXPECT_EQ(error_of(read, queue(kCall + "," + second_call)).column, queue(kCall + ",").size() - 1);
}

TEST(Juc, ArgumentsNestOnlySoDeep) {
  const auto nested = [](std::size_t depth) {
    return queue(R"({"kind":"call","sid":0,"invocation":{"id":0,"method":{"name":"m"},"arguments":[)" +
                 std::string(depth, '[') + std::string(depth, ']') + "]}}");
  };
  EXPECT_TRUE(read_all(read, nested(64)).at(0));
  expect_useful(error_of(read, nested(65)));
  expect_useful(error_of(read, nested(2000)));
}

TEST(Juc, EveryTruncationIsAnError) {
  const std::string line = example("queue.jsonl").substr(0, example("queue.jsonl").find('\n'));
  for (std::size_t length = 0; length < line.size(); ++length) expect_useful(error_of(read, line.substr(0, length)));
  const std::string pretty = example("pretty.json");
  for (std::size_t length = 0; length + 2 < pretty.size(); ++length) {
    expect_useful(error_of(read, pretty.substr(0, length)));
  }
}

TEST(Juc, EveryByteChangedGivesHistoriesOrErrors) {
  for (const char* const name : {"queue.jsonl", "pretty.json"}) {
    const std::string text = example(name);
    for (std::size_t i = 0; i < text.size(); ++i) {
      for (const char c : {'\0', '"', '{', ']', '\n', '\xff', '9', '\\'}) {
        std::string changed = text;
        changed[i] = c;
        for (const auto& history : read_all(read, changed)) {
          if (!history) expect_useful(history.error());
        }
      }
    }
  }
}

TEST(Juc, IsRecognisedByItsFields) {
  EXPECT_GE(detect(example("queue.jsonl")), 90);
  EXPECT_GE(detect(example("pretty.json")), 90);
  EXPECT_EQ(detect("{\"linchpin\":1}"), 0);
  EXPECT_EQ(detect(""), 0);
}

}  // namespace
}  // namespace linchpin::formats::juc
