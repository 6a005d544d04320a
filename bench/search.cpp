// How large an ambiguous history can be decided, and how fast?
//
//   bench_search [FILTER] [--seeds 10] [--seconds 10] [--smallest 1000] [--largest 100000] [--in-flight all]
//
// Values repeat (3 values, 8 keys), so that no monitor for unique values applies. Each cell: histories of several
// seeds, linearizable as generated ("yes"), or with one random change near their middle ("changed", whose answer is not
// known beforehand), decided in this process without witness; how many were decided within the limit, and the median
// time of those. A wrong answer on a linearizable history ends the run.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "generate/simulation.hpp"
#include "generate/stream.hpp"
#include "generate/violation.hpp"
#include "linchpin/check.hpp"

namespace linchpin::bench {
namespace {

int measure(const Arguments& arguments) {
  const int seeds = static_cast<int>(arguments.number("seeds", 10));
  const double seconds = arguments.number("seconds", 10);
  const auto smallest = static_cast<std::uint64_t>(arguments.number("smallest", 1000));
  const auto only_in_flight = static_cast<std::uint32_t>(arguments.number("in-flight", 0));
  const auto largest = static_cast<std::uint64_t>(arguments.number("largest", 100'000));
  fmt::print("3 values, 8 keys; decided of {} histories within {} s, median s of those\n\n", seeds, seconds);
  fmt::print("{:<14} {:>9} {:>8} {:<8} {:>8} {:>10} {:>8}  {}\n", "type", "in flight", "n", "history", "decided",
             "violations", "median", "decider");
  for (const char* type :
       {"register", "cas-register", "map", "set", "queue", "stack", "semaphore", "bag", "priority-queue", "deque"}) {
    if (!arguments.wants(type)) continue;
    for (const std::uint32_t in_flight : {8U, 16U, 32U}) {
      if (only_in_flight != 0 && in_flight != only_in_flight) continue;
      for (std::uint64_t operations = smallest; operations <= largest; operations *= 10) {
        for (const bool changed : {false, true}) {
          std::vector<double> times;
          int violations = 0;
          std::string decider;
          for (int seed = 1; seed <= seeds; ++seed) {
            generate::Plan plan;
            plan.type.name = type;
            plan.operations = operations;
            plan.processes = in_flight * 3 / 2;
            plan.in_flight = in_flight;
            plan.values = plan.type.name == "set" ? 8 : 3;
            plan.keys = 8;
            plan.empties = true;
            plan.seed = static_cast<std::uint64_t>(seed);
            auto simulation = generate::Simulation::make(plan);
            auto rows = generate::all_rows(*simulation);
            if (!rows) return 2;
            generate::Random random(plan.seed);
            if (changed) (void)generate::change_one(*rows, rows->size() / 2, random, simulation->pool());
            auto history =
                generate::to_history(simulation->plan(), simulation->specification(), simulation->pool(), *rows);
            CheckOptions options;
            options.witness = false;
            options.shrink = false;
            options.limits.time = std::chrono::duration<double>(seconds);
            options.limits.memory = std::size_t{3} << 30;
            const auto verdict = check(*history, options);
            if (!verdict || (!changed && verdict->verdict == Verdict::violation)) {
              fmt::print("WRONG ANSWER: {} seed {} of {} operations\n", type, seed, operations);
              return 1;
            }
            if (verdict->verdict == Verdict::unknown) continue;
            violations += verdict->verdict == Verdict::violation ? 1 : 0;
            times.push_back(verdict->seconds);
            decider = verdict->objects.front().decider;
          }
          fmt::print("{:<14} {:>9} {:>8} {:<8} {:>5}/{:<2} {:>10} {:>8.4f}  {}\n", type, in_flight, operations,
                     changed ? "changed" : "yes", times.size(), seeds, violations, median(times), decider);
          std::fflush(stdout);
        }
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace linchpin::bench

int main(int count, char** values) { return linchpin::bench::measure(linchpin::bench::Arguments(count, values)); }
