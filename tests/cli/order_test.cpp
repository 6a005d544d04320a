// `linchpin check --order-by FIELD`: the order that a store claims, from each format that can carry it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command.hpp"

namespace order_test {

namespace {

using linchpin::cli_test::content_of;
using linchpin::cli_test::run;
using linchpin::cli_test::temporary_file;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kText =
    "# linchpin 1\n# type: register initial=0\n"
    "a 1 9 @revision=2 write 1\nb 2 8 @revision=1 write 2\nc 10 11 @revision=2 read -> 1\n";
constexpr const char* kJsonLines =
    R"({"linchpin":1,"type":"register initial=0"}
{"process":"a","call":1,"response":9,"method":"write","arguments":[1],"fields":{"revision":2}}
{"process":"b","call":2,"response":8,"method":"write","arguments":[2],"fields":{"revision":1,"shard":7}}
{"process":"c","call":10,"response":11,"method":"read","result":1,"fields":{"revision":2}}
)";
constexpr const char* kEdn =
    "{:process 0, :type :invoke, :f :write, :value 1}\n{:process 1, :type :invoke, :f :write, :value 2}\n"
    "{:process 1, :type :ok, :f :write, :value 2, :revision 1}\n"
    "{:process 0, :type :ok, :f :write, :value 1, :revision 2}\n"
    "{:process 2, :type :invoke, :f :read}\n{:process 2, :type :ok, :f :read, :value 1, :revision 2}\n";

TEST(CliOrder, IsTheWitnessWhereItHolds) {
  for (const char* const input : {kText, kJsonLines, kEdn}) {
    const auto outcome = run(
        {"check", "-", "--order-by", "revision", "--verify", "--witness", "-", "--type", "register initial=0"}, input);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.error;
    EXPECT_THAT(outcome.out, HasSubstr("by supplied-order: the order of revision respects real time and replays"));
    EXPECT_THAT(outcome.out, HasSubstr("the witness was replayed by independent code: it holds"));
    const auto first = outcome.out.find("write 2");
    EXPECT_LT(first, outcome.out.find("write 1")) << outcome.out;
    EXPECT_LT(outcome.out.find("write 1"), outcome.out.find("read -> 1")) << outcome.out;
  }
}

TEST(CliOrder, IsReportedWhereItIsRefusedAndTheVerdictIsAsWithoutIt) {
  const std::string text =
      "# linchpin 1\n# type: register initial=0\n"
      "a 1 2 @version=2 write 1\nb 3 4 @version=1 write 2\nc 5 6 @version=3 read -> 2\n";
  const auto outcome = run({"check", "-", "--order-by", "version"}, text);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("by register-monitor"));
  EXPECT_THAT(outcome.out, HasSubstr("the order asked for is refused: write(1) with version 2 had returned before "
                                     "write(2) with version 1 was called"));
  EXPECT_THAT(outcome.out, HasSubstr("write(1) of process a, line 3"));
  const auto json = run({"check", "-", "--order-by", "version", "--json"}, text);
  EXPECT_THAT(json.out, HasSubstr(R"("refused_order":{"sentence":"write(1) with version 2)"));
  EXPECT_THAT(json.out, HasSubstr(R"("operations":[0,1]})"));
  const std::string junit = temporary_file("order.xml", "");
  const std::string sarif = temporary_file("order.sarif", "");
  run({"check", "-", "-q", "--order-by", "version", "--junit", junit, "--sarif", sarif}, text);
  EXPECT_THAT(content_of(junit), HasSubstr("<system-out>the order asked for is refused: write(1) with version 2"));
  EXPECT_THAT(content_of(sarif), HasSubstr(R"("text": "the order asked for is refused: write(1) with version 2)"));
  const auto only = run({"check", "-", "--order-by", "version", "--decider", "supplied-order"}, text);
  EXPECT_EQ(only.exit_code, 3) << "nothing else may decide";
  const auto bad = run({"check", "-", "--order-by", "version"}, text + "d 7 8 @version=4 read -> 1\n");
  EXPECT_EQ(bad.exit_code, 1) << "a violation is one in every order";
}

TEST(CliOrder, IsAViolationWhereResultsTellVersions) {
  const std::string head = "# linchpin 1\n# type: versioned-map\na 1 2 @version=1 put x a 0 -> OK\n";
  const auto outcome = run({"check", "-", "--order-by", "version", "--verify"},
                           head + "b 3 4 @version=2 put x b 1 -> OK\nc 5 6 @version=1 get x -> [a 1]\n");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.out, HasSubstr("by supplied-order: decided by versions: what operations returned tells them"));
  EXPECT_THAT(outcome.out, HasSubstr("put(x, b, 1) -> OK with version 2 had returned before get(x) -> [a 1] with "
                                     "version 1 was called, but the versions that they tell put the latter first"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("the order asked for is refused")));
  const auto wrong = run({"check", "-", "--order-by", "version", "--verify"},
                         head + "b 3 4 @version=2 put x b 1 -> OK\nc 5 6 @version=1 get x -> [b 2]\n");
  EXPECT_EQ(wrong.exit_code, 0) << "the field is wrong, and not what was returned: " << wrong.out;
  EXPECT_THAT(wrong.out, HasSubstr("the order asked for is refused"));
  const auto seen = run({"check", "-", "--order-by", "version", "--verify"},
                        head + "b 3 4 @version=2 put x b 1 -> OK\nc 5 6 @version=2 get x -> [c 2]\n");
  EXPECT_EQ(seen.exit_code, 1);
  EXPECT_THAT(seen.out, HasSubstr("decided by versions"));
}

TEST(CliOrder, IsGoneThroughObjectByObject) {
  const auto outcome = run({"check", "-", "--order-by", "r", "--all"},
                           "# linchpin 1\n# object x: register\n# object y: register\n"
                           "a 1 9 object=x @r=1 write 1\nb 2 8 object=y @r=1 write 2\n"
                           "a 10 11 object=x @r=2 read -> 1\nb 10 11 object=y @r=0 read -> 2\n");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("x: linearizable (register, 2 operations, by supplied-order"));
  EXPECT_THAT(outcome.out, HasSubstr("y: linearizable (register, 2 operations, by register-monitor"));
}

