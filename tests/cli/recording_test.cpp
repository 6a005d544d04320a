// What a recorder leaves behind, read by the command.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "linchpin/record.hpp"

namespace recording_test {

namespace {

using linchpin::cli_test::content_of;
using linchpin::cli_test::run;
using linchpin::cli_test::temporary_file;
using testing::HasSubstr;

/// What is left of a program that records and is killed.
std::string recording_of_a_killed_program() {
  const std::string path = temporary_file("killed.spool", "");
  std::filesystem::remove(path);
  const pid_t child = fork();
  if (child == 0) {
    linchpin::Recorder recorder("queue", {.spool = path, .buffer_bytes = 4096});
    const auto enqueue = recorder.method("enqueue");
    linchpin::ThreadLog& log = recorder.thread();
    for (int i = 0; i < 1000; ++i) {
      log.record(
          enqueue, [] {}, i);
    }
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  return path;
}

TEST(CliRecording, IsReadAfterItsProgramWasKilledAndSaysWhatIsMissing) {
  const std::string path = recording_of_a_killed_program();
  const auto text = run({"check", path});
  EXPECT_EQ(text.exit_code, 0) << text.out << text.error;
  EXPECT_THAT(text.out, HasSubstr("linearizable"));
  EXPECT_THAT(text.out, HasSubstr("\n  missing: the recording was not closed: what was called after tick "));
  const auto json = nlohmann::json::parse(run({"check", "--json", path}).out);
  EXPECT_GE(json["operations"], 900);
  EXPECT_EQ(json["missing"].size(), 1U);
  // What is converted says the same.
  const auto converted = run({"convert", "--to", "text", path, "-"});
  EXPECT_EQ(converted.exit_code, 0) << converted.error;
  EXPECT_THAT(run({"check", "-"}, converted.out).out, HasSubstr("missing: the recording was not closed"));
  std::filesystem::remove(path);
}

// What is missing may be why a history is no longer legal: every report says it.
TEST(CliRecording, EveryReportSaysWhatIsMissing) {
  const std::string input = temporary_file(
      "incomplete.txt",
      "# linchpin 1\n# type: queue\n# annotation 3 - \"missing: the disk was full\"\n0 1 2 dequeue -> 1\n");
  const std::string xml = temporary_file("incomplete.xml", ""), sarif = temporary_file("incomplete.sarif", "");
  const auto text = run({"check", input, "--junit", xml, "--sarif", sarif});
  EXPECT_EQ(text.exit_code, 1) << text.error;
  EXPECT_THAT(text.out, HasSubstr("missing: the disk"));
  EXPECT_THAT(content_of(xml), HasSubstr("<system-out>missing: the disk"));
  const auto result = nlohmann::json::parse(content_of(sarif))["runs"][0]["results"][0];
  EXPECT_THAT(result["properties"]["missing"][0].get<std::string>(), HasSubstr("missing: the disk"));
}

// What is assumed only concerns a violation.
TEST(CliRecording, EveryReportSaysWhatAViolationRestsOn) {
  const auto input = [](const std::string& line) {
    return fmt::format("# linchpin 1\n# type: queue\n# annotation 3 - \"assumed: nobody else has the queue\"\n{}\n",
                       line);
  };
  const std::string bad = temporary_file("assumed.txt", input("0 1 2 dequeue -> 1"));
  const std::string xml = temporary_file("assumed.xml", ""), sarif = temporary_file("assumed.sarif", "");
  EXPECT_THAT(run({"check", bad, "--junit", xml, "--sarif", sarif}).out, HasSubstr("assumed: nobody else"));
  EXPECT_THAT(content_of(xml), HasSubstr("<system-out>assumed: nobody else"));
  const auto result = nlohmann::json::parse(content_of(sarif))["runs"][0]["results"][0];
  EXPECT_THAT(result["properties"]["assumed"][0].get<std::string>(), HasSubstr("assumed: nobody else"));
  EXPECT_THAT(nlohmann::json::parse(run({"check", "--json", bad}).out)["assumed"].dump(), HasSubstr("nobody else"));
  const std::string good = temporary_file("nothing-rests.txt", input("0 1 2 enqueue 1"));
  EXPECT_THAT(run({"check", good}).out, ::testing::Not(HasSubstr("assumed")));
  EXPECT_FALSE(nlohmann::json::parse(run({"check", "--json", good}).out).contains("assumed"));
}

}  // namespace

}  // namespace recording_test
