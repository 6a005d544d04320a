// Is every planted bug found, with as many schedules in each run, and how much of the processor does it take?
//
//   linchpin_planted COMMAND [--runs 10] [--load N] [--seconds 2] [--beyond 2]
//
// `linchpin explore planted-NAME` with its default options, ten times each, beside processes that do nothing but use
// the processors, one for each. A row for each: as what it is found, after how many schedules, and the least, the
// middle and the most of seconds of user code. It ends with 1 where one is not found, runs differ, or one takes more
// than `--seconds`. `--beyond` is that of the command, with its default: a time by the clock, within which a slow
// machine may not come to a bug that lies beyond the bounds.
// ./dev bench --planted runs it; docs/explore.md has what it printed. The time is that of the processor: what runs
// beside it may double it, where processors share their units, but not multiply it.
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "process.hpp"

namespace linchpin::bench {
namespace {

constexpr std::array kNames = {"missing-retry",   "aba",
                               "split-size",      "lost-update",
                               "early-unlock",    "check-then-act",
                               "missing-release", "missing-acquire",
                               "wrong-fence",     "early-delete",
                               "aba-of-oldest",   "lost-wakeup",
                               "lock-order"};

/// Processes that run until this one ends.
class Load {
 public:
  explicit Load(int processes) {
    for (int i = 0; i < processes; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (volatile unsigned long turns = 0;;) turns = turns + 1;
      }
      if (child > 0) children_.push_back(child);
    }
  }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;
  ~Load() {
    for (const pid_t child : children_) {
      kill(child, SIGKILL);
      waitpid(child, nullptr, 0);
    }
  }

 private:
  std::vector<pid_t> children_;
};

/// What stands between the two in the text; empty: they are not there.
std::string between(const std::string& text, std::string_view begin, std::string_view end) {
  const std::size_t from = text.find(begin);
  if (from == std::string::npos) return "";
  const std::size_t to = text.find(end, from + begin.size());
  return to == std::string::npos ? "" : text.substr(from + begin.size(), to - from - begin.size());
}

/// Ends with what went wrong; empty: nothing.
std::string measure(const std::string& command, const std::string& name, int runs, double beyond, double most_seconds) {
  std::string found, schedules;
  std::vector<double> seconds;
  for (int run = 0; run < runs; ++run) {
    std::string output;
    const Usage usage =
        run_command({command, "explore", "planted-" + name, "--json", "--beyond", fmt::to_string(beyond)}, &output);
    if (usage.exit_code != 1) return fmt::format("not found, it ended with {}", usage.exit_code);
    const std::string now = between(output, "\"schedules\": ", ","), what = between(output, "\"finding\": \"", "\"");
    if (run > 0 && (now != schedules || what != found)) {
      return fmt::format("{} schedules and {}, and in another run {} and {}", schedules, found, now, what);
    }
    schedules = now;
    found = what;
    seconds.push_back(usage.user);
  }
  std::sort(seconds.begin(), seconds.end());
  fmt::print("| {:<16} | {:<16} | {:>9} | {:.2f} | {:.2f} | {:.2f} |\n", name, found, schedules, seconds.front(),
             seconds[seconds.size() / 2], seconds.back());
  std::fflush(stdout);
  return seconds.back() > most_seconds ? fmt::format("{:.2f} s", seconds.back()) : "";
}

int run(const std::string& command, const Arguments& arguments) {
  const int runs = static_cast<int>(arguments.number("runs", 10));
  const Load load(static_cast<int>(arguments.number("load", static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN)))));
  fmt::print("| {:<16} | {:<16} | {:>9} | least | middle | most |\n|---|---|--:|--:|--:|--:|\n", "name", "found as",
             "schedules");
  const double beyond = arguments.number("beyond", 2), most_seconds = arguments.number("seconds", 2);
  int failures = 0;
  for (const char* const name : kNames) {
    if (const std::string wrong = measure(command, name, runs, beyond, most_seconds); !wrong.empty()) {
      fmt::print(stderr, "planted-{}: {}\n", name, wrong);
      ++failures;
    }
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace linchpin::bench

int main(int argc, char** argv) {
  using namespace linchpin::bench;
  if (argc < 2) {
    fmt::print(stderr, "usage: linchpin_planted COMMAND [--runs N] [--load N] [--seconds S] [--beyond S]\n");
    return 2;
  }
  return run(argv[1], Arguments(argc - 1, argv + 1));
}
