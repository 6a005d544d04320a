// `linchpin depth`: depths, exit codes, tables, the figure.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/hard_history.hpp"

namespace depth_test {

namespace {

using linchpin::cli_test::expect_golden;
using linchpin::cli_test::hard_history;
using linchpin::cli_test::run;
using linchpin::cli_test::temporary_file;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// Three enqueues at once, taken out in the order against their calls.
constexpr const char* kCrossed =
    "# linchpin 1\n# type: queue\n0 1 6 enqueue 1\n1 2 7 enqueue 2\n2 3 8 enqueue 3\n"
    "0 9 10 dequeue -> 3\n0 11 12 dequeue -> 2\n0 13 14 dequeue -> 1\n";
TEST(CliDepth, ShowsTheDepthTheFamiliesAndTheWitness) {
  EXPECT_EQ(run({"depth", "queue.txt"}).exit_code, 0);
  expect_golden("depth", {"depth", "-"}, kCrossed);
}

TEST(CliDepth, SaysThatAViolationHasNoWitness) {
  EXPECT_EQ(run({"depth", "queue-violation.txt"}).exit_code, 1);
  expect_golden("depth-violation", {"depth", "queue-violation.txt"});
}

TEST(CliDepth, MeasuresEveryHistoryOfAFileAndEveryObject) {
  EXPECT_EQ(run({"depth", "three.jsonl"}).exit_code, 2);
  expect_golden("depth-three-histories", {"depth", "three.jsonl"});
  EXPECT_EQ(run({"depth", "objects.txt"}).exit_code, 1);
  expect_golden("depth-objects", {"depth", "objects.txt"});
}

TEST(CliDepth, MeasuresTheLinearizabilityDepth) {
  expect_golden("depth-true", {"depth", "--true-depth", "-"}, kCrossed);
}

TEST(CliDepth, GivesUpAtTheLargestDepth) {
  const auto shallow = run({"depth", "--max-depth", "1", "-"}, kCrossed);
  EXPECT_EQ(shallow.exit_code, 0) << "linearizable all the same";
  EXPECT_THAT(shallow.out, HasSubstr("no witness up to depth 1"));
  EXPECT_EQ(run({"depth", "--max-depth", "0", "-"}, kCrossed).exit_code, 2);
}

TEST(CliDepth, LooksAtSegmentsByThemselves) {
  std::string text = "# linchpin 1\n# type: queue\n";
  for (int round = 0; round < 3; ++round) {
    const auto at = [&](int tick) { return std::to_string(20 * round + tick) + " "; };
    text += "0 " + at(1) + at(6) + "enqueue 1\n1 " + at(2) + at(7) + "enqueue 2\n2 " + at(3) + at(8) + "enqueue 3\n";
    text += "0 " + at(9) + at(10) + "dequeue -> 3\n0 " + at(11) + at(12) + "dequeue -> 2\n";
    text += "0 " + at(13) + at(14) + "dequeue -> 1\n";
  }
  const json whole = json::parse(run({"depth", "--json", "--no-count", "-"}, text).out)["objects"][0];
  const json by_segment = json::parse(run({"depth", "--json", "--by-segment", "-"}, text).out)["objects"][0];
  EXPECT_GT(whole["depth"], by_segment["depth"]);
  EXPECT_EQ(by_segment["depth"], 2);
  EXPECT_EQ(by_segment["order"].size(), 18U);
  std::size_t operations = 0;
  for (const json& segment : by_segment["segments"]) operations += segment["operations"].get<std::size_t>();
  EXPECT_EQ(operations, 18U);
  EXPECT_THAT(run({"depth", "--by-segment", "-"}, text).out, HasSubstr("between quiet points"));
}

TEST(CliDepth, TakesThePublishedAlgorithm) {
  const json ours = json::parse(run({"depth", "--json", "-"}, kCrossed).out)["objects"][0];
  const json published =
      json::parse(run({"depth", "--json", "--family", "published", "-"}, kCrossed).out)["objects"][0];
  EXPECT_EQ(ours["order"], published["order"]) << "there is only one";
  EXPECT_EQ(ours["depth"], 2);
  EXPECT_EQ(published["depth"], 1) << "Algorithm 1 puts what nothing holds back before what was called earlier";
  EXPECT_EQ(run({"depth", "--family", "published", "--by-segment", "-"}, kCrossed).exit_code, 2);
}

TEST(CliDepth, CountsAllSchedulesAndWitnesses) {
  EXPECT_THAT(run({"depth", "--count-all", "-"}, kCrossed).out, HasSubstr("6 schedules in all, 1 of them a witness\n"));
  EXPECT_THAT(run({"depth", "--count-all", "queue-violation.txt"}).out, HasSubstr(" in all, 0 of them witnesses\n"));
  const json counted = json::parse(run({"depth", "--json", "--count-all", "-"}, kCrossed).out)["objects"][0];
  EXPECT_EQ(counted["schedules"], 6);
  EXPECT_EQ(counted["witnesses"], 1);
  const json not_asked = json::parse(run({"depth", "--json", "-"}, kCrossed).out)["objects"][0];
  EXPECT_TRUE(not_asked["schedules"].is_null());
  EXPECT_TRUE(not_asked["witnesses"].is_null());
  std::string many = "# linchpin 1\n# type: counter\n";
  for (int stage = 0; stage < 64; ++stage) {
    const std::string ticks = " " + std::to_string(10 * stage) + " " + std::to_string(10 * stage + 5) + " ";
    many += "0" + ticks + "add 1\n1" + ticks + "add 1\n";
  }
  EXPECT_THAT(run({"depth", "--count-all", "--max-depth", "1", "-"}, many).out,
              HasSubstr("schedules in all: not counted\n"))
      << "2^64";
  EXPECT_EQ(run({"depth", "--count-all", "--tables", "csv", "-"}, kCrossed).exit_code, 2);
}

TEST(CliDepth, KeepsItsTimeLimit) {
  const std::string path = temporary_file("hard.txt", hard_history());
  const auto outcome = run({"depth", "--time-limit", "200ms", path});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.out, HasSubstr("the time limit was reached"));
}

TEST(CliDepth, WritesWitnessesThatCheckConfirms) {
  const std::string path = temporary_file("depth-witness.jsonl", "");
  EXPECT_EQ(run({"depth", "--witness", path, "-"}, kCrossed).exit_code, 0);
  std::ifstream file(path);
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  const json order = json::parse(line)["objects"][0]["order"];
  EXPECT_EQ(order, json({2, 1, 0, 3, 4, 5})) << "the only order in which the values come out so";
}

/// Ten small histories of two classes, some sequential, one violation.
std::string class_histories() {
  std::string text;
  const auto add = [&](const std::string& name, const std::string& events, bool last_first) {
    text += R"({"schema":{"class":"java.util.concurrent.)" + name + R"("},"events":[)";
    const auto call = [](int sid, int id, const std::string& method, const std::string& arguments) {
      return R"({"kind":"call","sid":)" + std::to_string(sid) + R"(,"invocation":{"id":)" + std::to_string(id) +
             R"(,"method":{"name":")" + method + R"(","void":false},"arguments":[)" + arguments + "]}}";
    };
    const auto back = [](int sid, int id, const std::string& value) {
      return R"({"kind":"return","sid":)" + std::to_string(sid) + R"(,"invocation":{"id":)" + std::to_string(id) +
             R"(},"value":")" + value + R"("})";
    };
    if (events == "sequential") {
      text +=
          call(0, 0, "offer", "1") + "," + back(0, 0, "true") + "," + call(1, 1, "poll", "") + "," + back(1, 1, "1");
    } else {
      text += call(0, 0, "offer", "1") + "," + call(1, 1, "offer", "2") + "," + call(2, 2, "offer", "3") + "," +
              back(0, 0, "true") + "," + back(1, 1, "true") + "," + back(2, 2, "true") + "," + call(0, 3, "poll", "") +
              "," + back(0, 3, last_first ? "3" : events) + "," + call(0, 4, "poll", "") + "," + back(0, 4, "2");
    }
    text += "]}\n";
  };
  for (const std::string name : {"ConcurrentLinkedQueue", "LinkedBlockingQueue"}) {
    add(name, "sequential", false);
    add(name, "1", false);
    add(name, "3", true);
    add(name, "3", true);
  }
  add("LinkedBlockingQueue", "7", false);
  return text;
}

TEST(CliDepth, PrintsTablesByClass) {
  const std::string path = temporary_file("classes/histories.jsonl", class_histories());
  const std::string directory = path.substr(0, path.rfind('/'));
  const auto text = run({"depth", "--tables", "text", "--max-depth", "3", directory});
  EXPECT_EQ(text.exit_code, 1) << "one violation";
  expect_golden("depth-tables", {"depth", "--tables", "text", "--max-depth", "3", "-"}, class_histories());
  expect_golden("depth-tables-markdown", {"depth", "--tables", "markdown", "--max-depth", "2", "-"}, class_histories());
  expect_golden("depth-tables-csv", {"depth", "--tables", "csv", "--max-depth", "2", "-"}, class_histories());
}

TEST(CliDepth, DrawsTheFigure) {
  const std::string path = temporary_file("figure.svg", "");
  const auto outcome = run({"depth", "--figure", path, "-"}, class_histories());
  EXPECT_EQ(outcome.out, "") << "no tables were asked for";
  std::ifstream file(path);
  std::stringstream content;
  content << file.rdbuf();
  EXPECT_THAT(content.str(), HasSubstr("<svg"));
  EXPECT_THAT(content.str(), HasSubstr(">LinkedBlockingQueue</text>"));
  EXPECT_THAT(content.str(), HasSubstr("</svg>"));
  EXPECT_THAT(content.str(), Not(HasSubstr("nan")));
  EXPECT_EQ(run({"depth", "--figure", "/nonexistent/figure.svg", "-"}, class_histories()).exit_code, 2);
}

TEST(CliDepth, Helps) { expect_golden("help-depth", {"depth", "--help"}); }

}  // namespace

}  // namespace depth_test
