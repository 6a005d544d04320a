// `linchpin stress`: the list, the controls, the planted bugs, and a saved violation.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace stress_test {

namespace {

using linchpin::cli_test::content_of;
using linchpin::cli_test::run;
using linchpin::cli_test::temporary_file;
using linchpin::cli_test::temporary_folder;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

TEST(CliStress, ListsWhatThereIs) {
  const auto outcome = run({"stress"});
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* name : {"locked-queue", "planted-aba", "tbb-queue"}) EXPECT_THAT(outcome.out, HasSubstr(name));
}

TEST(CliStress, FindsTheControlsClean) {
  const auto outcome = run({"stress", "locked", "atomic-counter", "atomic-register", "mutex", "--rounds", "50"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("locked-map: linearizable: 50 rounds"));
}

TEST(CliStress, TellsMachines) {
  const auto clean = run({"stress", "locked-queue", "--rounds", "5", "--json"});
  EXPECT_EQ(clean.exit_code, 0) << clean.error;
  const auto told = nlohmann::json::parse(clean.out);
  EXPECT_EQ(told["name"], "locked-queue");
  EXPECT_EQ(told["verdict"], "linearizable");
  EXPECT_EQ(told["rounds"], 5);
  EXPECT_TRUE(told["round"].is_null());
  EXPECT_EQ(told["stress_points"], 0);
  EXPECT_GE(told["overlapping"], told["overlaps"]);
  const auto broken = run({"stress", "planted-lost-update", "--time", "2m", "--threads", "2", "--json"});
  EXPECT_EQ(broken.exit_code, 1) << broken.error;
  const auto why = nlohmann::json::parse(broken.out);
  EXPECT_EQ(why["verdict"], "violation");
  const auto& object = why["round"]["objects"].at(0);
  EXPECT_EQ(object["verdict"], "violation");
  EXPECT_EQ(object["explanation"]["core"].size(), object["core"].size());
  EXPECT_FALSE(object["core"].empty());
}

class PlantedBug : public testing::TestWithParam<const char*> {};

TEST_P(PlantedBug, IsFoundAndSaved) {
  const std::string file = temporary_file(std::string(GetParam()) + ".txt", "");
  const auto outcome =
      run({"stress", GetParam(), "--rounds", "1000000", "--time", "2m", "--threads", "2", "--save", file});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("not linearizable"));
  EXPECT_EQ(run({"check", "--quiet", file}).exit_code, 1);
}

INSTANTIATE_TEST_SUITE_P(CliStress, PlantedBug,
                         testing::Values("planted-missing-retry", "planted-aba", "planted-split-size",
                                         "planted-lost-update", "planted-early-unlock", "planted-check-then-act"));

// However busy the machine is: by turns, in a number of rounds that does not depend on time.
TEST(CliStress, FindsAbaWithEverySeed) {
  for (int seed = 1000; seed <= 20'000; seed += 1000) {
    const auto outcome =
        run({"stress", "planted-aba", "--threads", "2", "--rounds", "1000", "--seed", std::to_string(seed)});
    EXPECT_EQ(outcome.exit_code, 1) << seed << ": " << outcome.out << outcome.error;
  }
}

TEST(CliStress, SaysHowMuchACleanRunHasSeen) {
  const auto outcome = run({"stress", "locked-queue", "--threads", "2", "--rounds", "20"});
  EXPECT_THAT(outcome.out, HasSubstr("no stress points: which schedules were run was up to the machine"));
}

/// Whether the run could not take place because the server is not installed.
bool is_missing(const linchpin::cli_test::Outcome& outcome) {
  return outcome.error.find("is not installed") != std::string::npos;
}

TEST(CliStress, FindsAPlainReadOfRedisCleanAndAReplicaStale) {
  const auto plain = run({"stress", "redis", "--threads", "2", "--rounds", "10"});
  if (is_missing(plain)) GTEST_SKIP() << plain.error;
  EXPECT_EQ(plain.exit_code, 0) << plain.out << plain.error;
  const auto replica = run({"stress", "redis-replica", "--threads", "2", "--rounds", "10000", "--time", "1m"});
  EXPECT_EQ(replica.exit_code, 1) << replica.out << replica.error;
}

TEST(CliStress, FindsALinearizableReadOfEtcdCleanAndASerializableOneStale) {
  const auto plain = run({"stress", "etcd", "--threads", "2", "--rounds", "3"});
  if (is_missing(plain)) GTEST_SKIP() << plain.error;
  EXPECT_EQ(plain.exit_code, 0) << plain.out << plain.error;
  const auto serializable = run({"stress", "etcd-serializable", "--threads", "2", "--rounds", "1000", "--time", "1m"});
  EXPECT_EQ(serializable.exit_code, 1) << serializable.out << serializable.error;
}

