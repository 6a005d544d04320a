// `linchpin explain`, and what `check` leaves for machines: JUnit, SARIF, saved violations.
//
// inputs/violations/ has one small violation a file. For each, golden/violations/NAME.explain.txt is what people read
// and NAME.json.txt what programs do; a new file is taken up by itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "support/paths.hpp"

namespace explain_test {

namespace {

namespace fs = std::filesystem;
using linchpin::cli_test::content_of;
using linchpin::cli_test::expect_golden;
using linchpin::cli_test::run;
using linchpin::cli_test::temporary_file;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> violations() {
  std::vector<std::string> names;
  const fs::path folder = linchpin::test::source_folder() / "tests" / "cli" / "inputs" / "violations";
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// A directory of this run of the tests.
std::string temporary_directory(const std::string& name) {
  const std::string marker = temporary_file(name + "/.keep", "");
  return marker.substr(0, marker.rfind('/'));
}

TEST(CliExplain, SaysInWordsAndPicturesWhyEachIsAViolation) {
  ASSERT_GE(violations().size(), 25U);
  for (const std::string& name : violations()) {
    const std::string file = "violations/" + name + ".txt";
    expect_golden("violations/" + name + ".explain", {"explain", file, "--width", "100"});
    expect_golden("violations/" + name + ".json", {"check", "--json", "--verify", file});
    EXPECT_EQ(run({"explain", file}).exit_code, 1) << name;
  }
}

TEST(CliExplain, EveryCoreIsAViolationAgain) {
  for (const std::string& name : violations()) {
    const std::string directory = temporary_directory("saved-" + name);
    ASSERT_EQ(run({"check", "-q", "violations/" + name + ".txt", "--save", directory}).exit_code, 1) << name;
    const auto again = run({"check", "--verify", "--json", directory + "/" + name + ".core.txt"});
    EXPECT_EQ(again.exit_code, 1) << name << content_of(directory + "/" + name + ".core.txt");
    EXPECT_EQ(json::parse(again.out).at("objects").at(0).at("core_checked"), true) << name;
    EXPECT_EQ(run({"check", "-q", directory + "/" + name + ".history.txt"}).exit_code, 1) << name;
  }
}

TEST(CliExplain, NamesOnlyOperationsOfTheCoreAsBlocked) {
  for (const std::string& name : violations()) {
    const json line = json::parse(run({"check", "--json", "violations/" + name + ".txt"}).out);
    const json& object = line.at("objects").at(0);
    const json& explanation = object.at("explanation");
    EXPECT_EQ(explanation.at("core").size(), object.at("core").size()) << name;
    if (explanation.at("blocked").is_null()) continue;
    EXPECT_THAT(object.at("core"), testing::Contains(explanation.at("blocked"))) << name;
    EXPECT_FALSE(explanation.at("attempts").empty()) << name;
    for (const json& attempt : explanation.at("attempts")) EXPECT_NE(attempt.at("refusal"), "") << name;
  }
}

TEST(CliExplain, ShowsWhereOperationsTookEffect) {
  EXPECT_EQ(run({"explain", "queue.txt"}).exit_code, 0);
  expect_golden("explain-linearizable", {"explain", "queue.txt", "--width", "100"});
}

TEST(CliExplain, DrawsWithPlainAsciiAndNumbersWhereItIsNarrow) {
  expect_golden("explain-ascii", {"explain", "queue.txt", "--width", "60", "--ascii"});
}

TEST(CliExplain, ColoursOnlyWhereAsked) {
  EXPECT_THAT(run({"explain", "queue-violation.txt"}).out, Not(HasSubstr("\033")));
  EXPECT_THAT(run({"explain", "queue-violation.txt", "--color", "always"}).out, HasSubstr("\033[1;31m"));
  EXPECT_EQ(run({"explain", "queue-violation.txt", "--color", "sometimes"}).exit_code, 2);
}

TEST(CliExplain, SaysWhatItLeavesOutOfALongHistory) {
  const auto made = run({"generate", "stack", "-n", "5000", "--violation", "late", "--seed", "4"});
  const auto told = run({"explain", "-", "--width", "100"}, made.out);
  EXPECT_EQ(told.exit_code, 1);
  EXPECT_THAT(told.out, HasSubstr("left out"));
  EXPECT_LE(std::count(told.out.begin(), told.out.end(), '\n'), 40) << told.out;
}

TEST(CliExplain, TakesOneHistoryOfSeveral) {
  expect_golden("explain-index", {"explain", "three.jsonl", "--index", "2", "--width", "100"});
  EXPECT_EQ(run({"explain", "three.jsonl", "--index", "3"}).exit_code, 2);
  EXPECT_EQ(run({"explain", "three.jsonl"}).exit_code, 2) << "one of them cannot be read";
}

TEST(CliCheck, WritesJUnit) {
  const std::string path = temporary_file("report.xml", "");
  EXPECT_EQ(
      run({"check", "queue.txt", "queue-violation.txt", "three.jsonl", "broken.txt", "-q", "--junit", path}).exit_code,
      2);
  const std::string xml = content_of(path);
  EXPECT_THAT(xml, HasSubstr(R"(<testsuites name="linchpin" tests="6" failures="2" errors="2" skipped="0")"));
  EXPECT_THAT(xml, HasSubstr(R"(<testcase classname="three.jsonl" name="history 2")"));
  EXPECT_THAT(xml, HasSubstr(R"(<failure type="violation" message="dequeue() -&gt; blue came too early)"));
  EXPECT_THAT(xml, HasSubstr(R"(<error type="response_before_call")"));
  EXPECT_EQ(run({"check", "queue.txt", "--junit", "/no/such/directory/report.xml"}).exit_code, 2);
}

TEST(CliCheck, EscapesWhatXmlCannotHold) {
  const std::string path = temporary_file("report.xml", "");
  run({"check", "no<such>\"\x01\xff&file", "-q", "--junit", path});
  const std::string xml = content_of(path);
  EXPECT_THAT(xml, HasSubstr(R"(no&lt;such&gt;&quot;\x01\xff&amp;file)"));
}

TEST(CliCheck, WritesSarif) {
  const std::string path = temporary_file("report.sarif", "");
  EXPECT_EQ(run({"check", "queue.txt", "queue-violation.txt", "broken.txt", "-q", "--sarif", path}).exit_code, 2);
  const json log = json::parse(content_of(path));
  EXPECT_EQ(log.at("version"), "2.1.0");
  const json& only = log.at("runs").at(0);
  ASSERT_EQ(only.at("results").size(), 1U);
  const json& result = only.at("results").at(0);
  EXPECT_EQ(result.at("ruleId"), only.at("tool").at("driver").at("rules").at(0).at("id"));
  EXPECT_THAT(result.at("message").at("text").get<std::string>(), HasSubstr("came too early"));
  const json& place = result.at("locations").at(0).at("physicalLocation");
  EXPECT_EQ(place.at("artifactLocation").at("uri"), "queue-violation.txt");
  EXPECT_EQ(place.at("region").at("startLine"), 6);
  EXPECT_EQ(result.at("relatedLocations").size(), 3U);
  EXPECT_EQ(only.at("invocations").at(0).at("toolExecutionNotifications").size(), 1U);
}

TEST(CliCheck, SavesEachViolationUnderANameOfItsOwn) {
  const std::string directory = temporary_directory("saved-names");
  EXPECT_EQ(run({"check", "objects.txt", "queue-violation.txt", "./queue-violation.txt", "--all", "--save", directory})
                .exit_code,
            1);
  for (const char* name : {"objects-right", "queue-violation", "queue-violation-2"}) {
    EXPECT_TRUE(fs::exists(directory + "/" + name + ".core.txt")) << name;
    EXPECT_TRUE(fs::exists(directory + "/" + name + ".history.txt")) << name;
  }
  EXPECT_EQ(run({"check", "queue-violation.txt", "--save", "/proc/nothing"}).exit_code, 2);
}

/// A counter that two processes increment, and a third one reads at 2000.
std::string counted(int increments, int read) {
  std::ostringstream text;
  text << "# linchpin 1\n# type: counter\n";
  for (int k = 0; k < increments; ++k) text << k % 2 << " " << 10 * k << " " << 10 * k + 15 << " increment\n";
  text << "2 2000 2001 read -> " << read << "\n";
  return text.str();
}

TEST(CliExplain, SaysWhereACoreStartsThatStartsLate) {
  const std::string text = counted(60, 42);
  const auto told = run({"explain", "-", "--width", "100"}, text);
  EXPECT_THAT(told.out,
              HasSubstr("As everything before 2000 leads to the state 60, the operation with a thick line is a"));
  EXPECT_THAT(told.out, HasSubstr("nothing  60              would return 60"));
  const auto checked = run({"check", "-", "--verify"}, text);
  EXPECT_THAT(checked.out, HasSubstr("everything before 2000 leads to the state 60; from there on this is not linear"));
  EXPECT_THAT(checked.out, HasSubstr("decided again by independent code: not linearizable"));
  const json object = json::parse(run({"check", "-", "--json"}, text).out).at("objects").at(0);
  EXPECT_EQ(object.at("start"), (json{{"tick", 2000}, {"state", "60"}, {"type", "counter initial=60"}}));
  const std::string directory = temporary_directory("saved-start");
  const std::string junit = temporary_file("start.xml", "");
  EXPECT_EQ(run({"check", "-", "-q", "--save", directory, "--junit", junit}, text).exit_code, 1);
  EXPECT_THAT(content_of(junit), HasSubstr("everything before 2000 leads to the state 60"));
  const std::string core = content_of(directory + "/stdin.core.txt");
  EXPECT_THAT(core, HasSubstr("# type: counter initial=60\n"));
  EXPECT_EQ(std::count(core.begin(), core.end(), '\n'), 6) << core;
  EXPECT_EQ(run({"check", "--verify", directory + "/stdin.core.txt"}).exit_code, 1);
}

TEST(CliExplain, NamesTheHolderOfALockAsTheInputDoes) {
  const auto told =
      run({"explain", "-"}, "# linchpin 1\n# type: mutex owner=yes\nalice 1 2 acquire\nbob 3 4 release\n");
  EXPECT_THAT(told.out, HasSubstr("held by process alice"));
  EXPECT_THAT(told.out, HasSubstr("but process alice held it"));
}

TEST(CliCheck, SavesThePartsOfTransactionsThatMatter) {
  std::size_t by_parts = 0;
  for (int seed = 1; seed <= 12; ++seed) {
    const std::string text = run({"generate", "multi-register", "-n", "120", "--values", "5", "--violation", "anywhere",
                                  "--seed", std::to_string(seed)})
                                 .out;
    const std::string directory = temporary_directory("saved-parts-" + std::to_string(seed));
    const json whole = json::parse(run({"check", "-", "--json", "--save", directory}, text).out).at("objects").at(0);
    if (whole.at("verdict") != "violation") continue;
    const json again = json::parse(run({"check", "--verify", "--json", directory + "/stdin.core.txt"}).out);
    EXPECT_EQ(again.at("verdict"), "violation") << seed;
    EXPECT_EQ(again.at("objects").at(0).at("core_checked"), true) << seed;
    if (whole.at("sentence").get<std::string>().find("Only what was done to") == std::string::npos) continue;
    ++by_parts;
    EXPECT_EQ(again.at("operations"), whole.at("core").size() + whole.at("context").size()) << seed;
    EXPECT_EQ(again.at("objects").at(0).at("core").size() + again.at("objects").at(0).at("context").size(),
              again.at("operations"))
        << seed << content_of(directory + "/stdin.core.txt");
  }
  EXPECT_GE(by_parts, 6U);
}

TEST(CliCheck, SavesTheTypeThatWasAskedFor) {
  const std::string directory = temporary_directory("saved-type");
  const char* untyped = "# linchpin 1\n0 1 2 push 1\n0 3 4 push 2\n1 5 6 pop -> 1\n";
  ASSERT_EQ(run({"check", "-", "--type", "stack", "-q", "--save", directory}, untyped).exit_code, 1);
  EXPECT_EQ(run({"check", directory + "/stdin.core.txt"}).exit_code, 1);
}

}  // namespace

}  // namespace explain_test
