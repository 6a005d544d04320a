// Which histories of which types are decided within the time limit?
//
//   linchpin_sweep COMMAND [FILTER] [--operations 20000] [--processes 24] [--in-flight 16] [--pending 0]
//                  [--seconds 10] [--seeds 3]
//
// Every type of the registry, and those of its options that change how a history is decided, with the usual mix and
// with all its methods, with unique values and with few, linearizable and with one change: `linchpin generate` writes
// each history, `linchpin check` decides it in a process of its own, one after the other. A row says for how many seeds
// there was a verdict, and the medians of the seconds of processor time in user code, from the file to the verdict, and
// of the peak memory. The limit is one of processor time, that of the kernel included; of the clock it is ten times
// that. A verdict that is not the one that was generated, or evidence that was refused, ends the program.
// ./dev sweep runs it; docs/design/sweep.md has what it printed.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "core/data_type.hpp"
#include "generate/model.hpp"
#include "process.hpp"

namespace linchpin::bench {
namespace {

constexpr int kLinearizable = 0, kViolation = 1, kUnknown = 3;  // exit codes of `linchpin check`
constexpr int kStopped = 128 + SIGXCPU;                         // the processor time was spent
constexpr int kClock = 10;                                      // seconds of the clock for one of the limit
constexpr int kFewValues = 5;

/// Types whose options change how their histories are decided, beside each type as it is.
constexpr auto kWithOptions = std::to_array<std::string_view>({
    "cas-register failed-cas=drop",
    "multi-register versions=told",
    "multi-register level=strong-session-serializable",
    "multi-register level=serializable",
    "map results=previous",
    "map absent=empty-string",
    "queue capacity=10",
    "queue capacity=1000",
    "stack heights=yes",
    "stack heights=before",
    "deque capacity=10",
    "deque capacity=100",
    "deque work-stealing=yes",
    "priority-queue ties=fifo",
    "priority-queue order=componentwise",
    "priority-queue order=componentwise ties=fifo",
    "priority-queue capacity=10",
    "priority-queue ties=fifo capacity=10",
    "mutex owner=yes",
    "semaphore initial=5",
    "log append=index",
    "log append=length",
    "versioned-map maybe=either",
    "versioned-map writes=version",
    "list-append level=strong-session-serializable",
    "list-append level=serializable",
    "ArrayBlockingQueue capacity=10",
    "LinkedBlockingDeque capacity=10",
});

struct Setting {
  bool all_methods = false;
  bool unique = false;
  bool broken = false;
};

struct Sweep {
  std::string command;
  Arguments arguments;
  std::filesystem::path file;
  int rows = 0;
  int decided_rows = 0;
};

/// The text between quotes after `"decider":`.
std::string decider_in(const std::string& json) {
  constexpr std::string_view kKey = "\"decider\":\"";
  const std::size_t at = json.find(kKey);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + kKey.size();
  return json.substr(begin, json.find('"', begin) - begin);
}

std::string number(const Arguments& arguments, std::string_view name, int usual) {
  return fmt::format("{:g}", arguments.number(name, usual));
}

bool generate(const Sweep& sweep, std::string_view type, const Setting& setting, int seed) {
  const Arguments& arguments = sweep.arguments;
  std::vector<std::string> command{sweep.command,        "generate", std::string(type),  "--seed",
                                   std::to_string(seed), "--output", sweep.file.string()};
  const auto add = [&](const char* option, std::string value) {
    command.emplace_back(option);
    command.push_back(std::move(value));
  };
  add("--operations", number(arguments, "operations", 20'000));
  add("--processes", number(arguments, "processes", 24));
  add("--in-flight", number(arguments, "in-flight", 16));
  add("--pending", number(arguments, "pending", 0));
  add("--methods", setting.all_methods ? "all" : "usual");
  add("--values", setting.unique ? "unique" : std::to_string(kFewValues));
  add("--violation", setting.broken ? "anywhere" : "none");
  return run_command(command).exit_code == 0;
}

/// One row of the table; false where a verdict is wrong.
bool add_row(Sweep& sweep, std::string_view type, const Setting& setting) {
  const int seeds = static_cast<int>(sweep.arguments.number("seeds", 3));
  const int right = setting.broken ? kViolation : kLinearizable;
  int made = 0, decided = 0;
  std::vector<double> seconds, megabytes;
  std::set<std::string> deciders;
  for (int seed = 1; seed <= seeds; ++seed) {
    if (!generate(sweep, type, setting, seed)) continue;
    ++made;
    std::string json;
    const auto limit = static_cast<unsigned>(sweep.arguments.number("seconds", 10));
    const Usage checked = run_command(
        {sweep.command, "check", "--json", "--time-limit", std::to_string(kClock * limit), sweep.file.string()}, &json,
        limit);
    if (checked.exit_code != right && checked.exit_code != kUnknown && checked.exit_code != kStopped) {
      fmt::print("WRONG: {}, seed {}: the exit code is {}\n{}\n", type, seed, checked.exit_code, json);
      return false;
    }
    if (json.find("\"refused_evidence\":[{") != std::string::npos) {
      fmt::print("REFUSED EVIDENCE: {}, seed {}\n{}\n", type, seed, json);
      return false;
    }
    decided += checked.exit_code == right ? 1 : 0;
    seconds.push_back(checked.user);
    megabytes.push_back(checked.megabytes);
    if (checked.exit_code == right) deciders.insert(decider_in(json));
  }
  std::string verdict = "cannot be broken for certain";
  if (made > 0) {
    verdict = decided == 0 ? "unknown" : setting.broken ? "violation" : "linearizable";
    if (decided > 0 && decided < made) verdict += fmt::format(", {} of {} unknown", made - decided, made);
    ++sweep.rows;
    sweep.decided_rows += decided == made ? 1 : 0;
  }
  std::string names;
  for (const std::string& decider : deciders) names += fmt::format("{}`{}`", names.empty() ? "" : ", ", decider);
  fmt::print("| `{}` | {} | {} | {} | {} | {:.2f} | {:.0f} | {} |\n", type, setting.all_methods ? "all" : "usual",
             setting.unique ? "unique" : std::to_string(kFewValues), setting.broken ? "one change" : "correct", verdict,
             median(seconds), median(megabytes), names);
  std::fflush(stdout);
  return true;
}

int run(Sweep sweep) {
  fmt::print(
      "| type | methods | values | history | verdict | seconds | MB | decided by "
      "|\n|---|---|---|---|---|---|---|---|\n");
  std::vector<std::string_view> types;
  for (const core::DataType& type : core::data_types()) {
    if (generate::find_kind(type.name) != nullptr) types.push_back(type.name);
  }
  types.insert(types.end(), kWithOptions.begin(), kWithOptions.end());
  bool right = true;
  for (const std::string_view type : types) {
    if (!sweep.arguments.wants(type)) continue;
    for (const bool all_methods : {false, true}) {
      for (const bool unique : {true, false}) {
        for (const bool broken : {false, true}) {
          right = right && add_row(sweep, type, {all_methods, unique, broken});
        }
      }
    }
  }
  std::filesystem::remove(sweep.file);
  fmt::print("\n{} of {} rows decided for every seed.\n", sweep.decided_rows, sweep.rows);
  return right && sweep.rows > 0 ? 0 : 1;
}

}  // namespace
}  // namespace linchpin::bench

int main(int count, char** values) {
  if (count < 2) {
    fmt::print(stderr, "usage: linchpin_sweep COMMAND [FILTER] [--operations N] [--pending N] [--seconds S]\n");
    return 2;
  }
  if (linchpin::bench::run_command({values[1], "--version"}).exit_code != 0) {
    fmt::print(stderr, "linchpin_sweep: '{}' does not run; it is the linchpin command\n", values[1]);
    return 2;
  }
  const auto file = std::filesystem::temp_directory_path() / fmt::format("linchpin-sweep-{}.txt", getpid());
  return linchpin::bench::run({values[1], linchpin::bench::Arguments(count - 1, values + 1), file});
}