// Whether a round could be decided is up to how long its requests were lost; that none is a violation is not.
TEST(CliStress, DecidesStoresOfEtcdWhoseMembersAreStopped) {
  for (const char* const name : {"etcd-mvcc", "etcd-versions", "etcd-lists"}) {
    const auto outcome = run({"stress", name, "--threads", "3", "--rounds", "1", "-n", "40"});
    if (is_missing(outcome)) GTEST_SKIP() << outcome.error;
    EXPECT_THAT(outcome.exit_code, AnyOf(0, 3)) << name << outcome.out << outcome.error;
    EXPECT_THAT(outcome.out, HasSubstr("1 rounds, 120 operations"));
  }
}

// All but what lost grants came to is known from the logs, so the report is decided however long requests were lost.
TEST(CliStress, LeavesAReportOfEtcdWithTheLogsOfItsMembers) {
  const auto directory = testing::TempDir() + "etcd_report";
  std::filesystem::remove_all(directory);
  const auto outcome =
      run({"stress", "etcd-mvcc", "--threads", "4", "--rounds", "1", "-n", "100", "--report", directory});
  if (is_missing(outcome)) GTEST_SKIP() << outcome.error;
  EXPECT_THAT(outcome.exit_code, AnyOf(0, 3)) << outcome.out << outcome.error;
  for (const char* const member : {"server-m0", "server-m1", "server-m2"}) {
    EXPECT_TRUE(std::filesystem::exists(directory + "/" + member + "/member/wal")) << member;
  }
  const auto checked = run({"check", directory});
  EXPECT_THAT(checked.out, HasSubstr("linearizable (mvcc-kv")) << checked.out << checked.error;
  std::filesystem::remove_all(directory);
}

TEST(CliStress, SaysWhyAReportHasNoLogs) {
  const auto directory = testing::TempDir() + "etcd_report_in_the_way";
  std::filesystem::remove_all(directory);
  std::filesystem::create_directories(directory);
  std::ofstream(directory + "/server-m1") << "a file in the way";
  const auto outcome =
      run({"stress", "etcd-mvcc", "--threads", "2", "--rounds", "1", "-n", "10", "--report", directory});
  if (is_missing(outcome)) GTEST_SKIP() << outcome.error;
  EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
  EXPECT_THAT(outcome.error, AllOf(HasSubstr("the members' logs could not be copied: "), HasSubstr("server-m1")));
  EXPECT_FALSE(std::filesystem::exists(directory + "/client-1"));
  std::filesystem::remove_all(directory);
}

