// Is this build faster or slower than another one?
//
//   linchpin_regression BASELINE CANDIDATE [FILTER] [--rounds 7] [--quick]
//
// Both are commands `linchpin`; ./dev bench builds and keeps them. Each case (cases.cpp) is one run of the whole
// command on an input that the candidate generates with a fixed seed. The two take turns, A B B A, so that what else
// the machine does strikes both; a case is the median of the rounds' ratios of user CPU, which leaves out the time that
// the kernel spends on pages, and of peak memory. The score is 100 times the geometric mean of baseline over candidate:
// above 100 the candidate is faster. The first round warms the file cache and is not counted. Exit codes, which tell
// verdicts, have to be right in every run of both; a baseline that cannot read a case's input at all is left out of it,
// aloud.
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "process.hpp"
#include "regression/cases.hpp"

namespace linchpin::bench {
namespace {

constexpr int kBadInput = 2;
constexpr double kNoticeable = 0.10;  // a case that differs by more is marked; less can be noise on a busy machine

struct Sides {
  std::string baseline, candidate;
};

void append_words(std::vector<std::string>& to, std::string_view words) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (end > 0) to.emplace_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

bool generate(const RegressionCase& which, const std::string& command, const std::string& path, bool quick) {
  std::vector<std::string> words{command, "generate"};
  append_words(words, which.generate);
  append_words(words, quick ? which.quick_size : which.size);
  for (const std::string_view part :
       {std::string_view("--format"), which.format, std::string_view("-o"), std::string_view(path)})
    words.emplace_back(part);
  return run_command(words).exit_code == 0;
}

struct Measured {
  std::vector<double> baseline, candidate, faster, smaller;  // by round
};

/// False where an answer is wrong.
bool measure(const RegressionCase& which, const Sides& sides, const std::string& input, int rounds, Measured& into) {
  const auto once = [&](const std::string& command) {
    std::vector<std::string> words{command};
    append_words(words, which.command);
    words.push_back(input);
    return run_command(words);
  };
  for (int round = 0; round <= rounds; ++round) {
    const bool swapped = round % 2 == 1;
    const Usage first = once(swapped ? sides.candidate : sides.baseline);
    const Usage second = once(swapped ? sides.baseline : sides.candidate);
    const Usage& old = swapped ? second : first;
    const Usage& now = swapped ? first : second;
    if (old.exit_code == kBadInput && now.exit_code == which.exit_code) {
      fmt::print("{:<30} the baseline cannot do this\n", which.name);
      return true;
    }
    if (old.exit_code != which.exit_code || now.exit_code != which.exit_code) {
      fmt::print("{:<30} WRONG ANSWER: exit codes {} (baseline) and {}, expected {}\n", which.name, old.exit_code,
                 now.exit_code, which.exit_code);
      return false;
    }
    if (round == 0) continue;
    constexpr double kLeast = 1e-4;  // of a second: shorter is not measured
    into.baseline.push_back(old.user);
    into.candidate.push_back(now.user);
    into.faster.push_back(std::max(old.user, kLeast) / std::max(now.user, kLeast));
    into.smaller.push_back(old.megabytes / now.megabytes);
  }
  return true;
}

int compare(const Sides& sides, const Arguments& arguments, bool quick) {
  const int rounds = quick ? 1 : static_cast<int>(arguments.number("rounds", 7));
  std::string folder = (std::filesystem::temp_directory_path() / "linchpin-regression-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return kBadInput;
  fmt::print("{:<30} {:>10} {:>10} {:>8} {:>8}\n{:<30} {:>10} {:>10} {:>8} {:>8}\n", "", "baseline", "candidate",
             "speed", "memory", "case", "user s", "user s", "x", "x");
  double logarithms = 0, memory_logarithms = 0;
  std::size_t counted = 0;
  int wrong = 0;
  for (const RegressionCase& which : regression_cases()) {
    if (!arguments.wants(which.name)) continue;
    const std::string input = folder + "/input";
    Measured measured;
    if (!generate(which, sides.candidate, input, quick)) {
      fmt::print("{:<30} its input could not be generated\n", which.name);
      ++wrong;
    } else if (!measure(which, sides, input, rounds, measured)) {
      ++wrong;
    } else if (!measured.faster.empty()) {
      const double faster = median(measured.faster), smaller = median(measured.smaller);
      fmt::print("{:<30} {:>10.3f} {:>10.3f} {:>8.3f} {:>8.3f}{}\n", which.name, median(measured.baseline),
                 median(measured.candidate), faster, smaller,
                 quick                      ? ""
                 : faster > 1 + kNoticeable ? "  faster"
                 : faster < 1 - kNoticeable ? "  SLOWER"
                                            : "");
      logarithms += std::log(faster);
      memory_logarithms += std::log(smaller);
      ++counted;
    }
    std::fflush(stdout);
    std::filesystem::remove(input);
  }
  std::filesystem::remove_all(folder);
  if (counted == 0) {
    fmt::print("nothing was measured\n");
    return 1;
  }
  const auto mean = [&](double sum) { return std::exp(sum / static_cast<double>(counted)); };
  fmt::print(
      "\nscore {:.1f}: over {} cases the candidate does {:.3f} times the baseline's work in a second of CPU, in "
      "{:.3f} of its memory\n",
      100 * mean(logarithms), counted, mean(logarithms), 1 / mean(memory_logarithms));
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace linchpin::bench

int main(int count, char** values) {
  std::vector<char*> rest;
  std::vector<std::string> commands;
  bool quick = false;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = values[i];
    if (word == "--quick") {
      quick = true;
    } else if (commands.size() < 2 && !word.starts_with("--")) {
      commands.emplace_back(word);
    } else {
      rest.push_back(values[i]);
    }
  }
  if (commands.size() < 2) {
    fmt::print(stderr, "usage: linchpin_regression BASELINE CANDIDATE [FILTER] [--rounds N] [--quick]\n");
    return 2;
  }
  rest.insert(rest.begin(), values[0]);
  return linchpin::bench::compare({commands[0], commands[1]},
                                  linchpin::bench::Arguments(static_cast<int>(rest.size()), rest.data()), quick);
}
