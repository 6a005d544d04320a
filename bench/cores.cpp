// How small are the cores of violations, and what does finding them cost?
//
//   bench_cores [TYPE] [--histories 1000] [--operations 1000] [--seconds 10]
//
// For each type: simulated histories (8 processes, a tenth of the operations looks, removals may find nothing, two
// clients crash), each with one natural change at a random place that made a violation of it. Every core is decided
// again, by the independent decider of src/evidence and by the library as a history of its own, and where it starts
// late the start is checked; a core that is linearizable ends the run. Times are wall-clock, of deciding without
// shrinking and with it. A share of the histories draws from few values, so that the searches get their turn where a
// type has a monitor for unique ones.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "evidence/core.hpp"
#include "evidence/start.hpp"
#include "generate/model.hpp"
#include "generate/simulation.hpp"
#include "generate/stream.hpp"
#include "generate/violation.hpp"
#include "linchpin/check.hpp"

namespace linchpin::bench {
namespace {

constexpr double kRecheckSeconds = 2;

struct Tally {
  std::vector<double> sizes, deciding, ratios;
  double seconds_deciding = 0, seconds_in_all = 0;
  std::size_t by_search = 0, minimal = 0, late = 0, rechecked = 0, undecided = 0;
};

Result<HistoryVerdict> decide(const History& history, bool shrink, double seconds) {
  CheckOptions options;
  options.witness = false;
  options.shrink = shrink;
  options.threads = 1;
  options.limits.time = std::chrono::duration<double>(seconds);
  return check(history, options);
}

/// Whether the core is a violation by both; says so and ends the run if one finds it linearizable.
bool confirmed(const History& history, const Specification& specification, const Violation& violation) {
  core::Budget budget(Limits{.time = std::chrono::duration<double>(kRecheckSeconds)});
  History core = history.restricted_to(violation.core);
  std::shared_ptr<const Specification> from;
  std::optional<bool> stands = true;
  if (violation.start) {
    const TypeName type = *TypeName::parse(violation.start->type);
    core = core.with_type(type);
    from = *make_specification(type);
    stands = evidence::leads_to(history, 0, specification, Ties::concurrent, violation.core, violation.start->tick,
                                *from, budget);
  }
  const auto alone = evidence::linearizable_alone(history, violation.core, from != nullptr ? *from : specification,
                                                  Ties::concurrent, budget);
  const auto again = decide(core, true, kRecheckSeconds);
  const bool linearizable = again && again->verdict == Verdict::linearizable;
  if (alone == std::optional(true) || stands == std::optional(false) || linearizable) {
    fmt::print("A CORE DOES NOT HOLD: {}\n", violation.sentence);
    std::exit(1);
  }
  return alone.has_value() && stands.has_value() && again && again->verdict == Verdict::violation;
}

/// A history that is a violation, and how long it took to say so; nothing where the change did no harm.
void add_one(const generate::Plan& plan, generate::Random& random, double seconds, Tally& tally) {
  auto simulation = generate::Simulation::make(plan);
  if (!simulation) return;
  auto rows = generate::all_rows(*simulation);
  if (!rows) return;
  (void)generate::change_one(*rows, random.below(rows->size()), random, simulation->pool());
  const auto history = generate::to_history(simulation->plan(), simulation->specification(), simulation->pool(), *rows);
  if (!history) return;
  const auto decided = decide(*history, false, seconds);
  if (decided && decided->verdict == Verdict::unknown) ++tally.undecided;
  if (!decided || decided->verdict != Verdict::violation) return;
  const auto shrunk = decide(*history, true, seconds);
  if (!shrunk || shrunk->verdict != Verdict::violation) return;
  const ObjectVerdict& object = shrunk->objects[0];
  tally.sizes.push_back(static_cast<double>(object.violation->core.size()));
  tally.deciding.push_back(decided->seconds);
  tally.ratios.push_back(shrunk->seconds / decided->seconds);
  tally.seconds_deciding += decided->seconds;
  tally.seconds_in_all += shrunk->seconds;
  tally.by_search += object.decider.find("search") != std::string::npos ? 1 : 0;
  tally.minimal += object.violation->minimal ? 1 : 0;
  tally.late += object.violation->start ? 1 : 0;
  tally.rechecked += confirmed(*history, simulation->specification(), *object.violation) ? 1 : 0;
}

int measure(const Arguments& arguments) {
  const auto histories = static_cast<std::size_t>(arguments.number("histories", 1000));
  const auto operations = static_cast<std::uint64_t>(arguments.number("operations", 1000));
  const double seconds = arguments.number("seconds", 10);
  fmt::print(
      "| type | values | violations | by search | core: median | max | starts late | minimal | deciding: median ms | "
      "with "
      "shrinking: median x | all x | re-checked | not decided "
      "|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const generate::Kind& kind : generate::kinds()) {
    if (!arguments.wants(kind.type)) continue;
    for (const bool few : {false, true}) {
      Tally tally;
      generate::Random random(few ? 2 : 1);
      std::uint64_t seed = 0;
      while (tally.sizes.size() < histories / 2 && seed < 20 * histories) {
        generate::Plan plan;
        plan.type.name = kind.type;
        plan.operations = operations;
        plan.values = few ? 20 : kind.type == "set" || kind.type == "bag" ? 100 : 0;
        plan.peeks = 0.1;
        plan.empties = true;
        plan.pending = 2;
        plan.seed = ++seed;
        add_one(plan, random, seconds, tally);
      }
      const std::size_t count = tally.sizes.size();
      fmt::print(
          "| {} | {} | {} | {:.0f} % | {:.0f} | {:.0f} | {:.0f} % | {:.0f} % | {:.2f} | {:.1f} | {:.1f} | {} | {} |\n",
          kind.type, few ? "few" : "many", count, count == 0 ? 0.0 : 100.0 * tally.by_search / count,
          median(tally.sizes), count == 0 ? 0 : *std::max_element(tally.sizes.begin(), tally.sizes.end()),
          count == 0 ? 0.0 : 100.0 * tally.late / count, count == 0 ? 0.0 : 100.0 * tally.minimal / count,
          1000 * median(tally.deciding), median(tally.ratios),
          count == 0 ? 0 : tally.seconds_in_all / tally.seconds_deciding, tally.rechecked, tally.undecided);
      std::fflush(stdout);
    }
  }
  return 0;
}

}  // namespace
}  // namespace linchpin::bench

int main(int count, char** values) { return linchpin::bench::measure(linchpin::bench::Arguments(count, values)); }
