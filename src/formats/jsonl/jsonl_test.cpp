#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "formats/jsonl/format.hpp"
#include "support/histories.hpp"
#include "support/paths.hpp"

namespace linchpin::formats::jsonl {
namespace {

using linchpin::testing::dump;
using linchpin::testing::error_of;
using linchpin::testing::expect_useful;
using linchpin::testing::read_all;

std::string example(const std::string& name) {
  std::ifstream file(test::source_folder() / "src/formats/jsonl/examples" / name);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

std::string queue_line(std::string_view line) {
  return "{\"linchpin\":1,\"type\":\"queue\"}\n" + std::string(line) + "\n";
}

TEST(Jsonl, ReadsOneOperationALine) {
  const auto histories = read_all(read, example("queue.jsonl"));
  ASSERT_EQ(histories.size(), 1U);
  ASSERT_TRUE(histories[0]) << histories[0].error().to_string();
  EXPECT_EQ(dump(*histories[0]),
            "'0' 0.enqueue(7,) -> none [1, 4]\n"
            "'1' 0.dequeue() -> 7 [2, 3]\n"
            "'0' 0.enqueue(last,) -> ? [5, pending]\n"
            "object '': queue\npending: 1\n");
  EXPECT_EQ(histories[0]->place(1).line, 3U);
  EXPECT_EQ(histories[0]->source(), "input");
}

TEST(Jsonl, ReadsSeveralHistoriesInBothForms) {
  const auto histories = read_all(read, example("many.jsonl"));
  ASSERT_EQ(histories.size(), 3U);
  for (const auto& history : histories) ASSERT_TRUE(history) << history.error().to_string();
  EXPECT_EQ(histories[1]->place(1).line, 2U);
  EXPECT_EQ(histories[1]->place(1).column, example("many.jsonl").find("[1,3,4") - example("many.jsonl").find('\n'));
  EXPECT_EQ(dump(*histories[2]),
            "'producer' 0.enqueue([1 a],) -> none [1, 2]\n"
            "'consumer' 0.dequeue() -> ? [3, 6]\n"
            "'consumer' 1.contains(nil,) -> false [7, 8]\n"
            "object 'jobs': queue\nobject 'done': set\n"
            "annotation 3 9 'partition' '' ''\npending: 0\n");
}

TEST(Jsonl, AKeyThatStandsTwiceIsRefusedAtTheSecond) {
  const std::string operation = R"({"call":1,"response":2,"method":"dequeue"})";
  for (const auto& [line, place] : std::vector<std::pair<std::string, std::size_t>>{
           {R"({"call":1,"response":2,"method":"dequeue","call":1})", 50},
           {R"({"call":1,"response":2,"method":"dequeue","result":1,"result":2})", 63},
           {R"({"call":1,"response":2,"method":"dequeue","shard":1,"shard":2})", 51},
           {R"({"call":1,"response":2,"method":"dequeue","fields":{"a":1,"a":2}})", 52}}) {
    const auto error = error_of(read, queue_line(line));
    expect_useful(error);
    EXPECT_EQ(error.line, 2U) << line;
    EXPECT_EQ(error.column, place) << line;
  }
  for (const char* header : {R"({"linchpin":1,"type":"queue","type":"stack"})", R"({"linchpin":1,"linchpin":1})",
                             R"({"linchpin":1,"operations":[],"operations":[[0,1,2,"dequeue"]]})",
                             R"({"linchpin":1,"annotations":[{"begin":1,"begin":2,"text":"x"}]})"}) {
    const auto error = error_of(read, std::string(header) + "\n");
    expect_useful(error);
    EXPECT_EQ(error.line, 1U) << header;
    EXPECT_EQ(error.code, ErrorCode::syntax) << header;
  }
}

TEST(Jsonl, TheTypeAskedForReplacesTheInputs) {
  ReadOptions options;
  options.type = TypeName{.name = "stack", .options = {}};
  const auto histories = read_all(read, example("many.jsonl"), options);
  ASSERT_EQ(histories.size(), 3U);
  for (const auto& history : histories) {
    for (const Object& object : history->objects()) EXPECT_EQ(object.type.name, "stack");
  }
}

TEST(Jsonl, ADamagedHistoryDoesNotHideTheOthers) {
  const std::string good = "{\"linchpin\":1,\"operations\":[]}\n";
  const auto histories = read_all(read, good + "{\"linchpin\":1}\n{\"call\":1,\n{\"call\":2}\n" + good +
                                            "{\"linchpin\":1,\"operations\":[[0,\n" + good + "nonsense\n" + good);
  std::string outcomes;
  for (const auto& history : histories) outcomes += history ? '+' : std::to_string(history.error().line)[0];
  EXPECT_EQ(outcomes, "+3+6+8+");
}

TEST(Jsonl, TicksValuesAndNamesKeepAll64BitsAndAllOfUnicode) {
  const auto histories = read_all(
      read, queue_line(R"({"process":"\u00e9\ud83d\ude00","call":-9223372036854775808,"response":9223372036854775806,)"
                       R"("method":"m","arguments":[9223372036854775807,18446744073709551615,1.5,{"bytes":"00ff"},)"
                       R"({"none":true}],"result":{"?":true}})"));
  ASSERT_TRUE(histories.at(0)) << histories[0].error().to_string();
  const History& history = *histories[0];
  EXPECT_EQ(history.process_name(history.process(0)), "\xc3\xa9\xf0\x9f\x98\x80");
  EXPECT_EQ(history.call(0), INT64_MIN);
  EXPECT_EQ(history.response(0), INT64_MAX - 1);
  const auto arguments = history.arguments(0);
  EXPECT_EQ(history.pool().integer_of(arguments[0]), INT64_MAX);
  EXPECT_EQ(history.pool().text_of(arguments[1]), "18446744073709551615");
  EXPECT_EQ(history.pool().text_of(arguments[2]), "1.5");
  EXPECT_EQ(history.pool().text_of(arguments[3]), std::string_view("\0\xff", 2));
  EXPECT_TRUE(arguments[4].is_none());
  EXPECT_TRUE(history.result(0).is_unknown());
}

TEST(Jsonl, WhatIsWrittenReadsBackTheSame) {
  linchpin::testing::RandomHistories random(20260101);
  std::string together;
  std::vector<std::string> expected;
  for (int round = 0; round < 1000; ++round) {
    const History history = random.next();
    std::string text;
    ASSERT_TRUE(write(history, text));
    const auto again = read_all(read, text);
    ASSERT_EQ(again.size(), 1U) << text;
    ASSERT_TRUE(again[0]) << again[0].error().to_string() << text;
    ASSERT_EQ(dump(*again[0]), dump(history)) << "round " << round << '\n' << text;
    together += text;
    expected.push_back(dump(history));
  }
  const auto all = read_all(read, together);
  ASSERT_EQ(all.size(), expected.size());
  for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(dump(*all[i]), expected[i]);
}

TEST(Jsonl, RefusesToWriteNamesThatAreNotUtf8) {
  HistoryBuilder builder;
  builder.add({.process = 0, .method = "\xff", .call = 1, .response = 2});
  std::string text = "kept";
  const auto written = write(*std::move(builder).build(), text);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::unsupported);
  EXPECT_EQ(text, "kept");
}

TEST(Jsonl, RefusesToWriteTypesThatReadBackAsOthers) {
  for (const TypeName& type :
       {TypeName{.name = "a\vb", .options = {}}, TypeName{.name = "queue", .options = {{"a b", "1"}}},
        TypeName{.name = "queue", .options = {{"capacity", "1 order=2"}}}}) {
    HistoryBuilder builder;
    builder.set_type(type);
    builder.add({.process = 0, .method = "m", .call = 1, .response = 2});
    std::string text;
    const auto written = write(*std::move(builder).build(), text);
    ASSERT_FALSE(written) << type.to_string();
    EXPECT_EQ(written.error().code, ErrorCode::unsupported);
  }
}

struct Bad {
  std::string_view line;
  ErrorCode code;
  std::uint64_t column;
};

TEST(Jsonl, SaysWhatIsWrongAndWhere) {
  const Bad cases[] = {
      {R"({"call":1,"response":2})", ErrorCode::missing_field, 1},
      {R"({"call":1,"method":"m"})", ErrorCode::missing_field, 1},
      {R"({"response":1,"method":"m"})", ErrorCode::missing_field, 1},
      {R"({"call":1,"response":2,"method":"m","rezult":3})", ErrorCode::syntax, 46},
      {R"({"call":1,"response":2,"method":7})", ErrorCode::syntax, 33},
      {R"({"call":"1","response":2,"method":"m"})", ErrorCode::bad_number, 9},
      {R"({"call":1.5,"response":2,"method":"m"})", ErrorCode::bad_number, 9},
      {R"({"call":1,"response":9223372036854775807,"method":"m"})", ErrorCode::bad_number, 22},
      {R"({"call":1,"response":99999999999999999999999,"method":"m"})", ErrorCode::bad_number, 1},
      {R"({"call":1,"response":2,"method":"m","arguments":7})", ErrorCode::syntax, 49},
      {R"({"call":1,"response":2,"method":"m","arguments":[{"a":1}]})", ErrorCode::syntax, 49},
      {R"({"call":1,"response":2,"method":"m","result":{"bytes":"0"}})", ErrorCode::syntax, 46},
      {R"({"call":1,"response":2,"method":"m","process":[]})", ErrorCode::syntax, 47},
      {R"({"call":1,"response":2,"method":"m","object":1})", ErrorCode::syntax, 46},
      {R"({"process":0,"call":5,"response":2,"method":"m"})", ErrorCode::response_before_call, 1},
      {R"([1,2])", ErrorCode::syntax, 1},
      {R"({"call":1,"response":2,"method":"m"} x)", ErrorCode::syntax, 38},
      {R"({"call":1,"response":2,"method":"m")", ErrorCode::truncated, 36},
      {R"({"call":01,"response":2,"method":"m"})", ErrorCode::bad_number, 9},
      {R"({"call":1,"response":2,"method":"\q"})", ErrorCode::syntax, 35},
      {R"({"call":1 "response":2,"method":"m"})", ErrorCode::syntax, 11},
      {"{\"call\":1,\"response\":2,\"method\":\"\xff\"}", ErrorCode::encoding, 34},
  };
  for (const Bad& bad : cases) {
    const Error error = error_of(read, queue_line(bad.line));
    expect_useful(error);
    EXPECT_EQ(name(error.code), name(bad.code)) << bad.line << '\n' << error.to_string();
    EXPECT_EQ(error.line, 2U) << bad.line;
    EXPECT_EQ(error.column, bad.column) << bad.line << '\n' << error.to_string();
  }
}

TEST(Jsonl, RefusesBadHeaders) {
  for (const std::string_view header :
       {R"({"linchpin":2})", R"({"linchpin":1,"typ":"queue"})", R"({"linchpin":1,"type":7})",
        R"({"linchpin":1,"type":"queue x"})", R"({"linchpin":1,"objects":[]})", R"({"linchpin":1,"objects":{"a":1}})",
        R"({"linchpin":1,"objects":{"a":"queue","a":"queue"}})", R"({"linchpin":1,"annotations":{}})",
        R"({"linchpin":1,"annotations":[{"text":"x"}]})", R"({"linchpin":1,"annotations":[{"begin":"x"}]})",
        R"({"linchpin":1,"operations":{}})", R"({"linchpin":1,"operations":[{}]})",
        R"({"linchpin":1,"operations":[[0,1,2]]})", R"({"linchpin":1,"operations":[[0,1,2,"m",[],1,"o",3]]})",
        R"({"linchpin":1,"operations":[[0,1,5,"m",[]],[0,2,3,"m",[]]]})",
        R"({"linchpin":1,"operations":[[0,1,null,"m",[]],[0,2,3,"m",[]]]})"}) {
    expect_useful(error_of(read, header));
  }
}

TEST(Jsonl, RefusesProcessesThatOverlapThemselves) {
  EXPECT_EQ(error_of(read, R"({"linchpin":1,"operations":[[0,1,5,"m",[]],[0,2,3,"m",[]]]})").code,
            ErrorCode::overlapping_operations);
  EXPECT_EQ(error_of(read, R"({"linchpin":1,"operations":[[0,1,null,"m",[]],[0,2,3,"m",[]]]})").code,
            ErrorCode::after_pending);
}

TEST(Jsonl, AnObjectMustBeNamedWhereThereAreSeveral) {
  const Error error = error_of(read,
                               "{\"linchpin\":1,\"objects\":{\"a\":null,\"b\":null}}\n"
                               "{\"call\":1,\"response\":2,\"method\":\"m\"}\n");
  EXPECT_EQ(error.code, ErrorCode::missing_field);
  expect_useful(error);
}

TEST(Jsonl, AnOperationBeforeAnyHeaderIsAnError) {
  const auto histories = read_all(read, "{\"call\":1,\"response\":2,\"method\":\"m\"}\n{\"call\":1}\n");
  ASSERT_EQ(histories.size(), 1U);
  expect_useful(histories[0].error());
}

TEST(Jsonl, EveryTruncationGivesHistoriesOrErrors) {
  for (const char* const name : {"queue.jsonl", "many.jsonl"}) {
    const std::string text = example(name);
    ASSERT_FALSE(text.empty());
    for (std::size_t length = 0; length < text.size(); ++length) {
      const auto histories = read_all(read, text.substr(0, length));
      ASSERT_FALSE(histories.empty());
      for (const auto& history : histories) {
        if (!history) expect_useful(history.error());
      }
      // A line that is cut is never taken for a whole one.
      const std::size_t line = text.rfind('\n', length == 0 ? 0 : length - 1);
      const bool whole = length != 0 && (text[length - 1] == '\n' || text[length] == '\n');
      if (!whole && line != length - 1) {
        EXPECT_FALSE(histories.back()) << text.substr(0, length);
      }
    }
  }
}

TEST(Jsonl, DeepNestingAndHugeLinesEndInAnErrorOrAHistory) {
  std::string deep(100000, '[');
  expect_useful(error_of(read, deep));
  expect_useful(error_of(read, queue_line("{\"call\":1,\"response\":2,\"method\":\"m\",\"arguments\":" + deep)));
  const std::string lists = std::string(300, '[') + std::string(300, ']');
  expect_useful(
      error_of(read, queue_line("{\"call\":1,\"response\":2,\"method\":\"m\",\"arguments\":[" + lists + "]}")));
  const std::string longer(4000000, 'x');
  const auto histories =
      read_all(read, queue_line("{\"call\":1,\"response\":2,\"method\":\"m\",\"arguments\":[\"" + longer + "\"]}"));
  ASSERT_TRUE(histories.at(0));
  EXPECT_EQ(histories[0]->pool().text_of(histories[0]->arguments(0)[0]), longer);
}

TEST(Jsonl, EveryByteChangedGivesHistoriesOrErrors) {
  const std::string text = example("many.jsonl");
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

TEST(Jsonl, IsRecognisedByItsHeader) {
  EXPECT_EQ(detect(example("queue.jsonl")), 100);
  EXPECT_EQ(detect(R"({"schema":{},"events":[]})"), 0);
  EXPECT_EQ(detect("# linchpin 1\n"), 0);
  EXPECT_EQ(detect(""), 0);
}

}  // namespace
}  // namespace linchpin::formats::jsonl
