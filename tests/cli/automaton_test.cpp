// `linchpin automaton` and `linchpin watch`: lists, pictures, runs, exit codes.
#include <chrono>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pthread.h>
#include <sys/stat.h>

#include "cli/command.hpp"

namespace automaton_test {

namespace {

using linchpin::cli_test::expect_golden;
using linchpin::cli_test::run;
using linchpin::cli_test::temporary_file;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// 2 leaves before 1, which was there first; 3 never leaves.
constexpr const char* kOutOfOrder =
    "# linchpin 1\n# type: queue\n0 1 2 enqueue 1\n0 3 4 enqueue 2\n1 5 8 enqueue 3\n0 6 7 dequeue -> 2\n"
    "0 9 10 dequeue -> 1\n";
/// b = 10 (priority 2) is covered by 20 (priority 1), with the order of b's actions that the paper leaves out.
constexpr const char* kCovered =
    "# linchpin 1\n# type: priority-queue ties=fifo\n0 1 2 insert 20 1\n1 3 8 insert 10 2\n0 4 5 poll -> 10\n";

TEST(CliAutomaton, ListsDrawsAndPrints) {
  expect_golden("automaton-queue", {"automaton", "queue"});
  expect_golden("automaton-stack", {"automaton", "stack"});
  expect_golden("automaton-print", {"automaton", "priority-queue", "--print", "--name", "covered-1"});
  expect_golden("automaton-dot", {"automaton", "pq", "--dot", "--name", "covered-5"});
  EXPECT_THAT(run({"automaton", "priority-queue"}).out, HasSubstr("\n43 automata"));
  EXPECT_THAT(run({"automaton", "priority-queue", "--name", "overtaken-3"}).out, HasSubstr("\n14 automata"));
}

TEST(CliAutomaton, RunsThemOverHistories) {
  expect_golden("automaton-run", {"automaton", "queue", "-"}, kOutOfOrder);
  const auto covered = run({"automaton", "priority-queue ties=fifo", "-"}, kCovered);
  EXPECT_EQ(covered.exit_code, 1);
  EXPECT_THAT(covered.out, HasSubstr("violation: covered-5 accepts after 5 of 6 events"));
  EXPECT_THAT(covered.out, HasSubstr("\n  b = 10\n  d = 20\n"));
  EXPECT_EQ(run({"automaton", "queue", "queue.txt"}).exit_code, 0);
  EXPECT_EQ(run({"automaton", "queue", "queue-violation.txt"}).exit_code, 1);
}

TEST(CliAutomaton, SaysOfWhichHistoryItSpeaks) {
  const std::string head = R"({"linchpin":1,"type":"queue","operations":[[0,1,2,)";
  const std::string never_added = head + R"("dequeue",[],")" + std::string(999, 'x') + "\"]]}\n";
  const auto outcome = run({"automaton", "queue", "-"}, head + R"("enqueue",[1]]]})" + "\n" + never_added);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.error;
  EXPECT_THAT(outcome.out, StartsWith("standard input #0: no automaton"));
  EXPECT_THAT(outcome.out, HasSubstr("\nstandard input #1: violation: "));
  EXPECT_THAT(outcome.out, HasSubstr("  b = xxx"));
  EXPECT_THAT(outcome.out, HasSubstr("(919 more)"));
}

TEST(CliAutomaton, IsNotCertainOfWhatALostRemoveMayExplain) {
  const std::string lost = std::string(kOutOfOrder) + "2 5 - dequeue\n";
  const auto both = {run({"automaton", "queue", "-"}, lost), run({"watch", "queue", "--window", "9"}, lost)};
  for (const auto& outcome : both) {
    EXPECT_EQ(outcome.exit_code, 3) << outcome.out << outcome.error;
    EXPECT_THAT(outcome.out, HasSubstr("unknown: order accepts"));
    EXPECT_THAT(outcome.out, HasSubstr("1 remove never returned"));
  }
}

// What a lost remove may explain does not end the watch: what none can explain comes later.
TEST(CliWatch, GoesOnBehindWhatALostRemoveMayExplain) {
  const auto explained = run({"watch", "queue", "--window", "9"},
                             "# linchpin 1\n# type: queue\n0 1 2 enqueue 1\n0 3 4 enqueue 2\n2 5 - dequeue\n"
                             "0 6 7 dequeue -> 2\n0 8 9 enqueue 3\n0 10 11 dequeue -> 3\n");
  EXPECT_EQ(explained.exit_code, 3);
  EXPECT_THAT(explained.out, StartsWith("-:6: unknown: order accepts"));
  EXPECT_THAT(explained.out,
              HasSubstr("\n-: unknown: removes that never returned may explain 1 alarm in 6 operations, 10 events;"));
  for (const char* const type : {"queue", "stack", "priority-queue"}) {
    const bool stack = std::string(type) == "stack", ranked = std::string(type) == "priority-queue";
    const std::string add = stack ? "push" : ranked ? "insert" : "enqueue";
    const std::string remove = stack ? "pop" : ranked ? "poll" : "dequeue";
    const auto added = [&](int process, int at, int value) {
      return fmt::format("{} {} {} {} {}{}\n", process, at, at + 1, add, value,
                         ranked ? fmt::format(" {}", value) : "");
    };
    const auto removed = [&](int at, int value) {
      return fmt::format("0 {} {} {} -> {}\n", at, at + 1, remove, value);
    };
    // Which of 1 and 2 is to come first: the other one comes, and the slot of it is used again.
    const auto [first, second] = stack ? std::pair(2, 1) : std::pair(1, 2);
    std::string history = fmt::format("# linchpin 1\n# type: {}\n", type) + added(0, 1, 1) + added(0, 3, 2) +
                          fmt::format("2 5 - {}\n", remove) + removed(6, second);
    for (int round = 0; round < 3; ++round) history += added(0, 8 + 4 * round, 3) + removed(10 + 4 * round, 3);
    const auto unknown = run({"watch", type}, history);
    EXPECT_EQ(unknown.exit_code, 3) << type << unknown.out << unknown.error;
    EXPECT_THAT(unknown.out, StartsWith("-:6: unknown: ")) << type;
    history += removed(30, first);
    EXPECT_EQ(run({"watch", type}, history).exit_code, 3) << type;
    history += removed(32, first);
    const auto certain = run({"watch", type}, history);
    EXPECT_EQ(certain.exit_code, 1) << type << certain.out << certain.error;
    EXPECT_THAT(certain.out, HasSubstr("\n-:14: violation: removed-before-added")) << type;
  }
}

TEST(CliAutomaton, SaysWhatItDoesNotUnderstand) {
  EXPECT_EQ(run({"automaton", "map"}).exit_code, 2);
  EXPECT_EQ(run({"automaton", "queue", "--name", "none"}).exit_code, 2);
  for (const char* const drawn : {"--dot", "--print", "--promela", "--c"}) {
    EXPECT_EQ(run({"automaton", "queue", "history", drawn}).exit_code, 2) << drawn;  // it would not be read
  }
  const auto peek = run({"automaton", "queue", "-"}, "# linchpin 1\n# type: queue\n0 1 2 peek -> nil\n");
  EXPECT_EQ(peek.exit_code, 2);
  EXPECT_THAT(peek.error, HasSubstr("is neither an add nor a remove"));
  EXPECT_EQ(run({"watch", "queue capacity=2"}).exit_code, 2);
  const auto absent = run({"watch", "queue", "no-such-file"});
  EXPECT_EQ(absent.exit_code, 2);
  EXPECT_THAT(absent.error, testing::HasSubstr("hint: check the path; '-' reads standard input"));
}

TEST(CliWatch, ReportsWhereARunAccepts) {
  const auto order = run({"watch", "queue"}, kOutOfOrder);
  EXPECT_EQ(order.exit_code, 1);
  EXPECT_EQ(order.out,
            "-:6: violation: order accepts: a is added before b, and b is removed before a is, which may never be\n"
            "  a = 1\n  b = 2\n");
  const auto covered = run({"watch", "priority-queue ties=fifo"}, kCovered);
  EXPECT_EQ(covered.exit_code, 1);
  EXPECT_THAT(covered.out, StartsWith("-:5: violation: covered-5 accepts"));
}

TEST(CliWatch, SaysSoWhereNothingAccepts) {
  const auto queue = run({"watch", "queue", "queue.txt"});
  EXPECT_EQ(queue.exit_code, 0) << queue.error;
  EXPECT_THAT(queue.out, HasSubstr("linearizable: no automaton of queue accepts"));
}

TEST(CliWatch, RemembersNoMoreThanWhatIsThere) {
  for (const std::string type : {"queue", "stack", "priority-queue"}) {
    const std::string history = run({"generate", type, "--operations", "20000", "--processes", "6", "--seed", "5"}).out;
    const auto outcome = run({"watch", type}, history);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.error;
    EXPECT_THAT(outcome.out, HasSubstr("20,000 operations, 40,000 events"));
    // Adds and removes are as likely: what is there is a small part of what was.
    EXPECT_THAT(outcome.out, Not(testing::ContainsRegex("at most [0-9]+,[0-9]+ values")));
  }
}

// Priorities that are no integers are interned; those of values that have left are forgotten now and then.
TEST(CliWatch, ForgetsThePriorities) {
  const std::string type = "priority-queue order=componentwise ties=fifo";
  for (const std::string violation : {"none", "late"}) {
    const std::string history = run({"generate", type, "--operations", "250000", "--violation", violation}).out;
    const auto outcome = run({"watch", type, "--window", "5"}, history);
    EXPECT_EQ(outcome.exit_code, violation == "none" ? 0 : 1) << outcome.out << outcome.error;
  }
}

TEST(CliWatch, StopsAtTheMemoryLimit) {
  std::string history = "# linchpin 1\n# type: queue\n";
  for (int i = 0; i < 500'000; ++i) history += fmt::format("0 {} {} enqueue {}\n", 2 * i, 2 * i + 1, i);
  const auto outcome = run({"watch", "queue", "--memory-limit", "40M"}, history);
  EXPECT_EQ(outcome.exit_code, 3) << outcome.error;
  EXPECT_THAT(outcome.out, HasSubstr("unknown, too much memory"));
  EXPECT_EQ(run({"watch", "queue", "--memory-limit", "none"}, history).exit_code, 0);
}

// More than is read at once.
TEST(CliWatch, LongJsonLinesAreReadOnce) {
  constexpr int kPairs = 10'000;  // several reads long
  std::string lines = R"({"linchpin":1,"type":"queue"})"
                      "\n";
  for (int i = 0; i < kPairs; ++i) {
    lines +=
        fmt::format("{{\"call\":{},\"response\":{},\"method\":\"enqueue\",\"arguments\":[{}]}}\n", 4 * i, 4 * i + 1, i);
    lines +=
        fmt::format("{{\"call\":{},\"response\":{},\"method\":\"dequeue\",\"result\":{}}}\n", 4 * i + 2, 4 * i + 3, i);
  }
  const auto of_json = run({"watch", "queue"}, lines);
  EXPECT_EQ(of_json.exit_code, 0) << of_json.out << of_json.error;
  EXPECT_THAT(of_json.out, HasSubstr("20,000 operations"));
}

/// Of what comes through a pipe in two pieces, the second a while after the first.
linchpin::cli_test::Outcome watched_in_pieces(const std::string& first, const std::string& second) {
  const std::string pipe = linchpin::cli_test::temporary_folder("watch-pieces") + "/pipe";
  EXPECT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::jthread writing([&] {
    sigset_t closed_pipe;  // the command may have its answer after the first
    sigemptyset(&closed_pipe);
    sigaddset(&closed_pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &closed_pipe, nullptr);
    std::ofstream stream(pipe);
    stream << first << std::flush;
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    stream << second;
  });
  return run({"watch", "queue", pipe});
}

TEST(CliWatch, OneObjectIsWatched) {
  const std::string head = "# linchpin 1\n# type: queue\n";
  const std::string of_a = "1 0 1 object=a enqueue 1\n", of_none = "1 0 1 enqueue 1\n";
  EXPECT_EQ(watched_in_pieces(head + of_a, "1 2 3 object=a dequeue -> 1\n").exit_code, 0);
  const auto several = watched_in_pieces(head + of_a, "1 2 3 object=b dequeue -> 1\n");
  EXPECT_EQ(several.exit_code, 2) << several.out;
  EXPECT_THAT(several.error, HasSubstr("the history is of several objects"));
  for (const auto& mixed : {watched_in_pieces(head + of_a, "1 2 3 dequeue -> 1\n"),
                            watched_in_pieces(head + of_none, "1 2 3 object=a dequeue -> 1\n")}) {
    EXPECT_EQ(mixed.exit_code, 2) << mixed.out;
    EXPECT_THAT(mixed.error, HasSubstr("every row says which"));
  }
}

TEST(CliWatch, AProcessRunsOneOperationAtATime) {
  std::string rows = "# linchpin 1\n# type: queue\nslow 0 1000000 enqueue -1\ngone 0 - enqueue -2\n";
  for (int i = 1; i < 20'000; ++i) rows += fmt::format("1 {} {} enqueue {}\n", 2 * i, 2 * i + 1, i);
  EXPECT_EQ(run({"watch", "queue"}, rows).exit_code, 0);
  for (const char* const process : {"slow", "gone"}) {
    const std::string bad = rows + fmt::format("{} 50000 50001 enqueue 30000\n", process);
    EXPECT_EQ(run({"check", "-"}, bad).exit_code, 2);
    const auto outcome = run({"watch", "queue"}, bad);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    EXPECT_THAT(outcome.error, HasSubstr("-:20004: error: the process calls at 50000"));
  }
}

TEST(CliWatch, TheTypeIsTheOneThatTheHistoryNames) {
  const std::string rows = "1 0 1 insert 5\n1 2 3 delete_min -> 5\n";
  const auto watched = [&](const std::string& said, const std::string& asked) {
    return run({"watch", asked}, "# linchpin 1\n" + said + rows);
  };
  const std::string smallest = "priority-queue ties=fifo order=smallest";
  EXPECT_EQ(watched("", smallest).exit_code, 0);
  EXPECT_EQ(watched("# type: priority-queue order=smallest ties=fifo\n", smallest).exit_code, 0);
  EXPECT_EQ(watched("# type: heap ties=fifo\n", smallest).exit_code, 0);
  for (const std::string other : {"queue", "priority-queue", "priority-queue order=largest"}) {
    const std::string history = "# linchpin 1\n# type: " + other + "\n" + rows;
    for (const auto& outcome : {run({"watch", smallest}, history), run({"automaton", smallest, "-"}, history)}) {
      EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
      EXPECT_THAT(outcome.error, HasSubstr("the history's type is '" + other));
    }
  }
}

// However they come: what is before a bad row has been looked at.
TEST(CliWatch, RowsBeforeABadOneCount) {
  const std::string head = "# linchpin 1\n# type: queue\n";
  const std::string wrong = "0 1 2 dequeue -> 5\n1 3 4 enqueue 6\n";
  for (const auto& outcome :
       {run({"watch", "queue"}, head + wrong + "garbage\n"), watched_in_pieces(head + wrong, "garbage\n")}) {
    EXPECT_EQ(outcome.exit_code, 1) << outcome.error;
    EXPECT_THAT(outcome.out, HasSubstr(":3: violation"));
  }
  const auto bad = run({"watch", "queue"}, head + "1 3 4 enqueue 6\n1 5 6 dequeue -> 6\ngarbage\n");
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_THAT(bad.error, HasSubstr("-:5:"));
}

TEST(CliWatch, WhatIsCompressedIsNotReadAsItIsWritten) {
  const auto outcome = run({"watch", "queue"}, std::string("\x1f\x8b\x08\0\0\0\0\0\0\3\3\0\0\0\0\0\0\0\0\0", 20));
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.error, HasSubstr("the history is compressed"));
  EXPECT_THAT(outcome.error, HasSubstr("zcat"));
}

TEST(CliWatch, WantsRowsInOrder) {
  const std::string late = "# linchpin 1\n# type: queue\n1 3 4 dequeue -> 1\n0 1 2 enqueue 1\n";
  const auto refused = run({"watch", "queue"}, late);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.error, HasSubstr("-:4:"));
  EXPECT_THAT(refused.error, HasSubstr("--window"));
  EXPECT_EQ(run({"watch", "queue", "--window", "1"}, late).exit_code, 0);
}

TEST(CliWatch, DoesNotFollowValuesThatAreAddedTwice) {
  const auto twice = run({"watch", "queue"}, "# linchpin 1\n# type: queue\n0 1 2 enqueue 1\n0 3 4 enqueue 1\n");
  EXPECT_EQ(twice.exit_code, 3);
  EXPECT_THAT(twice.out, StartsWith("-:4: unknown: added-twice accepts"));
  // Once it has left, the value may come again.
  const auto again =
      run({"watch", "queue"}, "# linchpin 1\n# type: queue\n0 1 2 enqueue 1\n0 3 4 dequeue -> 1\n0 5 6 enqueue 1\n");
  EXPECT_EQ(again.exit_code, 0);
}

TEST(CliWatch, ReadsJsonLinesAndWords) {
  const auto outcome = run({"watch", "stack"},
                           "{\"linchpin\":1}\n"
                           "{\"process\":0,\"call\":1,\"response\":2,\"method\":\"push\",\"arguments\":[\"x\"]}\n"
                           "{\"process\":0,\"call\":3,\"response\":4,\"method\":\"push\",\"arguments\":[\"y\"]}\n"
                           "{\"process\":0,\"call\":5,\"response\":6,\"method\":\"pop\",\"result\":\"x\"}\n");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.error;
  EXPECT_EQ(outcome.out,
            "-:4: violation: covered accepts: every d is pushed after a, and at every moment of a's pop some d is in\n"
            "  a = x\n  d = y\n");
}

TEST(CliWatch, RefusesWhatIsNoHistoryOfLines) {
  EXPECT_EQ(run({"watch", "queue"}, "").exit_code, 2);
  EXPECT_EQ(run({"watch", "queue"}, "nonsense\n").exit_code, 2);
  EXPECT_EQ(run({"watch", "queue", "no-such-file"}).exit_code, 2);
  const auto row = run({"watch", "queue"}, "# linchpin 1\n# type: queue\n0 1 2 enqueue 1\n0 x 4 dequeue -> 1\n");
  EXPECT_EQ(row.exit_code, 2);
  EXPECT_THAT(row.error, HasSubstr("-:4:"));
}

}  // namespace

}  // namespace automaton_test
