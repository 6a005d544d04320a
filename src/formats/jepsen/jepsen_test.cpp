#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "formats/jepsen/format.hpp"
#include "support/histories.hpp"
#include "support/paths.hpp"

namespace linchpin::formats::jepsen {
namespace {

using linchpin::testing::dump;
using linchpin::testing::error_of;
using linchpin::testing::expect_useful;
using linchpin::testing::read_all;

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}
std::string example() { return content(test::source_folder() / "src/formats/jepsen/examples/register.edn"); }

/// The operations of one history, one a line, without objects and the rest.
std::string operations(std::string_view text, const ReadOptions& options = {}) {
  const auto histories = read_all(read, text, options);
  if (histories.size() != 1) return std::to_string(histories.size()) + " histories";
  if (!histories[0]) return histories[0].error().to_string();
  const std::string all = dump(*histories[0]);
  return all.substr(0, all.find("object '"));
}

/// One operation invoked with one value and completed with another.
std::string completed(std::string_view f, std::string_view invoked, std::string_view value) {
  const std::string text = fmt::format(
      "{{:process 0 :type :invoke :f :{0} :value {1}}}{{:process 0 :type :ok :f :{0} :value {2}}}", f, invoked, value);
  const std::string operation = operations(text);
  return operation.substr(0, operation.find(" [0, 1]"));
}

std::string type_of(std::initializer_list<std::string_view> fs) {
  std::string text = "[";
  int process = 0;
  for (const std::string_view f : fs) {
    text += fmt::format("{{:process {} :type :invoke :f :{} :value [1 2]}}", process++, f);
  }
  const auto histories = read_all(read, text + "]");
  return histories.at(0)->objects()[0].type.to_string();
}

TEST(Jepsen, AKeyThatStandsTwiceIsRefusedAtTheSecond) {
  for (const std::string_view text : {"\n {:process 0 :type :invoke :f :read, :f :write}",
                                      "\n {:process 0 :type :invoke :f :read, :x 1 :y 2 :x 3}"}) {
    const Error error = error_of(read, text);
    expect_useful(error);
    EXPECT_EQ(error.line, 2U);
    EXPECT_EQ(error.column, text.rfind(text.find(":x") == text.npos ? ":f" : ":x"));
  }
  EXPECT_EQ(operations("{:process 0 :type :invoke :f :read, :x 1 \"x\" 2}"), "'0' 0.read() -> ? [0, pending]\n");
}

TEST(Jepsen, ReadsAHistory) {
  const auto histories = read_all(read, example());
  ASSERT_EQ(histories.size(), 1U);
  ASSERT_TRUE(histories[0]) << histories[0].error().to_string();
  EXPECT_EQ(dump(*histories[0]),
            "'0' 0.write(3,) -> none [0, 2]\n"
            "'1' 0.read() -> 3 [1, 5]\n"
            "'0' 0.write(5,) -> ? [7, pending]\n"
            "'2' 0.read() -> ? [11, 12]\n"
            "object '': cas-register\n"
            "annotation 3 10 'start \"isolated n1\"' 'nemesis' ''\n"
            "field 'error' of 2: \"#object[java.lang.Timeout 0x2f \\\"late\\\"]\"\n"
            "pending: 1\n");
  EXPECT_EQ(histories[0]->place(0).line, 2U);
  EXPECT_EQ(histories[0]->place(0).column, 2U);
  EXPECT_EQ(histories[0]->place(3).line, 14U);
}

TEST(Jepsen, AFailedCasIsDroppedOrAConstraint) {
  ReadOptions options;
  EXPECT_EQ(operations(example(), options).find("cas"), std::string::npos);
  options.fail = FailPolicy::constraint;
  EXPECT_NE(operations(example(), options).find("'1' 0.cas(3,4,) -> false [6, 8]\n"), std::string::npos);
  EXPECT_EQ(operations("{:process 0 :type :invoke :f :read} {:process 0 :type :fail :f :read}", options), "");
}

TEST(Jepsen, ListsVectorsAndStreamsAreTheSame) {
  const std::string map = "{:process 0, :type :invoke, :f :acquire, :value nil}";
  const std::string expected = "'0' 0.acquire() -> ? [0, pending]\n";
  EXPECT_EQ(operations(map), expected);
  EXPECT_EQ(operations("[" + map + "]"), expected);
  EXPECT_EQ(operations("(" + map + ")"), expected);
  EXPECT_EQ(operations("; text\n#jepsen.history.Op" + map), expected);
  EXPECT_EQ(operations("[" + map + "] [" + map + "]"), "2 histories");
  EXPECT_EQ(operations("[]"), "");
}

TEST(Jepsen, ValuesAreArgumentsOrResultsByFunction) {
  EXPECT_EQ(completed("read", "nil", "3"), "'0' 0.read() -> 3");
  EXPECT_EQ(completed("read", "3", "3"), "'0' 0.read() -> 3");
  EXPECT_EQ(completed("read", "nil", "nil"), "'0' 0.read() -> ?");
  EXPECT_EQ(completed("read", "nil", "#{2 1}"), "'0' 0.read() -> [1 2]");
  EXPECT_EQ(completed("dequeue", "nil", "3"), "'0' 0.dequeue() -> 3");
  EXPECT_EQ(completed("dequeue", "nil", "nil"), "'0' 0.dequeue() -> nil");
  EXPECT_EQ(completed("get", ":k", "3"), "'0' 0.get(k,) -> 3");
  EXPECT_EQ(completed("get", "nil", "3"), "'0' 0.get() -> 3");
  EXPECT_EQ(completed("write", "3", "3"), "'0' 0.write(3,) -> none");
  EXPECT_EQ(completed("write", "3", "nil"), "'0' 0.write(3,) -> none");
  EXPECT_EQ(completed("write", "nil", "3"), "'0' 0.write(3,) -> none");
  EXPECT_EQ(completed("enqueue", "\"a b\"", "\"a b\""), "'0' 0.enqueue(\"a b\",) -> none");
  EXPECT_EQ(completed("cas", "[1 2]", "[1 2]"), "'0' 0.cas(1,2,) -> true");
  EXPECT_EQ(completed("cas", "[1 2]", "[1 3]"), "'0' 0.cas(1,3,) -> true");
  EXPECT_EQ(completed("cas", "[1 2]", "false"), "'0' 0.cas(1,2,) -> false");
  EXPECT_EQ(completed("txn", "[[:r :x nil]]", "[[:r :x 2]]"), "'0' 0.txn([[r x nil]],) -> [[r x 2]]");
  EXPECT_EQ(completed("acquire", "nil", "nil"), "'0' 0.acquire() -> none");
  EXPECT_EQ(completed("acquire", "nil", "true"), "'0' 0.acquire() -> true");
  EXPECT_EQ(completed("contains", "[4]", "[4]"), "'0' 0.contains([4],) -> none");
}

TEST(Jepsen, TheTypeFollowsFromTheFunctions) {
  EXPECT_EQ(type_of({"read", "write", "cas"}), "cas-register");
  EXPECT_EQ(type_of({"txn"}), "multi-register");
  EXPECT_EQ(type_of({"acquire", "release"}), "mutex");
  EXPECT_EQ(type_of({"enqueue", "dequeue"}), "queue");
  EXPECT_EQ(type_of({"add", "read"}), "set");
  EXPECT_EQ(type_of({"add", "dequeue"}), "");
  ReadOptions options;
  options.type = TypeName{.name = "stack", .options = {}};
  EXPECT_EQ(read_all(read, example(), options).at(0)->objects()[0].type.name, "stack");
}

TEST(Jepsen, AbortedTransactionsOfListsReturnFalse) {
  const std::string text =
      "[{:process 0 :type :invoke :f :txn :value [[:append :x 1]]}"
      " {:process 1 :type :invoke :f :txn :value [[:r :x nil] [:append :x 2]]}"
      " {:process 0 :type :fail :f :txn :value [[:append :x 1]]}"
      " {:process 1 :type :ok :f :txn :value [[:r :x nil] [:append :x 2]]}"
      " {:process 2 :type :invoke :f :txn :value [[:r :x nil]]}"
      " {:process 2 :type :ok :f :txn :value [[:r :x [2]]]}]";
  const std::string first = "'0' 0.txn([[append x 1]],) -> false [0, 2]\n";
  const std::string rest =
      "'1' 0.txn([[r x nil] [append x 2]],) -> [[r x nil] [append x 2]] [1, 3]\n"
      "'2' 0.txn([[r x nil]],) -> [[r x [2]]] [4, 5]\n";
  const auto histories = read_all(read, text);
  ASSERT_TRUE(histories.at(0)) << histories[0].error().to_string();
  EXPECT_EQ(dump(*histories[0]), first + rest + "object '': list-append\npending: 0\n");
  std::string written;
  ASSERT_TRUE(write(*histories[0], written));
  EXPECT_EQ(dump(*read_all(read, written).at(0)), dump(*histories[0])) << written;
  ReadOptions options;
  options.type = TypeName{.name = "multi-register", .options = {}};
  EXPECT_EQ(dump(*read_all(read, text, options).at(0)), rest + "object '': multi-register\npending: 0\n");
}

TEST(Jepsen, TagsOfSequencesAreSeenThrough) {
  EXPECT_EQ(operations("{:process 0 :type :invoke :f :cas :value #pair [1 2]}"), "'0' 0.cas(1,2,) -> ? [0, pending]\n");
  EXPECT_EQ(operations("{:process 0 :type :invoke :f :read} {:process 0 :type :ok :f :read :value #ordered/set (1 2)}"),
            "'0' 0.read() -> [1 2] [0, 1]\n");
  EXPECT_EQ(error_of(read, "{:process 0 :type :invoke :f :cas :value #inst \"2020\"}").code, ErrorCode::bad_arguments);
}

TEST(Jepsen, IndependentKeysAreObjects) {
  ReadOptions options;
  options.independent = true;
  const std::string text =
      "[{:process 0 :type :invoke :f :write :value [:x 1]} {:process 1 :type :invoke :f :cas :value [7 [1 2]]}"
      " {:process 0 :type :ok :f :write :value [:x 1]} {:process 1 :type :ok :f :cas :value [7 [1 2]]}"
      " {:process 2 :type :invoke :f :read :value [:x nil]} {:process 2 :type :ok :f :read :value [:x 1]}]";
  const auto histories = read_all(read, text, options);
  ASSERT_TRUE(histories.at(0)) << histories[0].error().to_string();
  EXPECT_EQ(dump(*histories[0]),
            "'0' 0.write(1,) -> none [0, 2]\n"
            "'1' 1.cas(1,2,) -> true [1, 3]\n"
            "'2' 0.read() -> 1 [4, 5]\n"
            "object 'x': cas-register\nobject '7': cas-register\npending: 0\n");
  expect_useful(error_of(read, "[{:process 0 :type :invoke :f :write :value 1}]", options));
  expect_useful(error_of(read,
                         "[{:process 0 :type :invoke :f :write :value [:x 1]}"
                         " {:process 0 :type :ok :f :write :value [:y 1]}]",
                         options));
}

TEST(Jepsen, EventsBesideTheOperationsAreAnnotations) {
  const auto histories = read_all(read,
                                  "[{:process :nemesis :type :info :f :start-kill :value nil}"
                                  " {:process :nemesis :type :info :f :kill :value {:n1 :killed}}"
                                  " {:process :nemesis :type :info :f :stop-kill :value nil}"
                                  " {:process :nemesis :type :info :f :stop-kill :value \"done\"}"
                                  " {:process 4 :type :info :f :note :value nil}"
                                  " {:process :nemesis :type :info :f :stop :value nil}]");
  ASSERT_TRUE(histories.at(0)) << histories[0].error().to_string();
  EXPECT_EQ(dump(*histories[0]),
            "object '': \n"
            "annotation 0 3 'start-kill' 'nemesis' ''\n"
            "annotation 1 - 'kill {:n1 :killed}' 'nemesis' ''\n"
            "annotation 4 - 'note' '4' ''\n"
            "annotation 5 - 'stop' 'nemesis' ''\n"
            "pending: 0\n");
}

TEST(Jepsen, SaysWhatIsWrongAndWhere) {
  struct Bad {
    std::string text;
    ErrorCode code;
    std::uint64_t line;
    std::uint64_t column;
  };
  const std::string invoke = "{:process 0 :type :invoke :f :write :value 1}\n";
  const Bad cases[] = {
      {"", ErrorCode::truncated, 1, 1},
      {"; nothing\n", ErrorCode::truncated, 1, 1},
      {"5", ErrorCode::syntax, 1, 1},
      {"[5]", ErrorCode::syntax, 1, 2},
      {"[#{1}]", ErrorCode::syntax, 1, 2},
      {"[" + invoke, ErrorCode::truncated, 2, 1},
      {invoke + "]", ErrorCode::syntax, 2, 1},
      {invoke + invoke, ErrorCode::overlapping_operations, 2, 1},
      {"{:process 0 :type :ok :f :write :value 1}", ErrorCode::return_without_call, 1, 1},
      {invoke + " {:process 0 :type :ok :f :read :value 1}", ErrorCode::return_without_call, 2, 2},
      {invoke + "{:process 0 :type :info :f :write :value 1}\n\n  " + invoke, ErrorCode::after_pending, 4, 3},
      {"{:type :invoke :f :write :value 1}", ErrorCode::missing_field, 1, 1},
      {"{:process 0 :f :write :value 1}", ErrorCode::missing_field, 1, 1},
      {"{:process 0 :type :invoke :value 1}", ErrorCode::missing_field, 1, 1},
      {"{:process 0 :type :invoke :f nil}", ErrorCode::missing_field, 1, 30},
      {"{:process 0 :type :invoke :f [1]}", ErrorCode::missing_field, 1, 30},
      {"{:process 0 :type :done :f :write}", ErrorCode::syntax, 1, 19},
      {"{:process 0 :type 5 :f :write}", ErrorCode::syntax, 1, 19},
      {"{:process 0 :process 1 :type :invoke :f :write}", ErrorCode::syntax, 1, 13},
      {"{:process 0 :type}", ErrorCode::syntax, 1, 13},
      {"{:process 0 :type :invoke :f :cas :value 3}", ErrorCode::bad_arguments, 1, 1},
      {"{:process 0 :type :invoke :f :cas}", ErrorCode::bad_arguments, 1, 1},
      {"{:process 0 :type :invoke :f :write :value 1x}", ErrorCode::bad_number, 1, 44},
      {"{:process 0 :type :invoke :f :write :value [1}", ErrorCode::syntax, 1, 46},
      {"{:process 0\n :value \"\xff\"}", ErrorCode::encoding, 2, 10},
      {std::string(1000000, '['), ErrorCode::syntax, 1, 2},
      {"{:value " + std::string(1000000, '['), ErrorCode::syntax, 1, 73},
      {"{:other " + std::string(1000000, '['), ErrorCode::truncated, 1, 9},
  };
  for (const Bad& bad : cases) {
    const Error error = error_of(read, bad.text);
    expect_useful(error);
    EXPECT_EQ(name(error.code), name(bad.code)) << bad.text.substr(0, 100) << '\n' << error.to_string();
    EXPECT_EQ(error.line, bad.line) << bad.text.substr(0, 100) << '\n' << error.to_string();
    EXPECT_EQ(error.column, bad.column) << bad.text.substr(0, 100) << '\n' << error.to_string();
  }
}

TEST(Jepsen, EveryTruncationIsAnError) {
  const std::string text = example();
  ASSERT_FALSE(text.empty());
  for (std::size_t length = 0; length + 2 < text.size(); ++length)
    expect_useful(error_of(read, text.substr(0, length)));
}

TEST(Jepsen, EveryByteChangedGivesAHistoryOrAnError) {
  const std::string text = example();
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const char c : {'\0', '"', '{', ']', '#', '_', '\xff', '9', '\\', ';', ':'}) {
      std::string changed = text;
      changed[i] = c;
      for (const auto& history : read_all(read, changed)) {
        if (!history) expect_useful(history.error());
      }
    }
  }
}

