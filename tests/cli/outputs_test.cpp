// What is written: never over an input, whole or not at all, and nowhere that the name does not say.
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "support/paths.hpp"

namespace outputs_test {

namespace {

namespace fs = std::filesystem;

using linchpin::cli_test::content_of;
using linchpin::cli_test::Outcome;
using linchpin::cli_test::run;
using linchpin::cli_test::run_and_signal;
using linchpin::cli_test::run_into;
using linchpin::cli_test::run_with_file_limit;
using linchpin::cli_test::temporary_folder;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using Words = std::vector<std::string>;

constexpr const char* kHistory = "# linchpin 1\n# type: queue\n1 1 2 enqueue 1\n1 3 4 dequeue -> 2\n";

class CliOutputs : public testing::Test {
 protected:
  void SetUp() override { std::ofstream(history_) << kHistory; }

  [[nodiscard]] std::string in_folder(const std::string& name) const { return folder_ + "/" + name; }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(folder_)) all.push_back(entry.path().filename().string());
    std::sort(all.begin(), all.end());
    return all;
  }

  const std::string folder_ = temporary_folder("outputs");
  const std::string history_ = in_folder("history.txt");
};

TEST_F(CliOutputs, AnInputIsNoOutput) {
  fs::create_symlink(history_, in_folder("link.txt"));
  fs::create_hard_link(history_, in_folder("other.txt"));
  fs::create_directory_symlink(folder_, in_folder("here"));
  for (const char* const name : {"history.txt", "link.txt", "other.txt", "./history.txt", "here/../history.txt"}) {
    for (const Words& words :
         {Words{"check", history_, "--junit"}, Words{"check", history_, "--sarif"},
          Words{"check", history_, "--report"}, Words{"check", folder_, "--witness"},
          Words{"depth", history_, "--witness"}, Words{"depth", history_, "--figure"}, Words{"convert", history_}}) {
      Words command = words;
      command.push_back(std::string(name) == "here/../history.txt" ? in_folder("here/history.txt") : in_folder(name));
      const Outcome outcome = run(command);
      EXPECT_EQ(outcome.exit_code, 2) << name << " " << command[0] << " " << command[2];
      EXPECT_THAT(outcome.error, HasSubstr("is an input and an output")) << name << " " << command[0];
      EXPECT_EQ(outcome.out, "");
      EXPECT_EQ(content_of(history_), kHistory);
    }
  }
}

TEST_F(CliOutputs, StandardInputIsNoOutput) {
  const std::string command = (linchpin::test::binary_folder() / "bin" / "linchpin").string();
  EXPECT_NE(std::system((command + " check - --junit " + history_ + " < " + history_ + " 2> /dev/null").c_str()), 0);
  EXPECT_EQ(content_of(history_), kHistory);
  EXPECT_NE(std::system((command + " convert " + history_ + " - --to text >> " + history_ + " 2> /dev/null").c_str()),
            0);
  EXPECT_EQ(content_of(history_), kHistory);
}

TEST_F(CliOutputs, TwoOutputsAreTwoFiles) {
  fs::create_directory_symlink(folder_, in_folder("here"));
  for (const char* const other : {"report", "./report", "here/report"}) {
    const Outcome outcome = run({"check", history_, "--junit", in_folder("report"), "--sarif", in_folder(other)});
    EXPECT_EQ(outcome.exit_code, 2) << other;
    EXPECT_THAT(outcome.error, HasSubstr("is two outputs at once"));
    EXPECT_EQ(outcome.out, "");
    EXPECT_FALSE(fs::exists(in_folder("report")));
  }
  // What standard output goes to is an output, too.
  EXPECT_EQ(run_into({"check", history_, "--junit", in_folder("all")}, in_folder("all")), 2);
  EXPECT_EQ(run({"check", history_, "--junit", "/dev/null", "--sarif", "/dev/null"}).exit_code, 1);
}

TEST_F(CliOutputs, WhatIsSavedReplacesNoInput) {
  std::ofstream(in_folder("history.history.txt")) << kHistory;
  const Outcome outcome = run({"check", folder_, "--save", folder_});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.error, HasSubstr("would be replaced"));
  EXPECT_EQ(content_of(in_folder("history.history.txt")), kHistory);
}

TEST_F(CliOutputs, LinksAreNotFollowed) {
  const std::string target = in_folder("target");
  for (const bool dangling : {false, true}) {
    if (!dangling) std::ofstream(target) << "mine";
    for (const Words& words : {Words{"check", history_, "--junit"}, Words{"check", history_, "--sarif"},
                               Words{"check", history_, "--report"}, Words{"check", history_, "--witness"},
                               Words{"depth", history_, "--witness"}, Words{"depth", history_, "--figure"},
                               Words{"convert", "--to", "jsonl", history_}, Words{"generate", "queue", "-o"}}) {
      fs::remove(in_folder("link"));
      fs::create_symlink(target, in_folder("link"));
      Words command = words;
      command.push_back(in_folder("link"));
      const Outcome outcome = run(command);
      EXPECT_EQ(outcome.exit_code, 2) << command[0] << " " << command[2];
      EXPECT_THAT(outcome.error, HasSubstr("symbolic link")) << command[0] << " " << command[2];
      EXPECT_TRUE(fs::is_symlink(in_folder("link")));
      EXPECT_EQ(content_of(target), dangling ? "" : "mine");
      EXPECT_EQ(fs::exists(target), !dangling);
    }
    fs::remove(target);
  }
  std::ofstream(target) << "mine";
  fs::create_directory(in_folder("saved"));
  fs::create_symlink(target, in_folder("saved/history.core.txt"));
  EXPECT_EQ(run({"check", history_, "--save", in_folder("saved")}).exit_code, 2);
  EXPECT_EQ(content_of(target), "mine");
}

