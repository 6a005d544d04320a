// `linchpin completion` and `linchpin manual`: what they print is used as a shell and as troff would use it.
#include <array>
#include <cstdio>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command.hpp"

namespace shell_test {

namespace {

using linchpin::cli_test::run;
using testing::HasSubstr;

/// What bash prints for a script that first loads the completions.
std::string in_bash(const std::string& script) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "linchpin-completion.bash";
  const std::string text = run({"completion", "bash"}).out + script;
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  std::fwrite(text.data(), 1, text.size(), file);
  std::fclose(file);
  std::FILE* const bash = popen(("bash " + path.string() + " 2>&1").c_str(), "r");
  std::string printed;
  std::array<char, 4096> buffer{};
  for (std::size_t size = 0; (size = std::fread(buffer.data(), 1, buffer.size(), bash)) > 0;) {
    printed.append(buffer.data(), size);
  }
  pclose(bash);
  std::filesystem::remove(path);
  return printed;
}

/// The completions of a line whose last word is being typed.
std::string completed(const std::string& words, int last) {
  return in_bash("COMP_WORDS=(" + words + "); COMP_CWORD=" + std::to_string(last) +
                 "; _linchpin; echo \"${COMPREPLY[@]}\"\n");
}

TEST(CliShell, CompletesSubcommandsOptionsAndValues) {
  EXPECT_EQ(completed("linchpin che", 1), "check\n");
  EXPECT_EQ(completed("linchpin check --ti", 2), "--time-limit --ties\n");
  EXPECT_EQ(completed("linchpin check --ties re", 3), "response-first\n");
  EXPECT_EQ(completed("linchpin check --type priority-q", 3), "priority-queue\n");
  EXPECT_EQ(completed("linchpin check --time-limit 1", 3), "\n");
  EXPECT_EQ(completed("linchpin generate stac", 2), "stack\n");
  EXPECT_EQ(completed("linchpin completion z", 2), "zsh\n");
  EXPECT_EQ(completed("linchpin check --decider wg-no-such", 3), "\n");
}

TEST(CliShell, CompletionsOfEveryShellNameEverySubcommand) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const auto script = run({"completion", shell});
    EXPECT_EQ(script.exit_code, 0);
    for (const char* name : {"check", "convert", "generate", "types", "formats", "completion", "manual"}) {
      EXPECT_THAT(script.out, HasSubstr(name)) << shell;
    }
  }
  EXPECT_EQ(run({"completion", "tcsh"}).exit_code, 2);
}

TEST(CliShell, PrintsAManualPageASubcommand) {
  const auto page = run({"manual", "check"});
  EXPECT_EQ(page.exit_code, 0);
  EXPECT_THAT(page.out, HasSubstr(".SH NAME\nlinchpin\\-check \\- "));
  EXPECT_THAT(page.out, HasSubstr("\\fB\\-\\-time\\-limit\\fR \\fITIME\\fR"));
  EXPECT_THAT(page.out, HasSubstr("Exit codes: 0 all linearizable"));
  EXPECT_THAT(run({"manual"}).out, HasSubstr("\\fBcheck\\fR"));
  EXPECT_EQ(run({"manual", "no-such"}).exit_code, 2);
}

TEST(CliShell, WritesEveryManualPage) {
  const std::filesystem::path directory = std::filesystem::path(testing::TempDir()) / "linchpin-manual";
  EXPECT_EQ(run({"manual", "--all", directory.string()}).exit_code, 0);
  for (const char* name : {"linchpin.1", "linchpin-check.1", "linchpin-manual.1"}) {
    EXPECT_TRUE(std::filesystem::exists(directory / name)) << name;
  }
  std::filesystem::remove_all(directory);
  EXPECT_EQ(run({"manual", "--all", "/dev/null/nowhere"}).exit_code, 2);
}

}  // namespace

}  // namespace shell_test