TEST(Jepsen, ALineOfMegabytesIsRead) {
  const std::string longer(4000000, 'x');
  const std::string text = "{:process 0 :type :invoke :f :write :value \"" + longer + "\"}";
  const auto histories = read_all(read, text);
  ASSERT_TRUE(histories.at(0));
  EXPECT_EQ(histories[0]->pool().text_of(histories[0]->arguments(0)[0]), longer);
}

/// A random history as Jepsen's maps can say it: ticks are positions.
History random_history(linchpin::testing::RandomHistories& random, bool independent) {
  HistoryBuilder builder;
  ValuePool& pool = builder.pool();
  std::vector<std::optional<OperationIndex>> open(4);
  std::vector<bool> ended(4, false);
  std::vector<int> what;
  builder.object(independent ? "7" : "");
  if (independent) builder.object("the other");
  const auto solid = [&] {  // a value that is there
    while (true) {
      const Value value = random.value(pool, 3);
      if (!value.is_nil() && !value.is_unknown()) return value;
    }
  };
  std::array<bool, 2> used{};
  for (Tick tick = 0; tick < 20;) {
    const std::size_t p = random.below(open.size());
    if (ended[p]) continue;
    if (!open[p]) {
      const std::size_t f = random.below(6);
      if (f == 1 || f == 4) builder.argument(f == 4 ? pool.list({solid()}) : solid());
      if (f == 2) builder.argument(solid()), builder.argument(solid());
      static constexpr const char* kNames[] = {"read", "write", "cas", "dequeue", "txn", "acquire"};
      // The first operation on object 1 follows one on object 0: objects are numbered as they come.
      const auto object = static_cast<ObjectIndex>(independent && used[0] ? random.below(2) : 0);
      used[object.number()] = true;
      open[p] =
          builder.add(static_cast<ProcessId>(p), object, builder.method(kNames[f]), Value::unknown(), tick++, kPending);
      what.push_back(static_cast<int>(f));
    } else {
      const int f = what[(*open[p]).number()];
      const Value result = f == 0 || f == 4 ? (random.below(3) == 0 ? Value::unknown() : solid())
                           : f == 2         ? Value::boolean(random.below(2) == 0)
                           : f == 3         ? (random.below(3) == 0 ? Value::nil() : solid())
                           : f == 5         ? (random.below(2) == 0 ? Value::none() : Value::boolean(true))
                                            : Value::none();
      builder.respond(*open[p], tick++, result);
      open[p].reset();
    }
  }
  return *std::move(builder).build();
}

