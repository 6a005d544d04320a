// `linchpin generate`: what it writes is checked by `linchpin check`, and is the same for the same seed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace generate_test {

namespace {

using linchpin::cli_test::expect_golden;
using linchpin::cli_test::run;
using testing::HasSubstr;

TEST(CliGenerate, WritesOneHistoryASeed) {
  expect_golden("generate-queue", {"generate", "queue", "-n", "12", "-p", "3", "--peeks", "0.2", "--pending", "2"});
  expect_golden("generate-jsonl", {"generate", "set", "-n", "6", "--values", "2", "--empties", "--ties", "0.3",
                                   "--objects", "2", "--format", "jsonl", "--seed", "7"});
  expect_golden("help-generate", {"generate", "--help"});
}

/// A seed gives the same history in every version, so that a figure or a bug that names one can be looked at again.
TEST(CliGenerate, ASeedIsANumberOf64Bits) {
  for (const char* const seed : {"-1", "18446744073709551616", "99999999999999999999"}) {
    const auto outcome = run({"generate", "queue", "--seed", seed});
    EXPECT_EQ(outcome.exit_code, 2) << seed;
    EXPECT_THAT(outcome.error, HasSubstr("is not a whole number from 0 to 18446744073709551615")) << seed;
  }
  EXPECT_EQ(run({"generate", "queue", "--seed", "18446744073709551615"}).exit_code, 0);
}

TEST(CliGenerate, SeedsGiveWhatTheyAlwaysGave) {
  for (const char* type : {"register", "cas-register", "rmw", "array", "map", "stack", "deque", "priority-queue", "set",
                           "bag", "mutex", "semaphore", "counter", "log"}) {
    expect_golden(std::string("generate-seed-") + type, {"generate", type, "-n", "8", "-p", "3", "--seed", "3"});
  }
}

TEST(CliGenerate, EveryStreamedFormatReadsBackAsLinearizable) {
  for (const char* format : {"text", "jsonl", "fastlin", "binary"}) {
    // More than one batch.
    const auto made = run({"generate", "queue", "-n", "40000", "--format", format});
    ASSERT_EQ(made.exit_code, 0) << format << made.error;
    EXPECT_EQ(run({"check", "-"}, made.out).exit_code, 0) << format;
  }
}

TEST(CliGenerate, BrokenHistoriesAreViolations) {
  for (const char* type : {"queue", "stack", "set", "register", "map", "mutex", "priority-queue order=largest"}) {
    for (const char* where : {"late", "anywhere"}) {
      const auto made = run({"generate", type, "-n", "500", "--violation", where});
      ASSERT_EQ(made.exit_code, 0) << type << made.error;
      EXPECT_EQ(run({"check", "-"}, made.out).exit_code, 1) << type << ' ' << where;
    }
  }
}

TEST(CliGenerate, WritesManyRandomHistoriesToOneFile) {
  const auto made = run({"generate", "cas-register", "--random", "-n", "6", "-p", "3", "--values", "3", "--histories",
                         "8", "--linearizable", "0.5", "--format", "jsonl"});
  ASSERT_EQ(made.exit_code, 0) << made.error;
  const auto checked = run({"check", "--json", "-"}, made.out);
  EXPECT_EQ(checked.exit_code, 1);
  int linearizable = 0, violations = 0;
  std::string rest = checked.out;
  for (std::size_t end = 0; (end = rest.find('\n')) != std::string::npos; rest.erase(0, end + 1)) {
    const std::string line = rest.substr(0, end);
    const bool good = line.find(R"("verdict": "linearizable")") < line.find(R"("verdict": "violation")") ||
                      line.find(R"("verdict":"linearizable")") < line.find(R"("verdict":"violation")");
    (good ? linearizable : violations) += 1;
  }
  EXPECT_EQ(linearizable, 4);
  EXPECT_EQ(violations, 4);
}

TEST(CliGenerate, SaysWhatIsWrong) {
  expect_golden("generate-unknown-method", {"generate", "queue", "--mix", "enqueue=1,pull=1"});
  expect_golden("generate-stuck", {"generate", "queue", "--mix", "dequeue=1"});
  EXPECT_THAT(run({"generate", "quue"}).error, HasSubstr("no data type is called"));
  EXPECT_EQ(run({"generate", "queue", "--methods", "some"}).exit_code, 2);
  EXPECT_EQ(run({"generate", "queue", "--values", "few"}).exit_code, 2);
  EXPECT_EQ(run({"generate", "queue", "--histories", "2"}).exit_code, 2);
  const std::vector<std::pair<std::vector<std::string>, const char*>> rows{
      {{"--unknown", "1.5"}, "--unknown is a share from 0 to 1, not 1.5"},
      {{"--ties", "-1"}, "--ties is a share from 0 to 1, not -1"},
      {{"--peeks", "nan"}, "--peeks: 'nan' is not a number"},
      {{"--pending", "-1"}, "--pending is a share below 1, or a number of operations up to 10^9, not -1"},
      {{"--duration", "1:2"}, "--duration requires --random"},
      {{"--offset", "1:2"}, "--offset requires --random"},
      {{"--linearizable", "1"}, "--linearizable requires --random"},
      {{"--random", "--linearizable", "nan"}, "--linearizable: 'nan' is not a number"},
      {{"--random", "--violation", "late"}, "excludes"}};
  for (const auto& [options, message] : rows) {
    std::vector<std::string> arguments{"generate", "queue"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto wrong = run(arguments);
    EXPECT_EQ(wrong.exit_code, 2) << message;
    EXPECT_THAT(wrong.error, HasSubstr(message));
  }
}

TEST(CliGenerate, LeavesTheFileAloneWhenTheOptionsAreWrong) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "linchpin-generated.txt";
  std::ofstream(path) << "precious";
  EXPECT_EQ(run({"generate", "queue", "--values", "0", "-o", path.string()}).exit_code, 2);
  std::string kept;
  std::ifstream(path) >> kept;
  EXPECT_EQ(kept, "precious");
  std::filesystem::remove(path);
}

}  // namespace

}  // namespace generate_test
