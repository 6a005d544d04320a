// `linchpin explore`: the list, the controls, the planted bugs by the default options, and a replay.
#include <chrono>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace explore_test {

namespace {

using linchpin::cli_test::run;
using testing::HasSubstr;
using testing::Not;

/// Whether nothing can be explored in this build: another processor, or sanitizers.
bool is_missing(const linchpin::cli_test::Outcome& outcome) {
  return outcome.error.find("cannot run") != std::string::npos;
}

TEST(CliExplore, ListsWhatThereIs) {
  const auto outcome = run({"explore"});
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* name : {"locked-queue", "planted-missing-release", "tbb-queue"}) {
    EXPECT_THAT(outcome.out, HasSubstr(name));
  }
  EXPECT_THAT(outcome.out, Not(HasSubstr("redis")));
  EXPECT_THAT(run({"stress"}).out, Not(HasSubstr("planted-missing-release")));
}

class Control : public testing::TestWithParam<const char*> {};

TEST_P(Control, IsClean) {
  const auto outcome = run({"explore", GetParam(), "--operations", "1", "--beyond", "0"});
  if (is_missing(outcome)) GTEST_SKIP() << outcome.error;
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("nothing found: all schedules with at most 2 deviations"));
}

INSTANTIATE_TEST_SUITE_P(CliExplore, Control,
                         testing::Values("locked-queue", "locked-stack", "locked-deque", "locked-priority-queue",
                                         "locked-set", "locked-map", "atomic-counter", "atomic-register", "mutex",
                                         "tbb-queue", "tbb-bounded-queue", "tbb-priority-queue"));

// Each schedule of theirs is the same when it is run again, whatever they keep. What has inline assembly elsewhere is
// explored by its own port to the compiler's atomic operations.
TEST(CliExplore, LibrariesAreClean) {
  const std::string listed = run({"explore"}).out;
  for (const char* name :
       {"ck-ring", "ck-fifo", "ck-stack", "urcu-lfqueue", "urcu-wfcqueue", "urcu-lfstack", "cds-treiber-stack",
        "cds-elimination-stack", "cds-ms-queue", "cds-moir-queue", "cds-basket-queue", "cds-optimistic-queue",
        "cds-rw-queue", "cds-vyukov-queue", "atomic-queue", "atomic-queue2", "tbb-queue", "tbb-priority-queue"}) {
    if (listed.find(name) == std::string::npos) continue;  // its package is not there
    for (const char* memory : {"sc", "c++20"}) {
      const auto outcome =
          run({"explore", name, "--operations", "1", "--prefix", "1", "--beyond", "0", "--memory", memory});
      if (is_missing(outcome)) GTEST_SKIP() << outcome.error;
      EXPECT_EQ(outcome.exit_code, 0) << name << outcome.out << outcome.error;
      EXPECT_THAT(outcome.out, HasSubstr("2 threads x 1 operation: all ")) << name;
    }
  }
}

struct Planted {
  const char* name;
  const char* finding;
};

class ExplorePlanted : public testing::TestWithParam<Planted> {};

TEST_P(ExplorePlanted, IsFoundByDefault) {
  // Found within the default 2 s, or however busy the machine is.
  const auto outcome = run({"explore", GetParam().name, "--beyond", "60", "--json"});
  if (is_missing(outcome)) GTEST_SKIP() << outcome.error;
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.error;
  const auto told = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(told["finding"], GetParam().finding) << told["message"];
  EXPECT_FALSE(told["interleaving"].empty());
  const auto again = run({"explore", GetParam().name, "--replay", told["token"].get<std::string>(), "--json"});
  const auto replayed = nlohmann::json::parse(again.out);
  EXPECT_EQ(replayed["finding"], told["finding"]);
  EXPECT_EQ(replayed["schedules"], 1);
  EXPECT_EQ(replayed["interleaving"].size(), told["interleaving"].size());
}

