// The first Ctrl-C or SIGTERM also ends a command that waits for its input.
#include <sys/stat.h>

#include <chrono>
#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command.hpp"

namespace interrupt_test {

namespace {

using linchpin::cli_test::Outcome;
using linchpin::cli_test::run_and_signal;
using linchpin::cli_test::temporary_file;
using linchpin::cli_test::temporary_folder;
using testing::HasSubstr;

constexpr const char* kHistory = "# linchpin 1\n# type: queue\n1 1 2 enqueue 1\n1 3 4 dequeue -> 1\n";

struct Signalled {
  std::string name;
  std::vector<std::string> arguments;

  friend void PrintTo(const Signalled& signalled, std::ostream* out) { *out << signalled.name; }
};

class InterruptedReading : public testing::TestWithParam<Signalled> {
 protected:
  static std::vector<std::string> reading(const std::string& path) {
    std::vector<std::string> arguments = GetParam().arguments;
    for (std::string& argument : arguments) {
      if (argument == "FILE") argument = path;
    }
    return arguments;
  }
};

TEST_P(InterruptedReading, FromStandardInput) {
  for (const int signal : {SIGINT, SIGTERM}) EXPECT_EQ(run_and_signal(reading("-"), {signal, 2}).exit_code, 130);
  EXPECT_EQ(run_and_signal(reading("-"), {SIGINT}, kHistory).exit_code, 130);  // a slow pipe: more may come
}

TEST_P(InterruptedReading, FromAFifoThatNobodyWritesTo) {
  const std::string fifo = temporary_folder("interrupted") + "/fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(run_and_signal(reading(fifo), {SIGINT}).exit_code, 130);
}

INSTANTIATE_TEST_SUITE_P(CliInterrupt, InterruptedReading,
                         testing::Values(Signalled{"check", {"check", "FILE"}},
                                         Signalled{"explain", {"explain", "FILE"}},
                                         Signalled{"depth", {"depth", "FILE"}},
                                         Signalled{"convert", {"convert", "--to", "jsonl", "FILE", "/dev/null"}},
                                         Signalled{"watch", {"watch", "queue", "FILE"}}),
                         [](const auto& each) { return each.param.name; });

TEST(CliInterrupt, WhatWasDoneIsSaid) {
  const std::string first = temporary_file("first.txt", kHistory);
  const Outcome checked = run_and_signal({"check", first, "-", first}, {SIGINT});
  EXPECT_THAT(checked.out, HasSubstr("first.txt: linearizable"));
  EXPECT_EQ(checked.error, "interrupted: 2 inputs not checked\n");
  const Outcome measured = run_and_signal({"depth", first, "-"}, {SIGINT});
  EXPECT_THAT(measured.out, HasSubstr("witness at depth 1"));
  EXPECT_EQ(measured.error, "interrupted: 1 input not measured\n");
  EXPECT_EQ(run_and_signal({"explain", "-"}, {SIGINT}).error, "interrupted: 1 input not explained\n");
  const Outcome watched = run_and_signal({"watch", "queue"}, {SIGINT}, kHistory);
  EXPECT_EQ(watched.exit_code, 130);
  EXPECT_THAT(watched.out, HasSubstr("interrupted: no automaton of queue accepts 2 operations"));
}

TEST(CliInterrupt, LookingForALabelThatNoneHasEnds) {
  const auto begin = std::chrono::steady_clock::now();
  const auto later = [&] { return std::chrono::steady_clock::now() - begin > std::chrono::seconds(1); };
  const Outcome outcome = run_and_signal(
      {"generate", "cas-register", "--random", "-n", "200", "-p", "3", "--linearizable", "1"}, {SIGINT, 1, later});
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_EQ(outcome.out, "");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(40));
}

}  // namespace

}  // namespace interrupt_test
