// `linchpin check`: verdicts, exit codes, inputs. The texts are in golden/, the exit codes here too, since a golden
// file is easily blessed.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command.hpp"
#include "cli/hard_history.hpp"

namespace check_test {

namespace {

using linchpin::cli_test::content_of;
using linchpin::cli_test::expect_golden;
using linchpin::cli_test::hard_history;
using linchpin::cli_test::run;
using linchpin::cli_test::temporary_file;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kGood = "# linchpin 1\n# type: queue\n0 1 2 enqueue 1\n1 3 4 dequeue -> 1\n";
constexpr const char* kBad = "# linchpin 1\n# type: queue\n0 1 2 enqueue 1\n1 3 4 dequeue -> 2\n";
constexpr const char* kBroken = "# linchpin 1\n# type: queue\n0 1 2 enqueue 1\n1 7 4 dequeue -> 1\n";

TEST(CliCheck, SaysLinearizableWithCode0) {
  EXPECT_EQ(run({"check", "queue.txt"}).exit_code, 0);
  expect_golden("linearizable", {"check", "queue.txt"});
}

TEST(CliCheck, ExplainsAViolationWithCode1) {
  EXPECT_EQ(run({"check", "queue-violation.txt"}).exit_code, 1);
  expect_golden("violation", {"check", "queue-violation.txt"});
}

TEST(CliCheck, ShowsTheObjectsOfAHistoryOneByOne) {
  EXPECT_EQ(run({"check", "objects.txt", "--all"}).exit_code, 1);
  expect_golden("objects", {"check", "objects.txt", "--all"});
}

TEST(CliCheck, GivesThePlaceOfAnErrorAndChecksTheOtherFiles) {
  EXPECT_EQ(run({"check", "queue.txt", "broken.txt", "queue-violation.txt"}).exit_code, 2);
  expect_golden("several-one-broken", {"check", "queue.txt", "broken.txt", "queue-violation.txt"});
  expect_golden("several-one-broken-json", {"check", "--json", "queue.txt", "broken.txt", "queue-violation.txt"});
}

TEST(CliCheck, GivesOneResultForEachHistoryOfAFile) {
  EXPECT_EQ(run({"check", "three.jsonl"}).exit_code, 2);
  expect_golden("three-histories", {"check", "three.jsonl"});
  expect_golden("three-histories-json", {"check", "--json", "three.jsonl"});
}

TEST(CliCheck, SaysThatAFileDoesNotExist) { expect_golden("no-such-file", {"check", "no-such-file.txt", "--json"}); }

TEST(CliCheck, SaysThatAMethodIsUnknown) { expect_golden("unknown-method", {"check", "unknown-method.txt"}); }

TEST(CliCheck, TakesTheTypeFromTheCommandLine) {
  EXPECT_EQ(run({"check", "-", "--type", "register"}, kGood).exit_code, 2) << "it has no method enqueue";
  EXPECT_EQ(run({"check", "-", "--type", "queue capacity=1"}, kGood).exit_code, 0);
  EXPECT_THAT(run({"check", "queue.txt", "--type", "quewe"}).error, HasSubstr("there is no data type 'quewe'"));
  expect_golden("unknown-type-option", {"check", "queue.txt", "--type", "queue size=3"});
}

TEST(CliCheck, SaysWhereATypeIsWrong) {
  const auto error_of = [](const std::string& history) { return run({"check", "-"}, history).error; };
  EXPECT_THAT(error_of("# linchpin 1\n#  type: quewe\n0 1 2 enqueue 1\n"), HasSubstr("-:2:10: error: there is no"));
  EXPECT_THAT(error_of("# linchpin 1\n# object a: queue capacity=x\n0 1 2 object=a enqueue 1\n"),
              HasSubstr("-:2:13: error: type queue: capacity=x is not possible"));
  EXPECT_THAT(error_of("{\"linchpin\":1,\"type\":\"quewe\",\"operations\":[]}\n"), HasSubstr("-:1:22: error:"));
  EXPECT_THAT(error_of("# linchpin 1\n# object a: queue\n0 1 2 object=a enqueue 1\n0 3 4 object=b enqueue 1\n"),
              HasSubstr("-:4:1: error: the input does not say which data type the object b has"));
}

TEST(CliCheck, TakesTheFormatFromTheCommandLine) {
  EXPECT_EQ(run({"check", "-", "--format", "text"}, kGood).exit_code, 0);
  EXPECT_EQ(run({"check", "-", "--format", "jsonl"}, kGood).exit_code, 2);
  expect_golden("unknown-format", {"check", "queue.txt", "--format", "yaml"});
}

// A key is gone without anybody having asked for it: its lease may have expired, which etcd's own tests exclude.
TEST(CliCheck, SaysThatNoLeaseIsTakenToHaveExpired) {
  expect_golden("leases-assumed", {"check", "etcd-leases.json"});
  expect_golden("leases-expire", {"check", "--leases-expire", "etcd-leases.json"});
}

TEST(CliCheck, ReadsStandardInput) {
  expect_golden("standard-input", {"check", "-"}, kBad);
  EXPECT_EQ(run({"check", "-"}, "").exit_code, 2) << "nothing is no history";
}

TEST(CliCheck, ReadsStandardInputOnce) {
  const auto outcome = run({"check", "-", "-"}, "# linchpin 1\n# type: queue\n0 1 2 enqueue 1\n");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.out, HasSubstr("standard input: linearizable"));
  EXPECT_THAT(outcome.error, HasSubstr("standard input is read once"));
}

TEST(CliCheck, AnOptionWithAnEmptyValueIsNotOneThatIsNotGiven) {
  for (const char* const option : {"--decider", "--order-by", "--type", "--format", "--junit"}) {
    const auto outcome = run({"check", "queue.txt", option, ""});
    EXPECT_EQ(outcome.exit_code, 2) << option;
    EXPECT_THAT(outcome.error, HasSubstr(std::string(option) + ": its value is empty"));
  }
}

TEST(CliCheck, WhatIsLongIsCutInErrors) {
  const auto outcome = run({"check", "-"}, "# linchpin 1\n# type: queue\n0 1 2 " + std::string(100'000, 'm') + " 1\n");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_LT(outcome.error.size(), 1000U);
  EXPECT_THAT(outcome.error, HasSubstr(" more)"));
}

TEST(CliCheck, ReadsDirectoriesInSortedOrderWithoutDocumentation) {
  const std::string late = temporary_file("directory/b/late.txt", kBad);
  const std::string early = temporary_file("directory/a.txt", kGood);
  temporary_file("directory/README.md", "not a history");
  temporary_file("directory/.hidden", "not a history either");
  const std::string directory = early.substr(0, early.rfind('/'));
  const auto outcome = run({"check", directory});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.error, IsEmpty());
  EXPECT_LT(outcome.out.find(early), outcome.out.find(late));
  EXPECT_THAT(outcome.out, Not(HasSubstr("README")));
}

TEST(CliCheck, SaysNothingWhenQuietBesidesErrors) {
  for (const char* file : {"queue.txt", "queue-violation.txt"}) {
    const auto outcome = run({"check", "--quiet", file});
    EXPECT_THAT(outcome.out, IsEmpty());
    EXPECT_THAT(outcome.error, IsEmpty());
  }
  EXPECT_EQ(run({"check", "--quiet", "queue-violation.txt"}).exit_code, 1);
  const auto broken = run({"check", "-q", "-"}, kBroken);
  EXPECT_EQ(broken.exit_code, 2);
  EXPECT_THAT(broken.out, IsEmpty());
  EXPECT_THAT(broken.error, HasSubstr("-:4:"));
}

TEST(CliCheck, ReadsEqualTicksAsAsked) {
  const char* touching = "# linchpin 1\n# type: register\n0 1 2 write 1\n0 3 4 write 2\n1 4 5 read -> 1\n";
  EXPECT_EQ(run({"check", "-"}, touching).exit_code, 0);
  EXPECT_EQ(run({"check", "-", "--ties", "concurrent"}, touching).exit_code, 0);
  EXPECT_EQ(run({"check", "-", "--ties", "response-first"}, touching).exit_code, 1);
}

TEST(CliCheck, SaysUnknownWithCode3WhenTheTimeIsOver) {
  const auto outcome = run({"check", "-", "--time-limit", "50ms", "--json"}, hard_history());
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.out, HasSubstr(R"("verdict":"unknown","reason":"time")"));
}

TEST(CliCheck, PrefersAViolationToUnknownAndAnErrorToBoth) {
  const std::string hard = temporary_file("hard.txt", hard_history());
  EXPECT_EQ(run({"check", hard, "queue.txt", "--time-limit", "50ms"}).exit_code, 3);
  EXPECT_EQ(run({"check", hard, "queue-violation.txt", "--time-limit", "50ms"}).exit_code, 1);
  EXPECT_EQ(run({"check", hard, "queue-violation.txt", "broken.txt", "--time-limit", "50ms"}).exit_code, 2);
}

TEST(CliCheck, RefusesOptionsThatMakeNoSense) {
  expect_golden("usage-time", {"check", "queue.txt", "--time-limit", "soon"});
  expect_golden("usage-memory", {"check", "queue.txt", "--memory-limit", "-1"});
  expect_golden("usage-ties", {"check", "queue.txt", "--ties", "never"});
  EXPECT_EQ(run({"check", "queue.txt", "--decider", "oracle"}).exit_code, 2);
  EXPECT_EQ(run({"check"}).exit_code, 2);
  EXPECT_EQ(run({"check", "queue.txt", "--no-such-option"}).exit_code, 2);
  EXPECT_EQ(run({"check", "queue.txt", "--json", "--quiet"}).exit_code, 2);
  EXPECT_EQ(run({}).exit_code, 2);
  EXPECT_EQ(run({"chekc"}).exit_code, 2);
}

TEST(CliCheck, UnderstandsTimesAndSizes) {
  for (const char* time : {"10", "2.5", "500ms", "90s", "2m", "1h"}) {
    EXPECT_EQ(run({"check", "queue.txt", "--time-limit", time}).exit_code, 0) << time;
  }
  for (const char* size : {"1000000000", "512M", "4G", "1.5GiB"}) {
    EXPECT_EQ(run({"check", "queue.txt", "--memory-limit", size}).exit_code, 0) << size;
  }
  for (const char* nonsense : {"", "0", "-1", "ten", "1x", "1 s x", "nan", "inf", "1e5"}) {
    EXPECT_EQ(run({"check", "queue.txt", "--time-limit", nonsense}).exit_code, 2) << nonsense;
    EXPECT_EQ(run({"check", "queue.txt", "--memory-limit", nonsense}).exit_code, 2) << nonsense;
  }
}

TEST(CliCheck, SaysWhatBecameOfTheEvidenceWhenAsked) {
  expect_golden("verify", {"check", "--verify", "queue.txt", "queue-violation.txt"});
}

TEST(CliCheck, TakesAnswersBackThatDoNotHold) {
  for (const char* command : {"check", "explain"}) {
    for (const char* planted : {"planted-witness", "planted-core"}) {
      const auto outcome = run({command, "queue.txt", "--decider", planted});
      EXPECT_EQ(outcome.exit_code, 3) << command << " " << planted;
      EXPECT_THAT(outcome.out, HasSubstr("unknown"));
      EXPECT_THAT(outcome.error, HasSubstr("of " + std::string(planted) + " does not hold"));
      EXPECT_THAT(outcome.error, HasSubstr("please report"));
      // The file that it names holds the history.
      const std::string file = outcome.error.substr(outcome.error.rfind(' ') + 1);
      const std::string path = file.substr(0, file.find('\n'));
      EXPECT_EQ(run({"check", path}).exit_code, 0) << path;
      std::filesystem::remove(path);
    }
  }
  EXPECT_EQ(run({"check", "queue.txt", "--decider", "planted-witness", "--no-verify"}).exit_code, 0);
  EXPECT_EQ(run({"check", "queue.txt", "--verify", "--no-verify"}).exit_code, 2);
  const auto json = run({"check", "queue.txt", "--decider", "planted-core", "--json"});
  EXPECT_THAT(json.out, HasSubstr(R"("reason":"internal")"));
  EXPECT_THAT(json.out, HasSubstr(R"("refused_evidence":[{"decider":"planted-core","verdict":"violation",)"));
}

TEST(CliCheck, WritesWitnesses) {
  // Only one order is possible, whichever decider finds it.
  const char* sequential = "# linchpin 1\n# type: register\n0 1 2 write 7\n- 3 4 read -> 7\n1 5 - read\n";
  expect_golden("witness", {"check", "-", "--quiet", "--witness", "-"}, sequential);
  const std::string path = temporary_file("witness.jsonl", "");
  EXPECT_EQ(run({"check", "queue.txt", "--quiet", "--witness", path}).exit_code, 0);
  EXPECT_EQ(run({"check", "queue.txt", "--witness", "/no/such/directory/witness"}).exit_code, 2);
  EXPECT_EQ(run({"check", "queue.txt", "--witness", path, "--no-witness"}).exit_code, 2);
}

TEST(CliCheck, WritesFilesToStandardOutputAsWell) {
  for (const char* option : {"--junit", "--sarif", "--report", "--witness"}) {
    const std::string path = temporary_file("to-standard-output", "");
    EXPECT_EQ(run({"check", "queue.txt", "--quiet", option, path}).exit_code, 0);
    const auto printed = run({"check", "queue.txt", "--quiet", option, "-"});
    EXPECT_EQ(printed.exit_code, 0);
    EXPECT_GT(printed.out.size(), 100U) << option;
    // Some of them say how long it took.
    const std::string written = content_of(path);
    constexpr std::size_t kBegin = 40, kTimes = 64;
    EXPECT_EQ(written.substr(0, kBegin), printed.out.substr(0, kBegin)) << option;
    EXPECT_NEAR(static_cast<double>(written.size()), static_cast<double>(printed.out.size()), kTimes) << option;
  }
}

TEST(CliCheck, SaysWhatNumberAnOptionTakes) {
  for (const char* wrong : {"-1", "x", "1.5", "4294967296", ""}) {
    const auto outcome = run({"check", "queue.txt", "--threads", wrong});
    EXPECT_EQ(outcome.exit_code, 2) << wrong;
    EXPECT_THAT(outcome.error,
                HasSubstr("--threads: '" + std::string(wrong) + "' is not a whole number from 0 to 4294967295"));
  }
}

TEST(CliCheck, SaysFailureWhenItsOutputCannotBeWritten) {
  EXPECT_EQ(linchpin::cli_test::run_into({"check", "queue.txt"}, "/dev/full"), 2);
}

TEST(CliCheck, EndsQuietlyWhenItsReaderGoesAway) {
  EXPECT_EQ(linchpin::cli_test::run_into_closed_pipe({"check", "queue.txt"}), 141);
}

TEST(CliCheck, StopsOnCtrlCAndSaysWhatItHas) {
  const std::string hard = temporary_file("hard.txt", hard_history());
  const auto outcome = linchpin::cli_test::run_and_interrupt({"check", "queue.txt", hard, hard, "--json"});
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_THAT(outcome.out, HasSubstr(R"("verdict":"linearizable")"));
  EXPECT_THAT(outcome.error, HasSubstr("not checked"));
}

}  // namespace

}  // namespace check_test