INSTANTIATE_TEST_SUITE_P(
    CliExplore, ExplorePlanted,
    testing::Values(Planted{"planted-missing-retry", "not_linearizable"}, Planted{"planted-aba", "not_linearizable"},
                    Planted{"planted-split-size", "not_linearizable"},
                    Planted{"planted-lost-update", "not_linearizable"},
                    Planted{"planted-early-unlock", "not_linearizable"},
                    Planted{"planted-check-then-act", "not_linearizable"}, Planted{"planted-missing-release", "race"},
                    Planted{"planted-missing-acquire", "race"}, Planted{"planted-wrong-fence", "race"},
                    Planted{"planted-early-delete", "race"}, Planted{"planted-aba-of-oldest", "not_linearizable"},
                    Planted{"planted-lost-wakeup", "lost_wakeup"}, Planted{"planted-lock-order", "deadlock"}),
    [](const auto& parameter) {
      std::string name;
      for (const char* c = parameter.param.name; *c != 0; ++c) {
        if (*c != '-') name += *c;
      }
      return name;
    });

TEST(CliExplore, WritesFilesForContinuousIntegration) {
  using linchpin::cli_test::content_of;
  const std::string folder = linchpin::cli_test::temporary_folder("explore-files");
  const std::string junit = folder + "/junit.xml", sarif = folder + "/run.sarif";
  const auto found = run({"explore", "planted-missing-release", "--junit", junit, "--sarif", sarif});
  if (is_missing(found)) GTEST_SKIP() << found.error;
  EXPECT_EQ(found.exit_code, 1) << found.error;
  EXPECT_THAT(content_of(junit), HasSubstr(R"(failures="1")"));
  EXPECT_THAT(content_of(junit), HasSubstr(R"(<failure type="race" message="data race: )"));
  EXPECT_THAT(content_of(junit), HasSubstr("0 -&gt; block"));
  const auto log = nlohmann::json::parse(content_of(sarif))["runs"][0];
  const auto& result = log["results"].at(0);
  EXPECT_EQ(result["ruleId"], "race");
  for (const auto& place : {result["locations"].at(0), result["relatedLocations"].at(0)}) {
    EXPECT_THAT(place["physicalLocation"]["artifactLocation"]["uri"].get<std::string>(),
                testing::EndsWith("src/stress/planted.hpp"));
    EXPECT_GT(place["physicalLocation"]["region"]["startLine"], 0);
  }
  EXPECT_NE(result["locations"], result["relatedLocations"]);
  EXPECT_EQ(result["codeFlows"][0]["threadFlows"].size(), 2U);
  const auto clean = run({"explore", "locked-queue", "--operations", "1", "--junit", junit, "--sarif", sarif});
  EXPECT_EQ(clean.exit_code, 0) << clean.error;
  EXPECT_THAT(content_of(junit), HasSubstr(R"(tests="1" failures="0" errors="0" skipped="0")"));
  EXPECT_TRUE(nlohmann::json::parse(content_of(sarif))["runs"][0]["results"].empty());
  const auto late = run({"explore", "locked-queue", "--time", "0", "--junit", junit, "--sarif", sarif});
  EXPECT_EQ(late.exit_code, 3) << late.error;
  EXPECT_THAT(content_of(junit), HasSubstr(R"(skipped="1")"));
  const auto unwritten = run({"explore", "planted-lost-update", "--junit", folder + "/no/where.xml"});
  EXPECT_EQ(unwritten.exit_code, 2);
  EXPECT_THAT(unwritten.error, HasSubstr("where.xml"));
  EXPECT_THAT(unwritten.out, HasSubstr("--replay")) << "what was found is told all the same";
  EXPECT_EQ(linchpin::cli_test::run_into({"explore", "planted-lost-update"}, "/dev/full"), 2);
  EXPECT_EQ(linchpin::cli_test::run_into({"explore"}, "/dev/full"), 2);
  EXPECT_EQ(linchpin::cli_test::run_into({"--help"}, "/dev/full"), 2);
}

TEST(CliExplore, JobsGiveTheSameAnswer) {
  const auto told = [](const std::string& name, const std::string& jobs) {
    const auto outcome = run({"explore", name, "--json", "--beyond", "0", "--jobs", jobs});
    if (is_missing(outcome)) return std::string("missing");
    auto json = nlohmann::json::parse(outcome.out);
    json.erase("seconds");
    return std::to_string(outcome.exit_code) + json.dump(1);
  };
  for (const char* name : {"locked-queue", "planted-check-then-act", "planted-early-delete"}) {
    const std::string one = told(name, "1");
    if (one == "missing") GTEST_SKIP();
    EXPECT_EQ(told(name, "2"), one);
    EXPECT_EQ(told(name, "3"), one);
  }
}

TEST(CliExplore, ACertificateIsForTheSameBounds) {
  const std::string file = linchpin::cli_test::temporary_folder("explore-certificate") + "/locked-queue.json";
  const auto first = run({"explore", "locked-queue", "--beyond", "0", "--certificate", file});
  if (is_missing(first)) GTEST_SKIP() << first.error;
  EXPECT_EQ(first.exit_code, 0) << first.error;
  const auto again = run({"explore", "locked-queue", "--beyond", "0", "--certificate", file, "--jobs", "2"});
  EXPECT_EQ(again.exit_code, 0) << again.error;
  EXPECT_THAT(again.out, HasSubstr("39 of the scenarios by the certificate, from earlier runs"));
  const auto other = run({"explore", "locked-queue", "--beyond", "0", "--certificate", file, "--keys", "3"});
  EXPECT_EQ(other.exit_code, 2) << other.out;
  EXPECT_THAT(other.error, HasSubstr("keys is 2 there and 3 now"));
  EXPECT_THAT(other.error, HasSubstr("--certificate-new"));
}

TEST(CliExplore, TheTimeIsAlsoThatOfFindingScenarios) {
  for (const std::vector<std::string>& size : {std::vector<std::string>{"--threads", "6", "--operations", "6"},
                                               std::vector<std::string>{"--prefix", "99999"}}) {
    std::vector<std::string> arguments{"explore", "locked-queue", "--time", "0.2"};
    arguments.insert(arguments.end(), size.begin(), size.end());
    const auto late = run(arguments);
    if (is_missing(late)) GTEST_SKIP() << late.error;
    EXPECT_EQ(late.exit_code, 3) << late.out;
    EXPECT_THAT(late.out, HasSubstr("was used up"));
  }
}

TEST(CliExplore, SaysWhatItDoesNotKnow) {
  const auto name = run({"explore", "lost-queue"});
  EXPECT_EQ(name.exit_code, 2);
  EXPECT_THAT(name.error, HasSubstr("nothing to explore of the name 'lost-queue'"));
  EXPECT_EQ(run({"explore", "redis"}).exit_code, 2);
  EXPECT_EQ(run({"explore", "locked-queue", "--memory", "weak"}).exit_code, 2);
  const auto number = run({"explore", "locked-queue", "--threads", "many"});
  if (is_missing(number)) GTEST_SKIP() << number.error;
  EXPECT_EQ(number.exit_code, 2);
  EXPECT_THAT(number.error, HasSubstr("--threads wants a number"));
  const std::string folder = linchpin::cli_test::temporary_folder("explore-wrong"), both = folder + "/both";
  const std::vector<std::pair<std::vector<std::string>, const char*>> rows{
      {{"--steps", "0"}, "--steps wants a number from 1 to 4294967295, not '0'"},
      {{"--schedules", "0"}, "--schedules wants a number from 1 to 18446744073709551615, not '0'"},
      {{"--threads", "99999999999"}, "--threads wants a number from 1 to 6, not '99999999999'"},
      {{"--operations", "-1"}, "--operations wants a number from 1 to 6, not '-1'"},
      {{"--depth", "9"}, "--depth wants a number from 1 to 8, not '9'"},
      {{"--jobs", "65"}, "--jobs wants a number from 1 to 64, not '65'"},
      {{"--replay", ""}, "--replay: its value is empty"},
      {{"--scenario", ""}, "--scenario: its value is empty"},
      {{"--junit", ""}, "--junit: its value is empty"},
      {{"--methods", ","}, "the object has no method ''"},
      {{"--methods", ""}, "--methods: its value is empty"},
      {{"--time", "nan"}, "--time wants seconds"},
      {{"--beyond", "-1"}, "--beyond wants seconds"},
      {{"--certificate", folder}, "a certificate is a file"},
      {{"--junit", both, "--sarif", folder + "/./both"}, "is two outputs at once"}};
  for (const auto& [options, message] : rows) {
    std::vector<std::string> arguments{"explore", "locked-queue"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto wrong = run(arguments);
    EXPECT_EQ(wrong.exit_code, 2) << message;
    EXPECT_THAT(wrong.error, HasSubstr(message));
  }
  EXPECT_FALSE(std::filesystem::exists(both));
}

}  // namespace

}  // namespace explore_test