TEST_F(CliOutputs, AFullDiskLeavesWhatWasThere) {
  const std::string large = in_folder("large.txt");
  ASSERT_EQ(run({"generate", "queue", "-n", "5000", "-o", large}).exit_code, 0);
  for (const Words& words :
       {Words{"check", history_, "--report"}, Words{"check", large, "--witness"}, Words{"depth", history_, "--figure"},
        Words{"convert", "--to", "jsonl", large}, Words{"generate", "queue", "-n", "5000", "-o"}}) {
    for (const bool was_there : {false, true}) {
      const std::string output = in_folder("output");
      if (was_there) std::ofstream(output) << "old";
      Words command = words;
      command.push_back(output);
      const Outcome outcome = run_with_file_limit(command, 1024);
      EXPECT_EQ(outcome.exit_code, 2) << command[0] << outcome.out;
      EXPECT_THAT(outcome.error, HasSubstr("cannot write: File too large")) << command[0];
      EXPECT_EQ(fs::exists(output), was_there) << command[0];
      EXPECT_EQ(content_of(output), was_there ? "old" : "") << command[0];
      fs::remove(output);
      EXPECT_THAT(names(), testing::ElementsAre("history.txt", "large.txt")) << command[0];
    }
  }
  EXPECT_THAT(run({"check", history_, "--junit", "/dev/full"}).error, HasSubstr("No space left on device"));
}

TEST_F(CliOutputs, DevicesAndDescriptorsAreWrittenDirectly) {
  const Outcome outcome = run({"check", "-q", history_, "--junit", "/dev/stdout"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.error;
  EXPECT_THAT(outcome.out, StartsWith("<?xml"));
  EXPECT_THAT(run({"check", "-q", history_, "--sarif", "/dev/fd/1"}).out, StartsWith("{"));
  EXPECT_THAT(run({"generate", "queue", "-o", "/proc/self/fd/1"}).out, StartsWith("# linchpin 1"));
  EXPECT_EQ(run({"check", history_, "--report", "/dev/null"}).exit_code, 1);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(CliOutputs, AFileKeepsItsPermissionsAndItsLinksApart) {
  const std::string output = in_folder("report.xml");
  std::ofstream(output) << "old";
  fs::permissions(output, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  fs::create_hard_link(output, in_folder("kept.xml"));
  EXPECT_EQ(run({"check", history_, "--junit", output}).exit_code, 1);
  EXPECT_EQ(fs::status(output).permissions(), fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  EXPECT_THAT(content_of(output), StartsWith("<?xml"));
  EXPECT_EQ(content_of(in_folder("kept.xml")), "old");  // as with every file that is replaced, not written over
}

// The second input never comes: what was checked until then is written, whole.
TEST_F(CliOutputs, AnInterruptLeavesWholeReports) {
  const Outcome outcome =
      run_and_signal({"check", history_, "-", "--junit", in_folder("report.xml"), "--sarif", in_folder("report.sarif"),
                      "--report", in_folder("report.html"), "--witness", in_folder("witness.jsonl")},
                     {SIGTERM});
  EXPECT_EQ(outcome.exit_code, 130) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("violation"));
  EXPECT_THAT(outcome.error, HasSubstr("interrupted: 1 input not checked"));
  EXPECT_THAT(content_of(in_folder("report.xml")), EndsWith("</testsuites>\n"));
  EXPECT_EQ(nlohmann::json::parse(content_of(in_folder("report.sarif")))["runs"][0]["results"].size(), 1U);
  EXPECT_THAT(content_of(in_folder("report.html")), HasSubstr("</html>"));
  EXPECT_EQ(nlohmann::json::parse(content_of(in_folder("witness.jsonl")))["verdict"], "violation");
  EXPECT_EQ(names().size(), 5U);
}

TEST_F(CliOutputs, WhatIsNotWholeIsNotThereAfterAnInterrupt) {
  const Outcome outcome = run_and_signal({"generate", "queue", "-n", "1000000000", "-o", in_folder("large")},
                                         {SIGINT, 1, [&] { return names().size() > 1; }});
  EXPECT_EQ(outcome.exit_code, 130) << outcome.error;
  EXPECT_THAT(names(), testing::ElementsAre("history.txt"));
}

}  // namespace

}  // namespace outputs_test
