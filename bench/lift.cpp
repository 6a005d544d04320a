// Where values repeat: the lift of the type's monitor against the type's own search, and what the chooser makes of
// both.
//
//   bench_lift [FILTER] [--seeds 3] [--seconds 4] [--least 1000] [--largest 100000] [--own 1]
//
// Values repeat two times, ten times, or there are three of them. Histories as generated ("yes") or with one random
// change near their middle ("changed"), decided in this process without witness. Each column: how many were decided
// within the limit, and the median time of those; --own 0 leaves the type's own search out. Two deciders that disagree,
// or a wrong answer on a linearizable history, end the run.
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

struct Row {
  const char* type;
  const char* own;  // the search made for the type
  const char* lift;
};

Result<History> make(const char* type, std::uint64_t operations, std::uint32_t in_flight, std::uint64_t values,
                     bool changed, std::uint64_t seed) {
  generate::Plan plan;
  plan.type.name = type;
  plan.operations = operations;
  plan.processes = in_flight * 3 / 2;
  plan.in_flight = in_flight;
  plan.values = values;
  plan.empties = true;
  plan.seed = seed;
  auto simulation = generate::Simulation::make(plan);
  auto rows = generate::all_rows(*simulation);
  if (!rows) return rows.error();
  generate::Random random(plan.seed);
  if (changed) (void)generate::change_one(*rows, rows->size() / 2, random, simulation->pool());
  return generate::to_history(simulation->plan(), simulation->specification(), simulation->pool(), *rows);
}

int measure(const Arguments& arguments) {
  const auto seeds = static_cast<std::uint64_t>(arguments.number("seeds", 3));
  const auto least = static_cast<std::uint64_t>(arguments.number("least", 1000));
  const bool with_own = arguments.number("own", 1) != 0;
  const auto largest = static_cast<std::uint64_t>(arguments.number("largest", 100'000));
  const double seconds = arguments.number("seconds", 4);
  fmt::print("decided of {} histories within {} s, median s of those\n\n", seeds, seconds);
  fmt::print("{:<14} {:>7} {:>9} {:>7} {:<8} {:>13} {:>13} {:>13}  {}\n", "type", "times", "in flight", "n", "history",
             "lift", "own search", "chosen", "by");
  for (const Row& row :
       {Row{"stack", "stack-sets", "stack-lift"}, Row{"queue", "queue-positions", "queue-lift"},
        Row{"priority-queue", "priority-queue-contents", "priority-queue-lift"}, Row{"deque", "search", "deque-lift"},
        Row{"bag", "bag-contents", "bag-lift"}, Row{"register", "search", "register-lift"}}) {
    if (!arguments.wants(row.type)) continue;
    for (const std::uint64_t times : {2U, 10U, 0U}) {
      for (const std::uint32_t in_flight : {8U, 16U, 40U}) {
        for (std::uint64_t operations = least; operations <= largest; operations *= 10) {
          for (const bool changed : {false, true}) {
            std::vector<double> took[3];
            std::string chosen;
            for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
              const auto history =
                  make(row.type, operations, in_flight, times == 0 ? 3 : operations / 2 / times, changed, seed);
              if (!history) return 2;
              Verdict known = changed ? Verdict::unknown : Verdict::linearizable;
              for (const std::size_t column : {0U, 1U, 2U}) {
                if (column == 1 && !with_own) continue;
                CheckOptions options;
                options.witness = false;
                options.shrink = false;
                options.decider = column == 0 ? row.lift : column == 1 ? row.own : "";
                options.limits.time = std::chrono::duration<double>(seconds);
                options.limits.memory = std::size_t{3} << 30;
                const auto verdict = check(*history, options);
                if (!verdict) return 2;
                if (verdict->verdict == Verdict::unknown) continue;
                if (known != Verdict::unknown && verdict->verdict != known) {
                  fmt::print("WRONG ANSWER: {} {} seed {} of {} operations\n", row.type, verdict->objects[0].decider,
                             seed, operations);
                  return 1;
                }
                known = verdict->verdict;
                took[column].push_back(verdict->seconds);
                if (column == 2) chosen = verdict->objects[0].decider;
              }
            }
            fmt::print("{:<14} {:>7} {:>9} {:>7} {:<8}", row.type, times == 0 ? "n/6" : std::to_string(times),
                       in_flight, operations, changed ? "changed" : "yes");
            for (std::vector<double>& column : took) {
              fmt::print(" {:>2}/{} {:>8.4f}", column.size(), seeds, column.empty() ? 0 : median(column));
            }
            fmt::print("  {}\n", chosen);
            std::fflush(stdout);
          }
        }
      }
    }
  }
  return 0;
}

}  // namespace
}  // namespace linchpin::bench

int main(int count, char** values) { return linchpin::bench::measure(linchpin::bench::Arguments(count, values)); }
