// How many schedules a second do Relacy and Linchpin run of the same Treiber stack, and what has its user to change?
//
//   bench_relacy [SCHEDULES]
//
// 2 threads x 3 operations, loads of older stores among the schedules, one core each, one after the other, three times.
// Built where Relacy's headers are (Debian: relacy-dev), which are no part of this project. Both must find nothing.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "linchpin/explore.hpp"
#include "relacy/rewritten.hpp"
#include "treiber_stack.hpp"

namespace linchpin::bench {
namespace {

/// A file's code, without what says where it is: comments, includes and namespaces.
std::vector<std::string> code_of(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const bool code = !line.empty() && !line.starts_with("//") && !line.starts_with("#") &&
                      line.find("namespace") == std::string::npos;
    if (code) lines.push_back(line);
  }
  return lines;
}

/// How many lines of `before` are not in `after`, in their order: all but a longest common subsequence.
std::size_t changed(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  std::vector<std::size_t> common(after.size() + 1, 0);  // of what was seen of `before`, and so many of `after`
  for (const std::string& line : before) {
    std::size_t left_above = 0;
    for (std::size_t i = 0; i < after.size(); ++i) {
      const std::size_t above = common[i + 1];
      common[i + 1] = line == after[i] ? left_above + 1 : std::max(above, common[i]);
      left_above = above;
    }
  }
  return before.size() - common.back();
}

/// Runs it, which gives whether it is clean and how many schedules it ran. By the processor's time, so that other work
/// beside it counts little.
template <class Function>
bool measure(const std::string& name, Function run) {
  const std::clock_t begin = std::clock();
  const rewritten::Run done = run();
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  fmt::print("{:<48} {:>9} schedules {:>8.2f} s {:>9.0f} schedules/s{}\n", name, done.schedules, seconds,
             static_cast<double>(done.schedules) / seconds, done.clean ? "" : "  which found something");
  return done.clean && done.schedules > 0;
}

bool linchpin(const std::string& name, const ExploreOptions& options) {
  return measure("Linchpin, " + name, [&]() -> rewritten::Run {
    const ExploreResult result = explore(
        as::stack, [] { return std::make_unique<TreiberStack>(); }, options);
    if (!result.ok()) fmt::print("{}\n", result.to_string());
    return {.clean = result.ok(), .schedules = result.schedules};
  });
}

bool compare(std::uint64_t schedules) {
  ExploreOptions options;
  options.scenario = "push, pop, push | push, pop, pop";
  options.memory = ExploreMemory::cpp20;
  options.schedules = schedules;
  options.strategy = ExploreStrategy::random;
  bool clean = measure("Relacy, at random", [&] { return rewritten::at_random(schedules); });
  clean = linchpin("at random", options) && clean;
  constexpr unsigned kSwitches = 5;
  clean = measure(fmt::format("Relacy, all with {} context switches", kSwitches),
                  [] { return rewritten::bounded(kSwitches); }) &&
          clean;
  options.strategy = ExploreStrategy::bounded;
  options.deviations = kSwitches;
  clean = linchpin(fmt::format("fewest deviations first, at most {}", kSwitches), options) && clean;
  options.strategy = ExploreStrategy::dpor;
  return linchpin("dpor", options) && clean;
}

}  // namespace
}  // namespace linchpin::bench

int main(int argc, char** argv) {
  using namespace linchpin::bench;
  const std::uint64_t schedules = argc > 1 && *argv[1] != '-' ? std::strtoull(argv[1], nullptr, 10) : 500'000;
  const auto ours = code_of(LINCHPIN_BENCH_FOLDER "/treiber_stack.hpp");
  const auto theirs = code_of(LINCHPIN_BENCH_FOLDER "/relacy/rewritten_stack.hpp");
  if (ours.empty() || theirs.empty()) {
    fmt::print("the stack's sources are not in {}\n", LINCHPIN_BENCH_FOLDER);
    return 1;
  }
  fmt::print("of {} lines of the stack, {} are others for Relacy, and none for Linchpin\n", ours.size(),
             changed(ours, theirs));
  bool clean = true;
  for (int round = 0; round < 3; ++round) clean = compare(schedules) && clean;
  return clean ? 0 : 1;
}
