// What do an order among equal priorities, and partially ordered priorities, cost the monitor of priority queues?
//
//   bench_priority_orders [FILTER] [--operations 1000000] [--runs 5]
//
// Each row is a generated linearizable history, held in memory: 40 processes, 26 operations in flight. Measured is the
// monitor alone (reading what operations mean, and deciding), in CPU seconds; medians over runs that are interleaved
// over the rows, and the ratio to the total order's. A verdict other than linearizable, or a witness that the
// independent checker refutes, ends the run.
#include <fmt/format.h>

#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "evidence/witness.hpp"
#include "generate/simulation.hpp"
#include "generate/stream.hpp"
#include "history/subhistory.hpp"
#include "linchpin/check.hpp"
#include "types/priority_queue/monitor.hpp"

namespace linchpin::bench {
namespace {

/// A relation of `chains` chains of `length` priorities; an element goes before those further down in any chain.
std::string layers(int chains, int length) {
  std::string order;
  for (int level = 0; level + 1 < length; ++level) {
    for (int from = 0; from < chains; ++from) {
      for (int to = 0; to < chains; ++to) {
        order += fmt::format("{}{}<{}", order.empty() ? "" : ",", level * chains + from, (level + 1) * chains + to);
      }
    }
  }
  return order;
}

struct Subject {
  std::string name, type;
  std::optional<std::uint64_t> priorities = {};
  std::unique_ptr<History> history = nullptr;
  std::shared_ptr<const Specification> specification = nullptr;
  history::Subhistory part = {};
  std::vector<double> with_witness = {}, without = {};
};

std::vector<Subject> subjects() {
  std::vector<Subject> all;
  const auto add = [&](std::string name, const std::string& order, std::optional<std::uint64_t> priorities = {}) {
    for (const char* const ties : {"any", "fifo"}) {
      all.push_back({fmt::format("{}, ties={}", name, ties),
                     fmt::format("priority-queue order={} ties={}", order, ties), priorities});
    }
  };
  all.push_back({"total, values are priorities", "priority-queue"});
  add("total, 16 priorities", "smallest", 16);
  add("total, 10^6 priorities", "smallest", 1'000'000);
  add("a<b, a<c, b<d, c<d", "a<b,a<c,b<d,c<d");
  add("relation, 4 x 16", layers(4, 16));
  add("relation, 16 x 32", layers(16, 32));
  add("pairs, 4 x 4", "componentwise", 4);
  add("pairs, 1000 x 1000", "componentwise", 1000);
  return all;
}

bool prepare(Subject& subject, std::uint64_t operations) {
  generate::Plan plan;
  plan.type = *TypeName::parse(subject.type);
  plan.operations = operations;
  plan.processes = 40;
  plan.in_flight = 26;
  plan.priorities = subject.priorities;
  auto simulation = generate::Simulation::make(plan);
  if (!simulation) return false;
  const auto rows = generate::all_rows(*simulation);
  if (!rows) return false;
  auto history = generate::to_history(simulation->plan(), simulation->specification(), simulation->pool(), *rows);
  if (!history) return false;
  subject.history = std::make_unique<History>(std::move(*history));
  subject.specification = *make_specification(plan.type);
  const std::vector specifications{subject.specification};
  auto parts = history::split_by_object(*subject.history, specifications, Ties::concurrent);
  if (!parts) return false;
  subject.part = std::move((*parts)[0]);
  return true;
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// One run; nothing where the answer is wrong.
std::optional<double> run(const Subject& subject, bool want_witness, bool verify) {
  core::Budget budget(Limits{});
  const double start = cpu_seconds();
  const auto applicability = types::kPriorityQueueMonitor.applicable(subject.part);
  const core::Outcome outcome = types::kPriorityQueueMonitor.decide(
      subject.part, {.witness = want_witness, .reading = applicability.reading}, budget);
  const double seconds = cpu_seconds() - start;
  if (outcome.verdict != Verdict::linearizable) return std::nullopt;
  if (!verify) return seconds;
  Witness witness;
  for (const std::uint32_t local : outcome.witness) witness.order.push_back(subject.part.operation[local]);
  const std::string refuted =
      evidence::refute_witness(*subject.history, 0, *subject.specification, witness, Ties::concurrent);
  if (!refuted.empty()) fmt::print("{}: {}\n", subject.name, refuted);
  return refuted.empty() ? std::optional(seconds) : std::nullopt;
}

int measure(const Arguments& arguments) {
  const auto operations = static_cast<std::uint64_t>(arguments.number("operations", 1e6));
  const int runs = static_cast<int>(arguments.number("runs", 5));
  std::vector<Subject> all;
  for (Subject& subject : subjects()) {
    if (!arguments.wants(subject.name) && !all.empty()) continue;  // the first is what others are compared with
    if (!prepare(subject, operations)) {
      fmt::print("{} cannot be generated\n", subject.name);
      return 1;
    }
    all.push_back(std::move(subject));
  }
  // The witness is executed on the specification, whose states are not made for a million values inside: once, and
  // only where it is affordable.
  const bool verify = operations <= 100'000;
  for (int i = 0; i < runs; ++i) {
    for (Subject& subject : all) {
      const auto with_witness = run(subject, true, verify && i == 0), without = run(subject, false, false);
      if (!with_witness || !without) {
        fmt::print("WRONG ANSWER: {}\n", subject.name);
        return 1;
      }
      subject.with_witness.push_back(*with_witness);
      subject.without.push_back(*without);
    }
  }
  fmt::print("{} operations; CPU seconds of the monitor, medians of {} runs; x: over the first row's\n\n", operations,
             runs);
  fmt::print("{:<36} {:>8} {:>6} {:>12} {:>6}\n", "order", "witness", "x", "no witness", "x");
  for (const Subject& subject : all) {
    fmt::print("{:<36} {:>8.3f} {:>6.1f} {:>12.3f} {:>6.1f}\n", subject.name, median(subject.with_witness),
               median(subject.with_witness) / median(all[0].with_witness), median(subject.without),
               median(subject.without) / median(all[0].without));
  }
  return 0;
}

}  // namespace
}  // namespace linchpin::bench

int main(int count, char** values) { return linchpin::bench::measure(linchpin::bench::Arguments(count, values)); }