TEST(CliOrder, RefusesInputsThatSupplyNone) {
  const auto none = run({"check", "-", "--order-by", "version"}, kText);
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.error, HasSubstr("no operation has a field 'version' to order by [missing_field]"));
  EXPECT_THAT(none.error, HasSubstr("the operations have revision"));
  EXPECT_THAT(run({"check", "-", "--order-by", "time"}, kEdn).error, HasSubstr("missing_field"));
  EXPECT_EQ(run({"check", "-", "--order-by", "value"}, kEdn).exit_code, 2) << "a key that has a meaning of its own";
  const auto other = run({"check", "-", "--order-by", "revision", "--decider", "search"}, kText);
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.error, HasSubstr("search does not look at a supplied order"));
  EXPECT_EQ(run({"check", "-", "--decider", "supplied-order"}, kText).exit_code, 3);
}

TEST(CliOrder, RefusesFieldsThatAreNoIntegers) {
  const auto expect_bad = [](const std::string& input, const char* place) {
    const auto outcome = run({"check", "-", "--order-by", "revision"}, input);
    EXPECT_EQ(outcome.exit_code, 2) << input;
    EXPECT_THAT(outcome.error, HasSubstr(place)) << input;
  };
  const std::string head = "# linchpin 1\n# type: register\n";
  expect_bad(head + "a 1 2 @revision=x write 1\n", "-:3:1: error: the revision of write(1) is x");
  expect_bad(head + "a 1 2 @revision=[1 write 1\n", "-:3:");
  expect_bad(head + "a 1 2 @revision=[1]x write 1\n", "-:3:7: error");
  expect_bad(head + "a 1 2 @revision= write 1\n", "-:3:7: error");
  expect_bad(head + "a 1 2 @revision write 1\n", "-:3:7: error");
  expect_bad(head + "a 1 2 @=4 write 1\n", "-:3:7: error");
  expect_bad(head + "a 1 2 @revision=1 @revision=2 write 1\n", "-:3:19: error");
  expect_bad(R"({"linchpin":1,"type":"register"}
{"call":1,"response":2,"method":"write","arguments":[1],"fields":{"revision":1.5}})",
             "-:2:");
  expect_bad(R"({"linchpin":1,"type":"register"}
{"call":1,"response":2,"method":"write","arguments":[1],"fields":[1]})",
             "-:2:");
  expect_bad("{:process 0, :type :invoke, :f :write, :value 1, :revision \"new\"}\n", "-:1:60: error");
}

TEST(CliOrder, FieldsOfAnyKindAreTold) {
  const std::string input =
      "# linchpin 1\n# type: register\na 1 2 @server=n1 @error=\"timed out\" write 1\nb 3 4 @path=[n1 2] read -> 2\n";
  const auto checked = run({"check", "-"}, input);
  EXPECT_EQ(checked.exit_code, 1) << checked.error;
  const auto told = run({"explain", "-"}, input);
  const auto json = run({"check", "-", "--json"}, input);
  for (const std::string& text : {checked.out, told.out}) {
    EXPECT_THAT(text, HasSubstr("path [n1 2]")) << text;
  }
  EXPECT_THAT(json.out, HasSubstr(R"("fields":{"path":"[n1 2]"})")) << json.out;
  for (const char* const format : {"text", "jsonl", "binary"}) {
    const auto converted = run({"convert", "-", "-", "--to", format}, input);
    ASSERT_EQ(converted.exit_code, 0) << converted.error;
    EXPECT_THAT(run({"convert", "-", "-", "--to", "text"}, converted.out).out, HasSubstr("@error=\"timed out\""));
  }
}

TEST(CliOrder, SurvivesConversion) {
  for (const char* const format : {"text", "jsonl", "jepsen"}) {
    const auto converted = run({"convert", "-", "-", "--to", format, "--field", "revision"}, kText);
    ASSERT_EQ(converted.exit_code, 0) << converted.error;
    const auto outcome = run({"check", "-", "--order-by", "revision", "--type", "register initial=0"}, converted.out);
    EXPECT_THAT(outcome.out, HasSubstr("by supplied-order")) << converted.out << outcome.error;
    const auto without = run({"check", "-", "--type", "register initial=0"}, converted.out);
    EXPECT_THAT(without.out, Not(HasSubstr("supplied"))) << "nobody asked";
  }
}

}  // namespace

}  // namespace order_test