TEST(Jepsen, WhatIsWrittenReadsBackTheSame) {
  linchpin::testing::RandomHistories random(20260103);
  for (int round = 0; round < 500; ++round) {
    ReadOptions options;
    options.type = TypeName{};
    const History history = random_history(random, round % 2 == 1);
    std::string text;
    const auto written = write(history, text);
    ASSERT_TRUE(written) << written.error().to_string();
    const auto again = read_all(read, text, options);
    ASSERT_EQ(again.size(), 1U);
    ASSERT_TRUE(again[0]) << again[0].error().to_string() << text;
    const std::string expected = dump(history);
    const std::string actual = dump(*again[0]);
    ASSERT_EQ(actual.substr(0, actual.find("object '")), expected.substr(0, expected.find("object '"))) << text;
  }
}

TEST(Jepsen, ExamplesReadBackAfterWriting) {
  const History history = std::move(*read_all(read, example()).at(0));
  std::string text;
  ASSERT_TRUE(write(history, text));
  const auto again = read_all(read, text);
  ASSERT_TRUE(again.at(0)) << again[0].error().to_string();
  EXPECT_EQ(again[0]->size(), history.size());
  EXPECT_EQ(again[0]->pending_count(), history.pending_count());
  ASSERT_EQ(again[0]->annotations().size(), 1U);
  EXPECT_TRUE(again[0]->annotations()[0].end.has_value());
}