TEST(CliStress, LeavesNoReportOfWhatHasNoLogs) {
  const auto outcome = run({"stress", "locked-queue", "--rounds", "1", "--report", testing::TempDir() + "none"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.error, HasSubstr("locked-queue leaves no report"));
}

TEST(CliStress, DecidesStoresOfRedisThatIsStopped) {
  for (const char* const name : {"redis-versions", "redis-lists"}) {
    const auto outcome = run({"stress", name, "--threads", "3", "--rounds", "3", "-n", "100"});
    if (is_missing(outcome)) GTEST_SKIP() << outcome.error;
    EXPECT_EQ(outcome.exit_code, 0) << name << outcome.out << outcome.error;
    EXPECT_THAT(outcome.out, HasSubstr("linearizable: 3 rounds, 900 operations"));
  }
}

TEST(CliStress, SavesTheLastRoundWhereItIsAskedTo) {
  const auto file = testing::TempDir() + "last_round.txt";
  const auto outcome =
      run({"stress", "locked-queue", "--threads", "2", "--rounds", "2", "--save", file, "--save-last"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.error;
  EXPECT_THAT(run({"check", file}).out, HasSubstr("linearizable (queue, 200 operations"));
}

TEST(CliStress, SavesOfOneImplementationOnly) {
  const auto file = testing::TempDir() + "of_several.txt";
  const auto several = run({"stress", "locked-queue", "locked-stack", "--rounds", "2", "--save", file, "--save-last"});
  EXPECT_EQ(several.exit_code, 2);
  EXPECT_EQ(several.out, "");
  EXPECT_THAT(several.error, HasSubstr("--save is for one implementation, and 2 are to be run"));
  EXPECT_FALSE(std::filesystem::exists(file));
  const auto family = run({"stress", "etcd", "etcd-mvcc", "--report", testing::TempDir() + "none"});
  if (is_missing(family)) GTEST_SKIP() << family.error;
  EXPECT_THAT(family.error, HasSubstr("--report is for one implementation"));
}

TEST(CliStress, ARoundEndsWithTheTime) {
  const auto outcome = run(
      {"stress", "locked-queue", "-n", "1000000000", "--rounds", "1", "--time", "200ms", "--threads", "2", "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.error;
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["cut_short"], true);
  const auto filling = run({"stress", "locked-queue", "--prefill", "1000000000", "--time", "200ms"});
  EXPECT_EQ(filling.exit_code, 2);
  EXPECT_THAT(filling.error, AllOf(HasSubstr("of 1000000000 values were in the container"), HasSubstr("(--time)")));
}

TEST(CliStress, RefusesNumbersThatNoOptionHolds) {
  for (const char* const option : {"--seed", "-n", "--rounds", "--prefill"}) {
    for (const char* const number : {"-1", "18446744073709551616"}) {
      const auto outcome = run({"stress", "locked-queue", option, number});
      EXPECT_EQ(outcome.exit_code, 2) << option << " " << number;
      EXPECT_THAT(outcome.error,
                  HasSubstr("'" + std::string(number) + "' is not a whole number from 0 to 18446744073709551615"))
          << option;
    }
  }
  EXPECT_EQ(run({"stress", "locked-queue", "--rounds", "0"}).exit_code, 2);
  EXPECT_EQ(run({"stress", "locked-queue", "-n", "18446744073709551615"}).exit_code, 2);
  const auto largest = run({"stress", "locked-queue", "--rounds", "1", "--seed", "18446744073709551615"});
  EXPECT_EQ(largest.exit_code, 0) << largest.error;
  const auto keys = run({"stress", "locked-set", "--keys", "-9223372036854775809"});
  EXPECT_THAT(keys.error, HasSubstr("is not a whole number from -9223372036854775808 to 9223372036854775807"));
}

TEST(CliStress, TriesBeforeTheRunWhetherItCanSave) {
  const std::string folder = temporary_folder("stress-save");
  const auto outcome =
      run({"stress", "locked-queue", "--rounds", "2", "--save-last", "--save", folder + "/not-there/round.txt"});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.out, "") << "before any round";
  EXPECT_THAT(outcome.error, HasSubstr("cannot write"));
  const std::string kept = folder + "/kept.txt";
  std::ofstream(kept) << "what was there";
  EXPECT_EQ(run({"stress", "locked-queue", "--rounds", "2", "--save", kept}).exit_code, 0);
  EXPECT_EQ(run({"stress", "locked-queue", "--mix", "push=1", "--save", kept}).exit_code, 2);
  EXPECT_EQ(content_of(kept), "what was there") << "no violation, no round to save";
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1) << "nothing is left beside it";
}

TEST(CliStress, SavesInTheFormatThatTheNameAsksFor) {
  const std::string folder = temporary_folder("stress-format");
  for (const auto& [name, begins] : {std::pair{"round.bin", "LNCHPIN"}, std::pair{"round.lch", "LNCHPIN"},
                                     std::pair{"round.jsonl", "{"}, std::pair{"round", "# linchpin"}}) {
    const std::string file = folder + "/" + name;
    const auto outcome =
        run({"stress", "locked-queue", "--threads", "2", "--rounds", "1", "-n", "10", "--save-last", "--save", file});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.error;
    EXPECT_THAT(content_of(file), testing::StartsWith(begins));
    EXPECT_EQ(run({"check", "--quiet", file}).exit_code, 0);
  }
}

TEST(CliStress, AMethodOfTheMixIsNamedOnce) {
  const auto twice = run({"stress", "locked-queue", "--mix", "enqueue=1,enqueue=2"});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_THAT(twice.error, HasSubstr("the mix names 'enqueue' twice"));
  const auto never = run({"stress", "locked-queue", "--rounds", "1", "--mix", "enqueue=0", "--json"});
  EXPECT_EQ(never.exit_code, 0) << never.error;
}

TEST(CliStress, SaysWhatItDoesNotKnow) {
  const auto name = run({"stress", "lost-queue"});
  EXPECT_EQ(name.exit_code, 2);
  EXPECT_THAT(name.error, HasSubstr("no implementation 'lost-queue'"));
  const auto method = run({"stress", "locked-queue", "--mix", "push=1"});
  EXPECT_EQ(method.exit_code, 2);
  EXPECT_THAT(method.error, HasSubstr("no method 'push'"));
  EXPECT_EQ(run({"stress", "locked-queue", "--mix", "enqueue"}).exit_code, 2);
}

}  // namespace

}  // namespace stress_test
