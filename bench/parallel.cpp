// How much faster do two threads decide a key-value history of many keys?
//
//   bench_parallel [--keys 100] [--operations 400000] [--rounds 9] [--threads 2]
//
// The same history, one thread and several in turn (A B A B), wall clock; the medians and the ratio of each pair.
#include <fmt/format.h>

#include <cstdio>

#include "arguments.hpp"
#include "generate/simulation.hpp"
#include "generate/stream.hpp"
#include "linchpin/check.hpp"

namespace linchpin::bench {
namespace {

int measure(const Arguments& arguments) {
  generate::Plan plan;
  plan.type.name = "map";
  plan.operations = static_cast<std::uint64_t>(arguments.number("operations", 400'000));
  plan.processes = 600;
  plan.in_flight = 400;
  plan.values = 3;
  plan.keys = static_cast<std::uint32_t>(arguments.number("keys", 100));
  plan.seed = 1;
  auto simulation = generate::Simulation::make(plan);
  auto rows = generate::all_rows(*simulation);
  if (!rows) return 2;
  auto history = generate::to_history(simulation->plan(), simulation->specification(), simulation->pool(), *rows);
  const auto threads = static_cast<unsigned>(arguments.number("threads", 2));
  std::vector<double> one, several, ratio;
  for (int round = 0; round < static_cast<int>(arguments.number("rounds", 9)); ++round) {
    double seconds[2] = {};
    for (const unsigned use : {1U, threads}) {
      CheckOptions options;
      options.witness = false;
      options.decider = "search";
      options.threads = use;
      const auto verdict = check(*history, options);
      if (!verdict || verdict->verdict != Verdict::linearizable) {
        fmt::print("WRONG ANSWER\n");
        return 1;
      }
      seconds[use == 1 ? 0 : 1] = verdict->seconds;
    }
    one.push_back(seconds[0]);
    several.push_back(seconds[1]);
    ratio.push_back(seconds[0] / seconds[1]);
  }
  fmt::print("{} operations, {} keys: 1 thread {:.3f} s, {} threads {:.3f} s, ratio {:.2f} (best {:.2f})\n",
             history->size(), plan.keys, median(one), threads, median(several), median(ratio),
             *std::max_element(ratio.begin(), ratio.end()));
  return 0;
}

}  // namespace
}  // namespace linchpin::bench

int main(int count, char** values) { return linchpin::bench::measure(linchpin::bench::Arguments(count, values)); }