TEST(Jepsen, NamesAndTiesGetNumbersAndStayConcurrent) {
  HistoryBuilder builder;
  const ProcessId named = builder.process("client");
  builder.add({.process = named, .method = "write", .arguments = {Value::integer(1)}, .call = 1, .response = 2});
  builder.add({.process = named, .method = "write", .arguments = {Value::integer(2)}, .call = 2, .response = 3});
  builder.add({.method = "read", .result = Value::integer(1), .call = 4, .response = 4});
  std::string text;
  ASSERT_TRUE(write(*std::move(builder).build(), text));
  EXPECT_EQ(operations(text),
            "'0' 0.write(1,) -> none [0, 2]\n"
            "'1' 0.write(2,) -> none [1, 3]\n"
            "'2' 0.read() -> 1 [4, 5]\n");
}

TEST(Jepsen, TheTypeReadsBackWithItsOptions) {
  for (const char* const type : {"queue capacity=1", "stack", "mutex owner=yes", "queue", ""}) {
    for (const bool independent : {false, true}) {
      HistoryBuilder builder;
      builder.set_type(*TypeName::parse(type));
      const Value value = Value::integer(1);
      HistoryBuilder::Operation operation{.method = "enqueue", .arguments = {value}, .call = 1, .response = 2};
      if (independent) operation.object = builder.object("o");
      builder.add(operation);
      std::string text;
      ASSERT_TRUE(write(*std::move(builder).build(), text));
      const auto again = read_all(read, text + "\n" + text);
      ASSERT_EQ(again.size(), 2U) << text;
      for (const auto& history : again) {
        ASSERT_TRUE(history) << history.error().to_string();
        EXPECT_EQ(history->objects()[0].type.to_string(), *type == '\0' ? "queue" : type) << text;
      }
    }
  }
}

