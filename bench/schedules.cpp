// How many schedules a second does each construction of strong d-hitting families make?
//
//   bench_schedules [FILTER] [--seconds 0.5] [--rounds 3]
//
// Random histories of n operations by seven processes, about five in flight. Each cell: whole schedules a
// second of CPU, the median of `rounds` rounds in which the three constructions take turns on the same history:
//   published    Algorithm 1, by insertion; the same schedule comes many times
//   closed form  one stable sort a schedule; likewise
//   enumerated   each schedule once for a chain, prefixes shared
// and, since repetitions are worth nothing, distinct schedules a second, where a family is small enough to be counted
// to its end. Every schedule of a first pass is checked to be one, and where families are made to their ends, the
// closed form's and the enumeration's distinct schedules have to be as many.
#include <cstdio>
#include <functional>
#include <random>

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include "arguments.hpp"
#include "linchpin/specification.hpp"
#include "process.hpp"
#include "research/schedules/closed_form.hpp"
#include "research/schedules/enumeration.hpp"
#include "research/schedules/family_size.hpp"
#include "research/schedules/published.hpp"

namespace linchpin::bench {
namespace {

using research::OperationPoset;
using research::Schedule;

struct Register {
  using State = int;
  static constexpr std::array methods{Method{"write", 0}};
  static State initial() { return 0; }
  static bool step(State& /*state*/, const Operation& /*operation*/) { return true; }
};

OperationPoset random_poset(std::uint32_t n, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  constexpr std::uint32_t kProcesses = 7;
  HistoryBuilder builder;
  std::vector<Tick> now(kProcesses, 0);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t process = i % kProcesses;
    const Tick call = now[process] + static_cast<Tick>(random() % 80);
    const Tick response = call + 1 + static_cast<Tick>(random() % 200);
    now[process] = response + 1;
    builder.add({.process = process, .method = "write", .call = call, .response = response});
  }
  const auto history = std::move(builder).build();
  const std::array specifications{specify<Register>("register")};
  const auto parts = history::split_by_object(*history, specifications, Ties::concurrent);
  return OperationPoset::of((*parts)[0]);
}

/// Receives schedules; false stops.
using Visit = std::function<bool(const Schedule&)>;
using Construction = void (*)(const OperationPoset& poset, std::uint32_t d, const Visit& visit);

void by_insertion(const OperationPoset& poset, std::uint32_t d, const Visit& visit) {
  Schedule schedule;
  research::for_each_index(poset, d, [&](std::uint32_t chain, std::span<const std::uint32_t> tuple) {
    research::published_schedule(poset, chain, tuple, schedule);
    return visit(schedule);
  });
}

void by_sorting(const OperationPoset& poset, std::uint32_t d, const Visit& visit) {
  research::ClosedForm closed_form(poset);
  Schedule schedule;
  research::for_each_index(poset, d, [&](std::uint32_t chain, std::span<const std::uint32_t> tuple) {
    closed_form.schedule(chain, tuple, schedule);
    return visit(schedule);
  });
}

struct Walker {
  const Visit& visit;
  Schedule path;
  bool emit(std::uint32_t operation) {
    path.push_back(operation);
    return true;
  }
  void retract(std::uint32_t count) { path.resize(count); }
  bool finish(std::uint32_t /*delays*/) { return !visit(path); }
  static bool known(const research::Standing& /*standing*/) { return false; }
};

void by_enumeration(const OperationPoset& poset, std::uint32_t d, const Visit& visit) {
  Walker walker{.visit = visit, .path = {}};
  research::Enumeration enumeration(poset, walker);
  for (std::uint32_t chain = 0; chain < poset.chains; ++chain) {
    walker.retract(0);
    enumeration.start(chain, d - 1);
    auto status = research::Enumeration<Walker>::Status::paused;
    while (status == research::Enumeration<Walker>::Status::paused) {
      std::int64_t steps = 1 << 20;
      status = enumeration.run(steps);
    }
    if (status == research::Enumeration<Walker>::Status::stopped) return;
  }
}

struct Run {
  std::uint64_t made = 0;
  double seconds = 0;
  bool whole = true;           // the family was made to its end
  std::uint64_t distinct = 0;  // where that was looked at
};

/// One family, until its end or until the time is up. @param check every schedule is looked at
Run make(Construction construction, const OperationPoset& poset, std::uint32_t d, double seconds, bool check) {
  Run run;
  std::uint64_t sum = 0;  // so that nothing is optimised away
  bool valid = true;
  absl::flat_hash_set<std::uint64_t> prints;
  const double begin = cpu_seconds();
  construction(poset, d, [&](const Schedule& schedule) {
    sum += schedule[run.made % schedule.size()];
    ++run.made;
    if (check) {
      valid = valid && research::is_schedule(poset, schedule);
      prints.insert(research::fingerprint(schedule));
    }
    if ((run.made & 1023U) == 0) run.whole = cpu_seconds() - begin < seconds;
    return run.whole;
  });
  run.seconds = cpu_seconds() - begin;
  run.distinct = prints.size();
  if (!valid || sum == UINT64_MAX) {
    fmt::print("WRONG: no schedule\n");
    std::exit(1);
  }
  return run;
}

/// Schedules a second; a small family is made again and again.
double rate(Construction construction, const OperationPoset& poset, std::uint32_t d, double seconds) {
  Run total;
  while (total.seconds < seconds) {
    const Run run = make(construction, poset, d, seconds, false);
    total.made += run.made;
    total.seconds += run.seconds;
  }
  return static_cast<double>(total.made) / total.seconds;
}

std::string thousands(double number) { return fmt::format("{:.0f}", number / 1000); }

int run(const Arguments& arguments) {
  const double seconds = arguments.number("seconds", 0.5);
  const int rounds = static_cast<int>(arguments.number("rounds", 3));
  constexpr std::array<Construction, 3> kConstructions{&by_insertion, &by_sorting, &by_enumeration};
  constexpr std::array kNames{"published", "closed form", "enumerated"};
  fmt::print("thousands of schedules a second of CPU, of all and of distinct ones; median of {} rounds\n\n", rounds);
  fmt::print("{:>4} {:>2} {:>7} {:>5}", "n", "d", "chains", "pairs");
  for (const char* name : kNames) fmt::print(" | {:>11} {:>9}", name, "distinct");
  fmt::print(" | {:>6} {:>9}\n", "ratio", "distinct");
  for (const std::uint32_t n : {15U, 50U, 200U}) {
    for (std::uint32_t d = 2; d <= 4; ++d) {
      if (!arguments.wants(fmt::format("n={} d={}", n, d))) continue;
      std::array<std::vector<double>, 3> rates;
      std::array<double, 3> share{};  // of schedules that are distinct
      std::array<Run, 3> checked;
      const OperationPoset poset = random_poset(n, 7);
      for (std::size_t c = 0; c < 3; ++c) {
        checked[c] = make(kConstructions[c], poset, d, 2 * seconds, true);
        share[c] = static_cast<double>(checked[c].distinct) / static_cast<double>(checked[c].made);
      }
      if (checked[1].whole && checked[2].whole && checked[1].distinct > checked[2].distinct) {
        fmt::print("WRONG: n={} d={}: {} schedules of the closed form, {} enumerated\n", n, d, checked[1].distinct,
                   checked[2].distinct);
        return 1;
      }
      for (int round = 0; round < rounds; ++round) {
        for (std::size_t c = 0; c < 3; ++c) {
          rates[c].push_back(rate(kConstructions[c], poset, d, seconds));
        }
      }
      fmt::print("{:>4} {:>2} {:>7} {:>5}", n, d, poset.chains, poset.concurrent_pairs());
      for (std::size_t c = 0; c < 3; ++c) {
        const double rate = median(rates[c]);
        fmt::print(" | {:>11} {:>9}", thousands(rate), thousands(rate * share[c]) + (checked[c].whole ? " " : "*"));
      }
      const double published = median(rates[0]);
      const double ours = median(rates[2]);
      fmt::print(" | {:>5.1f}x {:>8.1f}x\n", ours / published, ours * share[2] / (published * share[0]));
      std::fflush(stdout);
    }
  }
  fmt::print("\n* not made to its end: the share of distinct schedules is that of the first ones\n");
  return 0;
}

}  // namespace
}  // namespace linchpin::bench

int main(int count, char** values) { return linchpin::bench::run(linchpin::bench::Arguments(count, values)); }
