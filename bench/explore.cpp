// How many schedules a second does exploring run, of one core?
//
//   bench_explore [SECONDS]
//
// 2 threads x 3 operations of a Treiber stack and of a Michael-Scott queue, with races and lifetimes watched, under
// both memory models, by the bounded strategy and by dpor: all schedules, or as many as the time allows. Each must be
// clean, or the run fails.
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "linchpin/explore.hpp"
#include "stress/michael_scott_queue.hpp"
#include "treiber_stack.hpp"

namespace linchpin::bench {
namespace {

using MichaelScottQueue = controls::MichaelScottQueue<Nodes>;

template <class Container, class Type>
bool measure(const char* name, const Type& type, const std::string& scenario, double seconds) {
  for (const auto& [memory, strategy] : {std::pair(ExploreMemory::sequential, ExploreStrategy::bounded),
                                         std::pair(ExploreMemory::cpp20, ExploreStrategy::bounded),
                                         std::pair(ExploreMemory::sequential, ExploreStrategy::dpor),
                                         std::pair(ExploreMemory::cpp20, ExploreStrategy::dpor)}) {
    ExploreOptions options;
    options.scenario = scenario;
    options.memory = memory;
    options.strategy = strategy;
    options.deviations = 20;
    options.time = std::chrono::duration<double>(seconds);
    const ExploreResult result = explore(
        type, [] { return std::make_unique<Container>(); }, options);
    if (!result.ok()) {
      fmt::print("{}\n", result.to_string());
      return false;
    }
    fmt::print("{:<20} {:<24} {:<8} {:>10} schedules{} {:>6} histories {:>6.1f} steps each {:>9.0f} schedules/s\n",
               name, memory == ExploreMemory::cpp20 ? "C++20" : "sequential consistency",
               strategy == ExploreStrategy::dpor ? "dpor" : "bounded", result.schedules,
               result.complete ? " (all)" : "", result.histories,
               static_cast<double>(result.steps) / static_cast<double>(result.schedules),
               static_cast<double>(result.schedules) / result.seconds);
  }
  return true;
}

}  // namespace
}  // namespace linchpin::bench

int main(int argc, char** argv) {
  using namespace linchpin::bench;
  const double seconds = argc > 1 ? std::atof(argv[1]) : 5;
  const bool clean =
      measure<TreiberStack>("Treiber stack", linchpin::as::stack, "push, pop, push | push, pop, pop", seconds) &&
      measure<MichaelScottQueue>("Michael-Scott queue", linchpin::as::queue,
                                 "enqueue, dequeue, enqueue | enqueue, dequeue, dequeue", seconds);
  return clean ? 0 : 1;
}