TEST(Jepsen, OnlyACommentRightBeforeTellsTheType) {
  const std::string event = "{:process 0, :type :invoke, :f :enqueue, :value 1}";
  const auto type_in = [&](const std::string& text) {
    const auto histories = read_all(read, text);
    return histories.size() == 1 && histories[0] ? histories[0]->objects()[0].type.to_string() : "error";
  };
  EXPECT_EQ(type_in("; linchpin type: queue capacity=2\n\n; and a word\n" + event), "queue capacity=2");
  EXPECT_EQ(type_in("; linchpin type: queue capacity=2\r\n[" + event + "]"), "queue capacity=2");
  EXPECT_EQ(type_in("; linchpin type:\n" + event), "queue");
  EXPECT_EQ(type_in("; type: stack\n" + event), "queue");
  EXPECT_EQ(type_in("#_ x ; linchpin type: stack\n" + event), "queue");
  EXPECT_EQ(type_in(event + "\n; linchpin type: stack\n"), "queue");
}

TEST(Jepsen, ACommentBeforeTellsTheOptions) {
  const std::string events =
      "{:process 0 :type :invoke :f :cas :value [1 [2 3]]} {:process 0 :type :fail :f :cas :value [1 [2 3]]}";
  const auto calls = [&](const std::string& comment, FailPolicy fail = FailPolicy::format_default) {
    ReadOptions options;
    options.fail = fail;
    const auto histories = read_all(read, comment + events, options);
    if (histories.size() != 1 || !histories[0]) return std::string("error");
    const History& history = *histories[0];
    std::string calls;
    for (OperationIndex i = 0; i < history.size(); ++i) {
      calls += fmt::format("{}: {} of {}; ", history.objects()[history.object(i).number()].name,
                           history.pool().to_text(history.result(i)), history.arguments(i).size());
    }
    return calls;
  };
  EXPECT_EQ(calls(""), "");
  EXPECT_EQ(calls("; linchpin options: --independent --fail constraint\n"), "1: false of 2; ");
  EXPECT_EQ(calls("; linchpin options: --independent\n"), "");
  EXPECT_EQ(calls("; linchpin options: --independent --fail constraint\n", FailPolicy::drop), "");
  EXPECT_GT(detect("; linchpin type: set\n[]"), 90);
}

TEST(Jepsen, RefusesToWriteWhatReadsBackDifferently) {
  const auto refused = [](HistoryBuilder::Operation operation, Tick response = 5) {
    operation.response = response;
    HistoryBuilder builder;
    builder.add(operation);
    std::string text = "kept";
    const auto written = write(*std::move(builder).build(), text);
    EXPECT_EQ(text, "kept");
    return !written && written.error().code == ErrorCode::unsupported;
  };
  const Value one = Value::integer(1);
  EXPECT_TRUE(refused({.method = "read", .result = Value::nil()}));
  EXPECT_TRUE(refused({.method = "read", .arguments = {one}, .result = one}));
  EXPECT_TRUE(refused({.method = "dequeue", .result = Value::unknown()}));
  EXPECT_TRUE(refused({.method = "add", .arguments = {one}, .result = Value::boolean(true)}));
  EXPECT_TRUE(refused({.method = "add"}));
  EXPECT_TRUE(refused({.method = "cas", .arguments = {one}, .result = Value::boolean(true)}));
  EXPECT_TRUE(refused({.method = "cas", .arguments = {one, one}}));
  EXPECT_TRUE(refused({.method = "read", .result = one}, kPending));
  EXPECT_TRUE(refused({.method = "other", .arguments = {one, one}}));
  EXPECT_TRUE(refused({.method = "other", .arguments = {one}, .result = one}));
  EXPECT_TRUE(refused({.method = "two words"}));
}

TEST(Jepsen, AFieldThatCannotBeWrittenIsNoOperationsFault) {
  HistoryBuilder builder;
  const OperationIndex added = builder.add({.method = "read", .result = Value::integer(1), .call = 1, .response = 2});
  builder.field(added, "two words", Value::integer(3));
  std::string text;
  const auto written = write(*std::move(builder).build(), text);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "Jepsen's EDN cannot say a field of such a name");
  EXPECT_EQ(written.error().line, 0U);
}

TEST(Jepsen, KeepsWhatEventsSayBesides) {
  const auto histories = read_all(read, R"(
{:process 0, :type :invoke, :f :write, :value 1, :time 5, :index 0, :node "n1", :attempt 1}
{:process 1, :type :invoke, :f :read, :value nil, :node nil}
{:process 0, :type :ok, :f :write, :value 1, :time 9, :attempt 2, :at #inst "2020"}
{:process 1, :type :info, :f :read, :error [:timeout {:after "2 s"}], "text" 3}
{:process 2, :type :invoke, :f :cas, :value [1 2], :node "n2"}
{:process 2, :type :fail, :f :cas, :error :conflict}
)");
  ASSERT_TRUE(histories.at(0)) << histories[0].error().to_string();
  const History& history = *histories[0];
  ASSERT_EQ(history.size(), 2U);
  EXPECT_EQ(history.describe_fields(0), R"(node n1, attempt 2, at "#inst \"2020\"")");
  EXPECT_EQ(history.describe_fields(1), R"(error "[:timeout {:after \"2 s\"}]")");
  EXPECT_EQ(history.find_field("time"), nullptr);
  EXPECT_TRUE(history.annotations().empty());
  std::string text;
  ASSERT_TRUE(write(history, text));
  const auto again = read_all(read, text);
  ASSERT_TRUE(again.at(0)) << text;
  for (OperationIndex i = 0; i < 2; ++i) EXPECT_EQ(again[0]->describe_fields(i), history.describe_fields(i)) << text;
}

TEST(Jepsen, ShowsWhatDidNotHappenWhereThatIsAskedFor) {
  const auto histories = read_all(read,
                                  R"(
{:process 7, :type :invoke, :f :cas, :value [1 2], :node "n2"}
{:process 0, :type :invoke, :f :write, :value 1}
{:process 7, :type :fail, :f :cas, :value [1 2], :error :conflict}
{:process 0, :type :ok, :f :write, :value 1}
)",
                                  {.mark_failed = true});
  ASSERT_TRUE(histories.at(0)) << histories[0].error().to_string();
  ASSERT_EQ(histories[0]->annotations().size(), 1U);
  const Annotation& failed = histories[0]->annotations()[0];
  EXPECT_EQ(failed.text, "cas [1 2] failed, node n2, error conflict");
  EXPECT_EQ(failed.process, "7");
  EXPECT_EQ(failed.begin, 0);
  EXPECT_EQ(failed.end, 2);
  EXPECT_EQ(histories[0]->size(), 1U);
}

TEST(Jepsen, KeepsSixtyFourKeysOfMany) {
  std::string text = "{:process 0, :type :invoke, :f :write, :value 1";
  for (int i = 0; i < 70; ++i) text += fmt::format(", :key-{} {}", i, i);
  const auto histories = read_all(read, text + "}\n");
  ASSERT_TRUE(histories.at(0)) << histories[0].error().to_string();
  EXPECT_EQ(histories[0]->fields().size(), 64U);
}

TEST(Jepsen, WritesAnnotationsOfOneMomentInTheirOrder) {
  HistoryBuilder builder;
  builder.add({.method = "read", .result = Value::integer(1), .call = 1, .response = 9});
  for (const char* const text : {"first", "second", "third"}) {
    builder.annotate({.begin = 5, .end = std::nullopt, .text = text, .process = "", .colour = ""});
  }
  std::string text;
  ASSERT_TRUE(write(*std::move(builder).build(), text));
  EXPECT_LT(text.find("first"), text.find("second")) << text;
  EXPECT_LT(text.find("second"), text.find("third")) << text;
}

TEST(Jepsen, WritesAnAbortedTransactionOfListsAsOneThatFailed) {
  HistoryBuilder builder;
  builder.set_type({.name = "list-append", .options = {}});
  ValuePool& pool = builder.pool();
  const Value append = pool.list({pool.list({pool.string("append"), pool.string("x"), Value::integer(1)})});
  builder.add({.method = "txn", .arguments = {append}, .result = Value::boolean(false), .call = 1, .response = 2});
  std::string text;
  const auto written = write(*std::move(builder).build(), text);
  ASSERT_TRUE(written) << written.error().to_string();
  EXPECT_NE(text.find(":type :fail, :f :txn"), std::string::npos) << text;
  EXPECT_EQ(text.find(":type :ok"), std::string::npos) << text;
}

TEST(Jepsen, WritesEveryMethodThatIsAKeyword) {
  for (const char* const name : {"a", "z", "A", "Z", "0", "9", "az-AZ_09"}) {
    HistoryBuilder builder;
    builder.add({.method = name, .arguments = {Value::integer(1)}, .call = 1, .response = 2});
    std::string text;
    const auto written = write(*std::move(builder).build(), text);
    ASSERT_TRUE(written) << name << ": " << written.error().to_string();
    EXPECT_NE(text.find(std::string(":f :") + name), std::string::npos) << text;
  }
}

TEST(Jepsen, IsRecognisedByItsKeys) {
  EXPECT_EQ(detect(example()), 90);
  EXPECT_EQ(detect("INFO  jepsen.util - 0\t:invoke\t:read\tnil\n"), 0);
  EXPECT_LT(detect("{:process 4, :type :invoke, :f :append, :key \"0\", :value \"x\"}"), 90);
  EXPECT_EQ(detect(""), 0);
}

TEST(Jepsen, ReadsTheCorpus) {
  const char* const corpus = std::getenv("LINCHPIN_CORPUS");
  if (corpus == nullptr) GTEST_SKIP() << "LINCHPIN_CORPUS is not set";
  std::size_t files = 0;
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(corpus) + "/knossos")) {
    if (entry.path().extension() != ".edn") continue;
    ++files;
    const std::string text = content(entry.path());
    EXPECT_EQ(detect(text), 90) << entry.path();
    for (const auto& history : read_all(read, text)) {
      ASSERT_TRUE(history) << entry.path() << ' ' << history.error().to_string();
      EXPECT_FALSE(history->objects()[0].type.name.empty()) << entry.path();
      count += history->size();
    }
  }
  EXPECT_GT(files, 0U);
  std::cout << files << " files, " << count << " operations\n";
}

}  // namespace
}  // namespace linchpin::formats::jepsen
